package conformance;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.java.tuple.Tuple3;
import org.apache.flink.core.io.InputStatus;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * A FLIP-27 source with the partitions of a scenario's topic as splits. A reader emits a record only when the director
 * has come to its round; partition p belongs to reader p mod parallelism. A record is (id, key, value).
 */
final class GateSource implements Source<Tuple3<String, String, Long>, GateSource.Partition, List<GateSource.Partition>> {
    private final String uid;
    private final String topic;
    private final boolean bounded;

    GateSource(String uid, String topic, boolean bounded) {
        this.uid = uid;
        this.topic = topic;
        this.bounded = bounded;
    }

    record Partition(int number, int position) implements SourceSplit {
        @Override
        public String splitId() {
            return Integer.toString(number);
        }
    }

    @Override
    public Boundedness getBoundedness() {
        return bounded ? Boundedness.BOUNDED : Boundedness.CONTINUOUS_UNBOUNDED;
    }

    @Override
    public SplitEnumerator<Partition, List<Partition>> createEnumerator(SplitEnumeratorContext<Partition> context) {
        List<Partition> all = new ArrayList<>();
        for (int i = 0; i < Director.now.topic(topic).size(); i++) all.add(new Partition(i, 0));
        return new Enumerator(context, all);
    }

    @Override
    public SplitEnumerator<Partition, List<Partition>> restoreEnumerator(SplitEnumeratorContext<Partition> context, List<Partition> left) {
        return new Enumerator(context, left);
    }

    @Override
    public SourceReader<Tuple3<String, String, Long>, Partition> createReader(SourceReaderContext context) {
        return new Reader(context);
    }

    private final class Enumerator implements SplitEnumerator<Partition, List<Partition>> {
        private final SplitEnumeratorContext<Partition> context;
        private final List<Partition> left;

        Enumerator(SplitEnumeratorContext<Partition> context, List<Partition> left) {
            this.context = context;
            this.left = new ArrayList<>(left);
        }

        @Override
        public void start() {
            // An exception in the coordinator's own thread is a failure that is tied to no task.
            Director.now.failJob = () -> context.callAsync(() -> null, (nothing, error) -> {
                throw new IllegalStateException("injected: failure of the coordinator");
            });
        }

        @Override
        public void handleSplitRequest(int subtask, String host) {}

        @Override
        public void addSplitsBack(List<Partition> splits, int subtask) {
            left.addAll(splits);
        }

        @Override
        public void addReader(int subtask) {
            List<Partition> own = left.stream().filter(each -> each.number % context.currentParallelism() == subtask).toList();
            left.removeAll(own);
            for (Partition each : own) context.assignSplit(each, subtask);
            context.signalNoMoreSplits(subtask);
        }

        @Override
        public List<Partition> snapshotState(long checkpoint) {
            Director.now.event("CoordinatorCheckpointed", null, "vertex", uid, "checkpoint", checkpoint);
            return new ArrayList<>(left);
        }

        @Override
        public void close() {}
    }

    final class Reader implements SourceReader<Tuple3<String, String, Long>, Partition> {
        final String subtask;
        private final SourceReaderContext context;
        private final TreeMap<Integer, Integer> positions = new TreeMap<>();
        private CompletableFuture<Void> gate = new CompletableFuture<>();
        private boolean complete;
        volatile Exception failure;
        volatile boolean stalled;

        Reader(SourceReaderContext context) {
            this.context = context;
            subtask = uid + "[" + context.getIndexOfSubtask() + "]";
        }

        @Override
        public void start() {
            Director.now.event("StateRestored", subtask, "part", "reader");
            context.sendSplitRequest();
            Director.now.readers.put(subtask, this);
        }

        /** There may be more to emit, or to fail for. */
        synchronized void wake() {
            gate.complete(null);
        }

        /** Whether a record that may be emitted has not been. */
        synchronized boolean owes() {
            return positions.keySet().stream().anyMatch(each -> given(each) && left(each));
        }

        synchronized boolean exhausted() {
            return complete && positions.keySet().stream().noneMatch(this::left);
        }

