package conformance;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Executor;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.checkpoint.CheckpointsCleaner;
import org.apache.flink.runtime.checkpoint.CompletedCheckpoint;
import org.apache.flink.runtime.checkpoint.EmbeddedCompletedCheckpointStore;
import org.apache.flink.runtime.checkpoint.PerJobCheckpointRecoveryFactory;
import org.apache.flink.runtime.highavailability.HighAvailabilityServices;
import org.apache.flink.runtime.highavailability.nonha.embedded.EmbeddedHaServicesWithLeadershipControl;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.runtime.state.SharedStateRegistry;

/**
 * A MiniCluster whose JobMaster can lose its leadership and get it again: nothing in its memory survives, the store of
 * completed checkpoints and the counter of their ids do.
 */
final class HighAvailability extends MiniCluster {
    HighAvailability(MiniClusterConfiguration configuration) {
        super(configuration);
    }

    @Override
    protected HighAvailabilityServices createHighAvailabilityServices(Configuration configuration, Executor executor) {
        return new EmbeddedHaServicesWithLeadershipControl(executor, new PerJobCheckpointRecoveryFactory<Store>((max, previous, registry, io, mode) -> {
            List<CompletedCheckpoint> stored = previous == null ? List.of() : previous.getAllCheckpoints();
            return new Store(max, stored, registry.create(io, stored, mode));
        }));
    }

    /** Tells of a checkpoint before and after it is stored, in the coordinator's own thread; a deposed leader stores nothing. */
    private static final class Store extends EmbeddedCompletedCheckpointStore {
        Store(int max, Collection<CompletedCheckpoint> stored, SharedStateRegistry registry) {
            super(max, stored, registry);
        }

        @Override
        public CompletedCheckpoint addCheckpointAndSubsumeOldestOne(CompletedCheckpoint checkpoint, CheckpointsCleaner cleaner, Runnable after) throws Exception {
            Director director = Director.now;
            long id = checkpoint.getCheckpointID();
            director.before("CheckpointCompleted", null, "checkpoint", id);
            if (director.awaitDeposed()) throw new IOException("injected: no longer the leader");
            if (director.storeDown) throw new IOException("injected: the store is down");
            CompletedCheckpoint subsumed = super.addCheckpointAndSubsumeOldestOne(checkpoint, cleaner, after);
            director.event("CheckpointCompleted", null, "checkpoint", id);
            director.awaitDeposed();
            return subsumed;
        }
    }
}
