package conformance;

import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.FutureTask;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.runtime.execution.Environment;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.taskmanager.CheckpointResponder;
import org.apache.flink.streaming.api.graph.StreamConfig;
import org.apache.flink.streaming.api.operators.AbstractStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.ChainingStrategy;
import org.apache.flink.streaming.api.operators.OneInputStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.OperatorSnapshotFutures;
import org.apache.flink.streaming.api.operators.SimpleOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.tasks.ProcessingTimeServiceAware;
import org.apache.flink.streaming.runtime.tasks.StreamTask;

/**
 * Wraps any one-input operator, Flink's own included: tells the director of each hook before and after it runs, and does
 * what the director says there (throw, drop a notification, make the snapshot fail or wait).
 */
final class Probe<I, O> extends AbstractStreamOperatorFactory<O> implements OneInputStreamOperatorFactory<I, O> {
    private final String uid;
    private final String part;
    private final StreamOperatorFactory<O> inner;

    /** `part`: "" for an operator that is its own vertex, else which half of the sink it is. */
    Probe(String uid, String part, StreamOperatorFactory<O> inner) {
        this.uid = uid;
        this.part = part;
        this.inner = inner;
        setChainingStrategy(ChainingStrategy.ALWAYS);
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T extends StreamOperator<O>> T createStreamOperator(StreamOperatorParameters<O> parameters) {
        StreamTask<?, ?> task = parameters.getContainingTask();
        if (inner instanceof ProcessingTimeServiceAware aware) aware.setProcessingTimeService(parameters.getProcessingTimeService());
        MailboxExecutor mailbox = mailbox(task, parameters.getStreamConfig());
        if (inner instanceof AbstractStreamOperatorFactory<?> factory && !(inner instanceof SimpleOperatorFactory)) setMailbox(factory, mailbox);
        StreamOperator<O> operator = inner.createStreamOperator(parameters);
        Environment environment = task.getEnvironment();
        String subtask = uid + "[" + environment.getTaskInfo().getIndexOfThisSubtask() + "]";
        Director.now.register(subtask, environment, mailbox);
        watchAnswers(environment);
        Director.now.live.add(subtask + " " + part + " " + environment.getTaskInfo().getAttemptNumber());
        Set<Class<?>> interfaces = new LinkedHashSet<>();
        for (Class<?> each = operator.getClass(); each != null; each = each.getSuperclass())
            for (Class<?> one : each.getInterfaces()) interfaces.add(one);
        return (T) Proxy.newProxyInstance(getClass().getClassLoader(), interfaces.toArray(Class<?>[]::new),
                (proxy, method, arguments) -> hook(operator, subtask, task, method, arguments));
    }

    private static MailboxExecutor mailbox(StreamTask<?, ?> task, StreamConfig config) {
        return task.getMailboxExecutorFactory().createExecutor(config.getChainIndex());
    }

    private static void setMailbox(AbstractStreamOperatorFactory<?> factory, MailboxExecutor mailbox) {
        try {
            AbstractStreamOperatorFactory.class.getMethod("setMailboxExecutor", MailboxExecutor.class).invoke(factory, mailbox);
        } catch (NoSuchMethodException gone) {
            // Since 2.0 the parameters carry it.
        } catch (ReflectiveOperationException error) {
            throw new IllegalStateException(error);
        }
    }

    private Object hook(StreamOperator<O> operator, String subtask, StreamTask<?, ?> task, Method method, Object[] arguments) throws Throwable {
        Director director = Director.now;
        Environment environment = task.getEnvironment();
        switch (method.getName()) {
            case "initializeState" -> {
                long restored = environment.getTaskStateManager().getRestoreCheckpointId().map(Object::toString).map(Long::parseLong).orElse(0L);
                director.event("StateRestored", subtask, "part", part, "attempt", environment.getTaskInfo().getAttemptNumber(), "checkpoint", restored);
            }
            case "processElement" -> {
                Object result = run(operator, method, arguments);
                if (part.equals("writer")) director.arrived(subtask, ((StreamRecord<?>) arguments[0]).getValue());
                return result;
            }
            case "prepareSnapshotPreBarrier" -> director.event("PreBarrier", subtask, "part", part, "checkpoint", arguments[0]);
            case "notifyCheckpointComplete", "notifyCheckpointAborted" -> {
                String kind = method.getName().endsWith("Complete") ? "complete" : "aborted";
                if (director.loses(subtask, part, "notify-" + kind, (long) arguments[0])) {
                    if (kind.equals("complete")) neverTold(task, (long) arguments[0]);
                    return null;
                }
                director.before("NotificationDelivered", subtask, "checkpoint", arguments[0], "kind", kind);
                Object result = run(operator, method, arguments);
                if (part.equals("committer") && kind.equals("complete")) director.event("TransactionCommitted", subtask, "checkpoint", arguments[0]);
                director.event("NotificationDelivered", subtask, "part", part, "checkpoint", arguments[0], "kind", kind);
                return result;
            }
            case "snapshotState" -> {
                if (method.getParameterCount() == 4) {
                    OperatorSnapshotFutures futures = (OperatorSnapshotFutures) run(operator, method, arguments);
                    long checkpoint = (long) arguments[0];
                    if (!part.equals("committer")) director.snapshot(subtask, checkpoint);
                    Director.Asynchronous then = part.equals("committer") ? null : director.asynchronous(subtask, checkpoint);
                    if (then != null) {
                        var real = futures.getOperatorStateManagedFuture();
                        futures.setOperatorStateManagedFuture(new FutureTask<>(() -> {
                            then.run();
                            real.run();
                            return real.isDone() ? real.get() : SnapshotResult.empty();
                        }));
                    }
                    return futures;
                }
            }
            case "endInput", "finish" -> director.event("Operator-" + method.getName(), subtask, "part", part);
            case "close" -> {
                director.event("Operator-close", subtask, "part", part);
                try {
                    if (director.isKilled(environment)) return null;
                    return run(operator, method, arguments);
                } finally {
                    director.live.remove(subtask + " " + part + " " + environment.getTaskInfo().getAttemptNumber());
                }
            }
            default -> {}
        }
        return run(operator, method, arguments);
    }

    /** The task forgets that it was told: a later abort that names this checkpoint as the latest completed tells it again. */
    private static void neverTold(StreamTask<?, ?> task, long checkpoint) throws ReflectiveOperationException {
        Field field = StreamTask.class.getDeclaredField("latestReportCheckpointId");
        field.setAccessible(true);
        field.setLong(task, Math.min(field.getLong(task), checkpoint - 1));
    }

    private static Object run(Object operator, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(operator, arguments);
        } catch (InvocationTargetException error) {
            throw error.getCause();
        }
    }