        /** Record k is there from round k on; what a reader has missed, or reads again, it gets at once. */
        private boolean given(int partition) {
            return positions.get(partition) < Director.now.rounds;
        }

        private boolean left(int partition) {
            return positions.get(partition) < Director.now.topic(topic).get(partition).size();
        }

        @Override
        public InputStatus pollNext(ReaderOutput<Tuple3<String, String, Long>> output) throws Exception {
            boolean stood = stalled;
            while (stalled && failure == null) Thread.sleep(2);
            if (failure != null) throw failure;
            // What has come meanwhile, a trigger say, is handled first.
            if (stood) return InputStatus.MORE_AVAILABLE;
            Tuple3<String, String, Long> record = null;
            synchronized (this) {
                for (Integer each : positions.keySet())
                    if (given(each) && left(each)) {
                        int position = positions.merge(each, 1, Integer::sum) - 1;
                        record = Director.now.topic(topic).get(each).get(position);
                        break;
                    }
                if (record == null) {
                    if (bounded && exhausted()) return InputStatus.END_OF_INPUT;
                    if (gate.isDone()) gate = new CompletableFuture<>();
                    return InputStatus.NOTHING_AVAILABLE;
                }
            }
            output.collect(record);
            Director.now.event("RecordEmitted", subtask, "record", record.f0);
            return InputStatus.MORE_AVAILABLE;
        }

        @Override
        public synchronized List<Partition> snapshotState(long checkpoint) {
            Director.now.snapshot(subtask, checkpoint);
            List<Partition> all = new ArrayList<>();
            positions.forEach((number, position) -> all.add(new Partition(number, position)));
            return all;
        }

        @Override
        public synchronized CompletableFuture<Void> isAvailable() {
            return gate;
        }

        @Override
        public synchronized void addSplits(List<Partition> splits) {
            for (Partition each : splits) {
                positions.put(each.number, each.position);
                Director.now.event("SplitAdded", subtask, "partition", topic + "-" + each.number, "position", each.position);
            }
            gate.complete(null);
        }

        @Override
        public synchronized void notifyNoMoreSplits() {
            complete = true;
            gate.complete(null);
        }

        @Override
        public void notifyCheckpointComplete(long checkpoint) {
            Director.now.event("NotificationDelivered", subtask, "checkpoint", checkpoint, "kind", "complete");
        }

        @Override
        public void notifyCheckpointAborted(long checkpoint) {
            Director.now.event("NotificationDelivered", subtask, "checkpoint", checkpoint, "kind", "aborted");
        }

        @Override
        public void close() {
            Director.now.event("Operator-close", subtask, "part", "reader");
            Director.now.readers.remove(subtask, this);
        }
    }

    @Override
    public SimpleVersionedSerializer<Partition> getSplitSerializer() {
        return new SimpleVersionedSerializer<>() {
            @Override
            public int getVersion() {
                return 1;
            }

            @Override
            public byte[] serialize(Partition each) throws IOException {
                return write(List.of(each));
            }

            @Override
            public Partition deserialize(int version, byte[] bytes) throws IOException {
                return read(bytes).get(0);
            }
        };
    }

    @Override
    public SimpleVersionedSerializer<List<Partition>> getEnumeratorCheckpointSerializer() {
        return new SimpleVersionedSerializer<>() {
            @Override
            public int getVersion() {
                return 1;
            }

            @Override
            public byte[] serialize(List<Partition> all) throws IOException {
                return write(all);
            }

            @Override
            public List<Partition> deserialize(int version, byte[] bytes) throws IOException {
                return read(bytes);
            }
        };
    }

    private static byte[] write(List<Partition> all) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(all.size());
        for (Partition each : all) {
            out.writeInt(each.number);
            out.writeInt(each.position);
        }
        return bytes.toByteArray();
    }

    private static List<Partition> read(byte[] bytes) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        List<Partition> all = new ArrayList<>();
        for (int n = in.readInt(); n > 0; n--) all.add(new Partition(in.readInt(), in.readInt()));
        return all;
    }
}
