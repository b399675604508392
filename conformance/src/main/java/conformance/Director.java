package conformance;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.api.java.tuple.Tuple3;
import org.apache.flink.runtime.execution.Environment;

/**
 * Logical time of one run. Everything that happens is told to it, in the thread where it happens; a fault of the scenario
 * acts when what it waits for is told. One run at a time: operators find it through `now`.
 */
final class Director {
    static volatile Director now;
    /** Within so long a message that was sent to several tasks has come to the others. */
    private static final long ELSEWHERE_MS = 500;

    /** What an operator's asynchronous part does before its own work. */
    interface Asynchronous {
        void run() throws Exception;
    }

    /** What faults need of the cluster. */
    interface Cluster {
        void trigger();

        void act(String verb, JsonNode fault);
    }

    final Map<String, GateSource.Reader> readers = new ConcurrentHashMap<>();
    final Map<String, List<String>> states = new ConcurrentHashMap<>();
    final Map<String, Environment> environments = new ConcurrentHashMap<>();
    final Map<String, MailboxExecutor> mailboxes = new ConcurrentHashMap<>();
    final Map<String, Long> snapshots = new ConcurrentHashMap<>();
    final List<Map<String, Object>> log = Collections.synchronizedList(new ArrayList<>());
    private final Map<String, List<List<Tuple3<String, String, Long>>>> topics = new LinkedHashMap<>();
    private final List<Rule> rules = new ArrayList<>();
    private final List<Loss> losses = new ArrayList<>();
    private final List<JsonNode> failing = Collections.synchronizedList(new ArrayList<>());
    private final List<JsonNode> deferred = Collections.synchronizedList(new ArrayList<>());
    private final List<CommitError> commitErrors = Collections.synchronizedList(new ArrayList<>());
    /** Operators that have been made and not been closed, by subtask, part and attempt. */
    final Set<String> live = ConcurrentHashMap.newKeySet();
    private final Map<String, CountDownLatch> stalls = new ConcurrentHashMap<>();
    private final JsonNode overrides;
    private final Cluster cluster;
    private final List<Map<String, Object>> arrived = Collections.synchronizedList(new ArrayList<>());
    /** Attempts of tasks whose process is gone (head, attempt): nothing of theirs is closed. */
    final Set<String> killed = ConcurrentHashMap.newKeySet();
    private final boolean concurrent;
    /** When a fault was set off that ends tasks. */
    volatile long failedAt;
    volatile boolean storageDown;
    volatile boolean storeDown;
    volatile boolean deposed;
    volatile Runnable failJob;
    /** Rounds that have begun. */
    volatile int rounds;
    volatile long last;
    /** Records that sources have emitted and sinks have not got yet; -1 or less where a record has several ways. */
    final AtomicInteger underWay = new AtomicInteger();

    private static final class Rule {
        final JsonNode fault;
        int left;

        Rule(JsonNode fault) {
            this.fault = fault;
            left = fault.path("at").path("nth").asInt(1);
        }
    }

    /** A fault that loses messages, and how many it has lost; both halves of a sink get the same ones. */
    private static final class Loss {
        final JsonNode fault;
        final Map<String, Integer> lost = new ConcurrentHashMap<>();

        Loss(JsonNode fault) {
            this.fault = fault;
        }
    }

    /** A fault that makes commits fail, and how many more. */
    private static final class CommitError {
        final JsonNode fault;
        int left;

        CommitError(JsonNode fault) {
            this.fault = fault;
            left = fault.path("count").asInt(1);
        }
    }

    Director(JsonNode scenario, Cluster cluster) {
        this.cluster = cluster;
        overrides = scenario.path("timing").path("overrides");
        concurrent = scenario.path("config").path("execution.checkpointing.max-concurrent-checkpoints").asInt(1) > 1;
        scenario.path("topics").fields().forEachRemaining(each -> topics.put(each.getKey(), Scenarios.records(each.getKey(), each.getValue())));
        scenario.path("faults").forEach(fault -> rules.add(new Rule(fault)));
        now = this;
    }

    List<List<Tuple3<String, String, Long>>> topic(String name) {
        return topics.get(name);
    }

    /** Faults that wait for an event and have not acted. */
    synchronized List<JsonNode> waiting() {
        return rules.stream().filter(rule -> rule.left > 0).map(rule -> rule.fault).toList();
    }

    /** Whether records go on while a checkpoint stands: something that holds it is let go by one of them, or another may run beside it. */
    boolean goesOn() {
        return concurrent || waiting().stream().anyMatch(each -> each.path("do").asText().equals("resume") && each.path("at").path("after").asText().startsWith("Record"));
    }

    void register(String subtask, Environment environment, MailboxExecutor mailbox) {
        environments.put(subtask, environment);
        mailboxes.put(subtask, mailbox);
    }

    boolean isKilled(Environment environment) {
        return killed.contains(head(environment) + " " + environment.getTaskInfo().getAttemptNumber());
    }