    /** Sees the answers of a task to the coordinator, and loses those that the director wants lost. */
    private static void watchAnswers(Environment environment) {
        watchAnswers(environment.getTaskStateManager(), environment);
        watchAnswers(environment, environment);
    }

    private static void watchAnswers(Object owner, Environment environment) {
        try {
            Field field = owner.getClass().getDeclaredField("checkpointResponder");
            field.setAccessible(true);
            Object responder = field.get(owner);
            if (Proxy.isProxyClass(responder.getClass())) return;
            String head = Director.now.head(environment);
            field.set(owner, Proxy.newProxyInstance(Probe.class.getClassLoader(), new Class<?>[] {CheckpointResponder.class}, (proxy, method, arguments) -> {
                String rpc = switch (method.getName()) {
                    case "acknowledgeCheckpoint" -> "ack";
                    case "declineCheckpoint" -> "decline";
                    default -> null;
                };
                if (rpc != null) {
                    long checkpoint = (long) arguments[2];
                    if (rpc.equals("ack")) Director.now.event("SnapshotPersisted", head, "checkpoint", checkpoint);
                    // What a process has sent in its last moment is still on its way: it is not heard of any more.
                    if (Director.now.isKilled(environment) || Director.now.loses(head, "", rpc, checkpoint)) return null;
                    if (rpc.equals("ack")) {
                        Director.now.before("CheckpointAcknowledged", head, "checkpoint", checkpoint);
                        Object result = run(responder, method, arguments);
                        Director.now.event("CheckpointAcknowledged", head, "checkpoint", checkpoint);
                        return result;
                    }
                    Director.now.event("DeclineSent", head, "checkpoint", checkpoint, "reason", String.valueOf(reason(arguments[3])));
                }
                return run(responder, method, arguments);
            }));
        } catch (ReflectiveOperationException error) {
            throw new IllegalStateException(error);
        }
    }

    private static Object reason(Object error) throws ReflectiveOperationException {
        return error.getClass().getMethod("getCheckpointFailureReason").invoke(error);
    }

    @Override
    @SuppressWarnings("rawtypes")
    public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader loader) {
        return inner.getStreamOperatorClass(loader);
    }
}
