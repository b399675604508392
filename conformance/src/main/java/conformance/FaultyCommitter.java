package conformance;

import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.flink.api.connector.sink2.Committer;
import org.apache.flink.api.connector.sink2.CommitterInitContext;
import org.apache.flink.api.connector.sink2.SupportsCommitter;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/** The sink's own committer, behind the errors of a scenario: what Flink makes of an error that the committer signals is Flink's. */
final class FaultyCommitter implements SupportsCommitter<Object>, Serializable {
    private final SupportsCommitter<Object> sink;
    private final String uid;

    FaultyCommitter(SupportsCommitter<Object> sink, String uid) {
        this.sink = sink;
        this.uid = uid;
    }

    @Override
    public Committer<Object> createCommitter(CommitterInitContext context) throws IOException {
        Committer<Object> real = sink.createCommitter(context);
        String subtask = uid + "[" + context.getTaskInfo().getIndexOfThisSubtask() + "]";
        return new Committer<>() {
            @Override
            public void commit(Collection<CommitRequest<Object>> requests) throws IOException, InterruptedException {
                List<CommitRequest<Object>> good = new ArrayList<>();
                for (CommitRequest<Object> each : requests) {
                    String error = Director.now.commitError(subtask);
                    Director.now.event("TransactionCommitRequested", subtask, "error", error);
                    if (error.equals("fatal")) Director.now.failedAt = System.currentTimeMillis();
                    Exception what = new Director.InjectedFailure(error + " error of a commit at " + subtask);
                    switch (error) {
                        case "retriable" -> each.retryLater();
                        case "known" -> each.signalFailedWithKnownReason(what);
                        case "fatal" -> each.signalFailedWithUnknownReason(what);
                        default -> good.add(each);
                    }
                }
                real.commit(good);
            }

            @Override
            public void close() throws Exception {
                real.close();
            }
        };
    }

    @Override
    public SimpleVersionedSerializer<Object> getCommittableSerializer() {
        return sink.getCommittableSerializer();
    }
}