    String head(Environment environment) {
        String name = environment.getTaskInfo().getTaskName().replaceFirst("^Source: ", "").replaceFirst("(: | ->).*$", "");
        return name + "[" + environment.getTaskInfo().getIndexOfThisSubtask() + "]";
    }

    void event(String type, String subtask, Object... fields) {
        Map<String, Object> entry = entry(type, subtask, fields);
        last = System.nanoTime();
        log.add(entry);
        if (type.equals("RecordEmitted")) underWay.incrementAndGet();
        for (JsonNode fault : matching("after", entry))
            if (type.equals("RecordEmitted")) deferred.add(fault);
            else act(fault);
    }

    /** A sink's writer has handed a record to its producer. */
    void arrived(String subtask, Object record) {
        last = System.nanoTime();
        arrived.add(entry("RecordWritten", subtask, "record", ((Tuple3<?, ?, ?>) record).f0));
        underWay.decrementAndGet();
    }

    /** At the end of a round, when producers have had time to send them: the records that have come to sinks are written. */
    void written() {
        List<Map<String, Object>> all;
        synchronized (arrived) {
            all = new ArrayList<>(arrived);
            arrived.clear();
        }
        for (Map<String, Object> each : all) event("RecordWritten", (String) each.get("subtask"), "record", each.get("record"));
    }

    boolean quietFor(long millis) {
        return System.nanoTime() - last > millis * 1_000_000;
    }

    /** A fault that is set before an event of its own target throws in the thread that would make it. */
    void before(String type, String subtask, Object... fields) throws Exception {
        boolean thrown = false;
        for (JsonNode fault : matching("before", entry(type, subtask, fields))) {
            if (fault.path("do").asText().equals("fail-task") && fault.path("target").asText().equals(subtask)) {
                told(fault);
                thrown = true;
            } else act(fault);
        }
        // The same message is on its way to other tasks: here it takes longer than there.
        if (thrown && type.equals("NotificationDelivered")) Thread.sleep(ELSEWHERE_MS);
        if (thrown) throw new InjectedFailure("before " + type + " at " + subtask);
    }

    private static Map<String, Object> entry(String type, String subtask, Object... fields) {
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("type", type);
        if (subtask != null) entry.put("subtask", subtask);
        for (int i = 0; i < fields.length; i += 2) if (!"".equals(fields[i + 1])) entry.put((String) fields[i], fields[i + 1]);
        return entry;
    }

    private synchronized List<JsonNode> matching(String when, Map<String, Object> entry) {
        if ("writer".equals(entry.get("part"))) return List.of();
        List<JsonNode> found = new ArrayList<>();
        for (Rule rule : rules) {
            JsonNode at = rule.fault.path("at");
            if (rule.left == 0 || !at.path(when).asText().equals(entry.get("type"))) continue;
            boolean fits = true;
            for (var it = at.fields(); it.hasNext(); ) {
                var field = it.next();
                if (field.getKey().equals(when) || field.getKey().equals("nth")) continue;
                fits &= field.getValue().asText().equals(String.valueOf(entry.get(field.getKey())));
            }
            if (fits && --rule.left == 0) found.add(rule.fault);
        }
        return found;
    }

    /** Faults with a time, and those that waited for all sources to have emitted, act between two rounds. */
    void between(long time) {
        List<JsonNode> due = new ArrayList<>();
        synchronized (deferred) {
            due.addAll(deferred);
            deferred.clear();
        }
        synchronized (this) {
            for (Rule rule : rules)
                if (rule.left > 0 && rule.fault.path("at").has("time") && Scenarios.millis(rule.fault.path("at").path("time").asText()) <= time) {
                    rule.left = 0;
                    due.add(rule.fault);
                }
        }
        due.forEach(this::act);
    }

    private void told(JsonNode fault) {
        if (fault.path("do").asText().matches("fail-.*|(kill|restart)-taskmanager")) failedAt = System.currentTimeMillis();
        log.add(entry("FaultInjected", null, "do", fault.path("do").asText(), "target", fault.path("target").asText("")));
    }

    private void act(JsonNode fault) {
        told(fault);
        String target = fault.path("target").asText();
        switch (fault.path("do").asText()) {
            case "trigger-checkpoint" -> cluster.trigger();
            case "fail-task" -> fail(target);
            case "fail-vertex" -> environments.keySet().stream().filter(each -> each.startsWith(target + "[")).forEach(this::fail);
            case "lose-rpc" -> {
                synchronized (losses) {
                    losses.add(new Loss(fault));
                }
            }
            case "commit-error" -> commitErrors.add(new CommitError(fault));
            case "snapshot-failure" -> failing.add(fault);
            case "storage-down" -> {
                down(fault.path("what").asText("checkpoints"), true);
                if (fault.has("for")) later(fault, () -> down(fault.path("what").asText("checkpoints"), false));
            }
            case "storage-up" -> down(fault.path("what").asText("all"), false);
            case "fail-job" -> failJob.run();
            case "stall" -> stall(target, fault);
            // The same message is on its way to other tasks: here it takes longer than there.
            case "resume" -> after(fault.path("at").path("after").asText().equals("NotificationDelivered") ? ELSEWHERE_MS : 0, () -> resume(target));
            default -> cluster.act(fault.path("do").asText(), fault);
        }
    }

