package conformance;

import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple3;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/** Hands every record on, and keeps in its state which records it has processed: what `state` in a report is about. */
final class Counter extends AbstractStreamOperator<Tuple3<String, String, Long>>
        implements OneInputStreamOperator<Tuple3<String, String, Long>, Tuple3<String, String, Long>> {
    private final String uid;
    private transient ListState<String> state;
    private transient List<String> processed;

    Counter(String uid) {
        this.uid = uid;
    }

    private String subtask() {
        return uid + "[" + getRuntimeContext().getTaskInfo().getIndexOfThisSubtask() + "]";
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        state = context.getOperatorStateStore().getListState(new ListStateDescriptor<>("processed", Types.STRING));
        processed = new ArrayList<>();
        for (String each : state.get()) processed.add(each);
        Director.now.states.put(subtask(), processed);
    }

    @Override
    public void processElement(StreamRecord<Tuple3<String, String, Long>> element) {
        processed.add(element.getValue().f0);
        output.collect(element);
        Director.now.event("RecordProcessed", subtask(), "record", element.getValue().f0);
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        Director.now.failSnapshot(subtask(), "sync", context.getCheckpointId());
        state.update(processed);
    }
}