    private void down(String what, boolean is) {
        if (!what.equals("ha")) storageDown = is;
        if (!what.equals("checkpoints")) storeDown = is;
    }

    private static void later(JsonNode fault, Runnable what) {
        after(Scenarios.millis(fault.path("for").asText()), what);
    }

    private static void after(long millis, Runnable what) {
        Thread thread = new Thread(() -> {
            try {
                Thread.sleep(millis);
                what.run();
            } catch (InterruptedException gone) {
                Thread.currentThread().interrupt();
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private void fail(String subtask) {
        GateSource.Reader reader = readers.get(subtask);
        if (reader != null) {
            reader.failure = new InjectedFailure(subtask);
            reader.wake();
            return;
        }
        Environment environment = environments.get(subtask);
        Thread thread = new Thread(() -> environment.failExternally(new InjectedFailure(subtask)));
        thread.setDaemon(true);
        thread.start();
    }

    private void resume(String subtask) {
        GateSource.Reader reader = readers.get(subtask);
        if (reader != null) reader.stalled = false;
        CountDownLatch latch = stalls.remove(subtask);
        if (latch != null) latch.countDown();
    }

    private void stall(String subtask, JsonNode fault) {
        if (fault.has("for")) later(fault, () -> resume(subtask));
        GateSource.Reader reader = readers.get(subtask);
        if (reader != null) {
            reader.stalled = true;
            reader.wake();
            return;
        }
        CountDownLatch latch = new CountDownLatch(1);
        stalls.put(subtask, latch);
        mailboxes.get(subtask).execute(() -> standStill(latch), "stalled");
    }

    /** Until it is let go; a task that stands still does not hear that it is canceled either. */
    private static void standStill(CountDownLatch latch) {
        boolean interrupted = false;
        while (true)
            try {
                latch.await();
                break;
            } catch (InterruptedException canceled) {
                interrupted = true;
            }
        if (interrupted) Thread.currentThread().interrupt();
    }

    void failSnapshot(String subtask, String part, long checkpoint) throws Exception {
        if (takeFailure(subtask, part, checkpoint)) throw new InjectedFailure(part + " part of checkpoint " + checkpoint + " at " + subtask);
    }

    private boolean takeFailure(String subtask, String part, long checkpoint) {
        synchronized (failing) {
            return failing.removeIf(each -> each.path("target").asText().equals(subtask) && each.path("part").asText().equals(part) && each.path("checkpoint").asLong(checkpoint) == checkpoint);
        }
    }

    Asynchronous asynchronous(String subtask, long checkpoint) {
        boolean fails = takeFailure(subtask, "async", checkpoint);
        long wait = 0;
        for (JsonNode each : overrides)
            if (subtask.equals(each.path("vertex").asText() + "[" + each.path("index").asInt(0) + "]")
                    && each.path("checkpoint").asLong(checkpoint) == checkpoint && each.has("snapshot.async"))
                wait = Scenarios.millis(each.path("snapshot.async").asText());
        if (!fails && wait == 0) return null;
        long pause = wait;
        return () -> {
            Thread.sleep(pause);
            if (fails) throw new InjectedFailure("async part of checkpoint " + checkpoint + " at " + subtask);
        };
    }

    void snapshot(String subtask, long checkpoint) {
        snapshots.put(subtask, checkpoint);
        event("SnapshotTaken", subtask, "checkpoint", checkpoint);
    }

    boolean loses(String subtask, String part, String rpc, long checkpoint) {
        synchronized (losses) {
            for (Loss each : losses) {
                boolean fits = each.fault.path("rpc").asText().equals(rpc) && each.fault.path("target").asText(subtask).equals(subtask)
                        && each.fault.path("checkpoint").asLong(checkpoint) == checkpoint;
                if (fits && each.lost.merge(part, 1, Integer::sum) <= each.fault.path("count").asInt(1)) {
                    event("MessageLost", subtask, "part", part, "rpc", rpc, "checkpoint", checkpoint);
                    return true;
                }
            }
            return false;
        }
    }

    /** Which error this try to commit a transaction is to end with; empty: none. */
    String commitError(String subtask) {
        synchronized (commitErrors) {
            for (CommitError each : commitErrors)
                if (each.left > 0 && each.fault.path("target").asText().equals(subtask)) {
                    each.left--;
                    return each.fault.path("kind").asText();
                }
            return "";
        }
    }

    /** Where the JobManager that asks has been deposed: waits until its tasks are gone, and says so. */
    boolean awaitDeposed() throws InterruptedException {
        if (!deposed) return false;
        for (int i = 0; i < 1000 && !(live.isEmpty() && readers.isEmpty()); i++) Thread.sleep(10);
        return true;
    }

    static final class InjectedFailure extends Exception {
        InjectedFailure(String what) {
            super("injected: " + what);
        }
    }
}
