package conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.reflect.Field;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.CheckpointType;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.checkpoint.AbstractCheckpointStats;
import org.apache.flink.runtime.checkpoint.CheckpointException;
import org.apache.flink.runtime.checkpoint.CheckpointFailureReason;
import org.apache.flink.runtime.checkpoint.FailedCheckpointStats;
import org.apache.flink.runtime.execution.ExecutionState;
import org.apache.flink.runtime.executiongraph.AccessExecutionGraph;
import org.apache.flink.runtime.executiongraph.AccessExecutionVertex;
import org.apache.flink.runtime.highavailability.nonha.embedded.HaLeadershipControl;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.runtime.util.EnvironmentInformation;

/** One scenario on a MiniCluster of its own, to its end, and what is to be told of it. */
final class Run implements Director.Cluster, AutoCloseable {
    static final ObjectMapper JSON = new ObjectMapper();
    /** How long a run may take, and how long nothing may happen before a round is given up. */
    private static final long MOST_MS = 90_000;
    private static final long ROUND_MS = 400;
    private static final long STILL_MS = 400;
    private static final long ROUND_PAUSE_MS = 20;
    private static final long SENT_MS = 20;
    private static final long HEARD_MS = 1000;

    private final JsonNode scenario;
    private final Broker broker;
    private final String prefix;
    private final Director director;
    private final MiniCluster cluster;
    private final Path storage;
    private final JobID job;
    private final boolean available;
    /** Every checkpoint as it was last seen; a new leader begins its statistics anew. */
    private final TreeMap<Long, AbstractCheckpointStats> told = new TreeMap<>();
    private final List<CompletableFuture<?>> triggers = new ArrayList<>();
    private JobStatus status = JobStatus.INITIALIZING;
    private AccessExecutionGraph graph;

    Run(JsonNode scenario, Broker broker, Path storage) throws Exception {
        this.scenario = scenario;
        this.broker = broker;
        this.storage = storage;
        prefix = scenario.path("id").asText() + ".";
        available = scenario.path("config").has("high-availability.type");
        for (JsonNode vertex : scenario.path("job").path("vertices"))
            if (vertex.path("type").asText().equals("kafka-sink")) {
                String topic = vertex.path("topic").asText();
                broker.create(prefix + topic, Scenarios.partitions(scenario.path("topics").path(topic)));
            }
        director = new Director(scenario, this);
        Configuration configuration = configuration();
        int managers = scenario.path("cluster").path("taskManagers").asInt(1);
        int slots = scenario.path("cluster").path("slots").asInt(needed());
        MiniClusterConfiguration all = new MiniClusterConfiguration.Builder()
                .setConfiguration(configuration).setNumTaskManagers(managers).setNumSlotsPerTaskManager(slots).build();
        cluster = available ? new HighAvailability(all) : new MiniCluster(all);
        JobGraph jobGraph = Jobs.graph(scenario, configuration, broker.address, prefix);
        cluster.start();
        job = cluster.submitJob(jobGraph).get().getJobID();
    }

    private Configuration configuration() {
        Map<String, String> all = new HashMap<>();
        scenario.path("config").fields().forEachRemaining(each -> all.put(each.getKey(), each.getValue().asText()));
        all.remove("high-availability.type");
        all.put("classloader.check-leaked-classloader", "false");
        // Flink draws its first delay from the interval: none is to come in a run that triggers by hand. Since 2.3 the pause
        // is the delay of a scheduler that is started again, and it is at every start of a job.
        String interval = "execution.checkpointing.interval";
        boolean byHand = Scenarios.millis(all.getOrDefault(interval, "1 s")) >= 600_000;
        if (byHand) all.put(interval, "100 d");
        if (byHand && EnvironmentInformation.getVersion().compareTo("2.3") >= 0) all.put("execution.checkpointing.min-pause", "100 d");
        all.put("execution.checkpointing.dir", GatedFileSystem.ROOT + storage.toString().substring(1));
        all.put("rest.bind-port", "0");
        all.put("rest.bind-address", "127.0.0.1");
        all.put("rest.address", "127.0.0.1");
        all.put("cluster.evenly-spread-out-slots", "true");
        all.put("taskmanager.load-balance.mode", "SLOTS");
        all.put("taskmanager.memory.network.max", "64mb");
        all.put("taskmanager.memory.managed.size", "32mb");
        all.put("execution.checkpointing.savepoint-dir", storage.resolve("savepoints").toUri().toString());
        return Configuration.fromMap(all);
    }

    private int needed() {
        Map<String, Integer> groups = new HashMap<>();
        for (JsonNode each : scenario.path("job").path("vertices"))
            groups.merge(each.path("slotSharingGroup").asText("default"), each.path("parallelism").asInt(1), Math::max);
        return groups.values().stream().mapToInt(each -> each).sum();
    }

    @Override
    public void trigger() {
        CompletableFuture<Long> done = cluster.triggerCheckpoint(job, CheckpointType.CONFIGURED);
        triggers.add(done);
        done.whenComplete((checkpoint, error) -> {
            if (error != null) director.event("TriggerAnswered", null, "answer", refusal(error));
        });
    }

    @Override
    public void act(String verb, JsonNode fault) {
        String target = fault.path("target").asText();
        switch (verb) {
            case "kill-taskmanager", "restart-taskmanager" -> {
                int manager = managerOf(target);
                later(() -> {
                    cluster.terminateTaskManager(manager).get();
                    if (verb.startsWith("restart")) cluster.startTaskManager();
                });
            }
            case "trigger-savepoint" -> operation(verb, cluster.triggerSavepoint(job, directory(fault), false, SavepointFormatType.CANONICAL));
            case "stop-with-savepoint" -> operation(verb, cluster.stopWithSavepoint(job, directory(fault), fault.path("drain").asBoolean(false), SavepointFormatType.CANONICAL));
            case "cancel" -> cluster.cancelJob(job);
            case "kill-jobmanager" -> {
                director.deposed = true;
                HaLeadershipControl leadership = cluster.getHaLeadershipControl().orElseThrow();
                later(() -> {
                    leadership.revokeJobMasterLeadership(job).get();
                    director.event("LeadershipLost", null);
                    director.awaitDeposed();
                    Thread.sleep(Scenarios.millis(fault.path("for").asText("1 s")));
                    director.deposed = false;
                    leadership.grantJobMasterLeadership(job).get();
                    director.event("LeadershipGranted", null);
                });
            }
            case "expire-transaction" -> later(() -> director.event("TransactionExpired", null, "transaction", broker.expireOldest(prefix)));
            default -> throw new IllegalArgumentException("no such fault here: " + verb);
        }
    }

    private String directory(JsonNode fault) {
        return GatedFileSystem.ROOT + storage.resolve(fault.path("path").asText("savepoints")).toString().substring(1);
    }

    private void operation(String verb, CompletableFuture<String> done) {
        done.whenComplete((path, error) -> {
            String answer = error == null ? "done" : root(error);
            director.event("OperationAnswered", null, "do", verb, "answer", answer);
        });
    }

    /** Why a checkpoint that was asked for did not come to be. */
    private static String refusal(Throwable error) {
        for (Throwable cause = error; cause != null; cause = cause.getCause())
            if (cause instanceof CheckpointException refused) return refused.getCheckpointFailureReason().name();
        return root(error);
    }

    private static String root(Throwable error) {
        Throwable cause = error;
        while (cause.getCause() != null) cause = cause.getCause();
        return cause.getClass().getSimpleName() + ": " + String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
    }

    private interface Work {
        void run() throws Exception;
    }

    private static void later(Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (Exception error) {
                error.printStackTrace();
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    /** The TaskManager that has the first subtask which the contract's placement (round-robin) puts on `tm-n`. */
    private int managerOf(String name) {
        int wanted = Integer.parseInt(name.substring(3)) - 1;
        int managers = scenario.path("cluster").path("taskManagers").asInt(1);
        List<String> groups = new ArrayList<>();
        Map<String, Integer> wide = new HashMap<>();
        for (JsonNode each : scenario.path("job").path("vertices")) {
            String group = each.path("slotSharingGroup").asText("default");
            if (!groups.contains(group)) groups.add(group);
            wide.merge(group, each.path("parallelism").asInt(1), Math::max);
        }
        int slot = 0;
        String subtask = null;
        for (String group : groups)
            for (int i = 0; i < wide.get(group); i++, slot++)
                if (slot % managers == wanted && subtask == null)
                    for (JsonNode each : scenario.path("job").path("vertices"))
                        if (each.path("slotSharingGroup").asText("default").equals(group) && i < each.path("parallelism").asInt(1))
                            subtask = each.path("uid").asText() + "[" + i + "]";
        String id = "";
        for (var each : deployment().entrySet()) if (each.getValue().contains(subtask)) id = each.getKey();
        director.event("TaskManagerStopped", null, "taskManager", name, "subtasks", deployment().getOrDefault(id, List.of()));
        for (AccessExecutionVertex each : graph.getAllExecutionVertices())
            if (each.getCurrentAssignedResourceLocation() != null && id.equals(each.getCurrentAssignedResourceLocation().getResourceID().toString()))
                director.killed.add(name(each) + " " + each.getCurrentExecutionAttempt().getAttemptNumber());
        try {
            Field field = MiniCluster.class.getDeclaredField("taskManagers");
            field.setAccessible(true);
            List<?> all = (List<?>) field.get(cluster);
            for (int i = 0; i < all.size(); i++) {
                Object resource = all.get(i).getClass().getMethod("getResourceID").invoke(all.get(i));
                if (String.valueOf(resource).contains(id) || id.contains(String.valueOf(resource))) return i;
            }
        } catch (ReflectiveOperationException error) {
            throw new IllegalStateException(error);
        }
        throw new IllegalStateException("no TaskManager " + name);
    }

    private TreeMap<String, List<String>> deployment() {
        TreeMap<String, List<String>> found = new TreeMap<>();
        for (AccessExecutionVertex each : graph.getAllExecutionVertices())
            if (each.getCurrentAssignedResourceLocation() != null)
                found.computeIfAbsent(each.getCurrentAssignedResourceLocation().getResourceID().toString(), id -> new ArrayList<>()).add(name(each));
        return found;
    }

    /** A chained subtask under its head's uid. */
    private static String name(AccessExecutionVertex vertex) {
        String task = vertex.getTaskNameWithSubtaskIndex().replaceFirst("^Source: ", "");
        return task.replaceFirst("(: | ->| \\().*$", "") + "[" + vertex.getParallelSubtaskIndex() + "]";
    }

    /** Looks at the JobManager: checkpoints that ended since, status, attempts. Between two leaders there is nothing to see. */
    private void look() throws Exception {
        if (director.deposed) {
            status = JobStatus.INITIALIZING;
            // Nobody answers what the old leader was asked.
            triggers.clear();
            return;
        }
        try {
            graph = cluster.getExecutionGraph(job).get(5, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException gone) {
            if (!available) throw gone;
            return;
        }
        if (status != graph.getState()) director.event("JobStatusChanged", null, "from", status.name(), "to", graph.getState().name());
        status = graph.getState();
        if (graph.getCheckpointStatsSnapshot() == null) return;
        List<AbstractCheckpointStats> history = new ArrayList<>(graph.getCheckpointStatsSnapshot().getHistory().getCheckpoints());
        history.sort((a, b) -> Long.compare(a.getCheckpointId(), b.getCheckpointId()));
        for (AbstractCheckpointStats each : history) {
            AbstractCheckpointStats before = told.put(each.getCheckpointId(), each);
            if (before != null && before.getStatus() == each.getStatus()) continue;
            String type = switch (each.getStatus()) {
                case IN_PROGRESS -> "CheckpointTriggered";
                case COMPLETED -> "CheckpointCompleted";
                case FAILED -> "CheckpointAborted";
            };
            // Where leaders can be lost the store itself tells it.
            if (available && type.equals("CheckpointCompleted")) continue;
            if (each instanceof FailedCheckpointStats failed) director.event(type, null, "checkpoint", each.getCheckpointId(), "reason", reason(failed.getFailureMessage()));
            else director.event(type, null, "checkpoint", each.getCheckpointId());
        }
    }

    /** Flink's name of a failure that is told by its message, alone or behind what could not be done. */
    static String reason(String message) {
        return Arrays.stream(CheckpointFailureReason.values())
                .filter(each -> message.equals(each.message()) || message.endsWith("Failure reason: " + each.message()))
                .findFirst().map(Enum::name).orElse(message);
    }

    private boolean running() {
        if (status != JobStatus.RUNNING) return false;
        for (AccessExecutionVertex each : graph.getAllExecutionVertices())
            if (each.getExecutionState() != ExecutionState.RUNNING && each.getExecutionState() != ExecutionState.FINISHED) return false;
        return true;
    }

    /** Rounds until the scenario's end: in each, every partition gives one record; what waited for it acts; time passes. */
    void run() throws Exception {
        long begun = System.currentTimeMillis();
        long until = scenario.path("until").has("time") ? Scenarios.millis(scenario.path("until").path("time").asText()) : Long.MAX_VALUE;
        long every = MOST_MS;
        for (JsonNode topic : scenario.path("topics")) if (topic.has("every")) every = Math.min(every, Scenarios.millis(topic.path("every").asText()));
        int idle = 0;
        long start = -1;
        while (System.currentTimeMillis() - begun < MOST_MS) {
            look();
            if (status.isGloballyTerminalState()) break;
            if (!running()) {
                director.underWay.set(0);
                Thread.sleep(20);
                continue;
            }
            // What has failed has to be heard of before records go on.
            if (System.currentTimeMillis() - director.failedAt < HEARD_MS) {
                Thread.sleep(20);
                continue;
            }
            if (start < 0) start = System.currentTimeMillis();
            long time = System.currentTimeMillis() - start;
            if (time >= until) break;
            director.rounds++;
            director.readers.values().forEach(GateSource.Reader::wake);
            long patience = System.currentTimeMillis() + ROUND_MS;
            while (System.currentTimeMillis() < patience && director.readers.values().stream().anyMatch(GateSource.Reader::owes)) Thread.sleep(2);
            while (director.underWay.get() > 0 && !director.quietFor(STILL_MS)) Thread.sleep(2);
            Thread.sleep(SENT_MS);
            director.written();
            director.between(time);
            awaitTriggers();
            Thread.sleep(Math.min(every, ROUND_PAUSE_MS));
            boolean exhausted = (bounded() || !director.readers.isEmpty()) && director.readers.values().stream().allMatch(GateSource.Reader::exhausted);
            boolean quiet = director.quietFor(600) && triggersDone();
            if (until == Long.MAX_VALUE && exhausted && quiet && running() && !pendingByTime()) {
                if (idle < 3 && undecidedStill()) {
                    idle++;
                    trigger();
                    awaitTriggers();
                } else if (!bounded() && director.quietFor(900)) break;
            }
        }
        look();
    }

    private boolean bounded() {
        for (JsonNode each : scenario.path("job").path("vertices"))
            if (each.path("type").asText().equals("kafka-source") && !each.path("bounded").asBoolean(false)) return false;
        return true;
    }

    private boolean triggersDone() {
        triggers.removeIf(CompletableFuture::isDone);
        return triggers.isEmpty();
    }

    private boolean pendingByTime() {
        return director.waiting().stream().anyMatch(each -> each.path("at").has("time"));
    }

    /** Until each checkpoint that was asked for has ended, or stands still. */
    private void awaitTriggers() throws Exception {
        long patience = System.currentTimeMillis() + 10_000;
        do {
            Thread.sleep(15);
            look();
        } while (!triggersDone() && !(director.goesOn() && director.quietFor(STILL_MS)) && System.currentTimeMillis() < patience);
    }

    /** A transaction that only another checkpoint can decide: a commit under way would have been done. */
    private boolean undecidedStill() throws Exception {
        if (!undecided()) return false;
        Thread.sleep(1000);
        return undecided();
    }

    private boolean undecided() throws Exception {
        for (JsonNode vertex : scenario.path("job").path("vertices"))
            if (vertex.path("type").asText().equals("kafka-sink")) {
                String topic = vertex.path("topic").asText();
                for (Broker.Transaction each : broker.transactions(prefix + topic, Scenarios.partitions(scenario.path("topics").path(topic)), prefix))
                    if (each.fate.equals("OPEN")) return true;
            }
        return false;
    }

    /** The recording. */
    ObjectNode told(String version) throws Exception {
        ObjectNode all = JSON.createObjectNode();
        all.put("scenario", scenario.path("id").asText());
        all.put("flink", version);
        all.put("status", status.name());
        ArrayNode checkpoints = all.putArray("checkpoints");
        long start = told.isEmpty() ? 0 : told.firstEntry().getValue().getTriggerTimestamp();
        for (AbstractCheckpointStats each : told.values()) {
            ObjectNode row = checkpoints.addObject();
            row.put("id", each.getCheckpointId());
            row.put("kind", each.getProperties().isSavepoint() ? (each.getProperties().isSynchronous() ? "SYNC_SAVEPOINT" : "SAVEPOINT") : "CHECKPOINT");
            row.put("status", each.getStatus().name());
            row.put("failure", each instanceof FailedCheckpointStats failed ? reason(failed.getFailureMessage()) : null);
            row.put("persistedInFlight", each.getPersistedData() > 0);
            row.put("unaligned", each.isUnalignedCheckpoint());
            row.put("triggered", each.getTriggerTimestamp() - start);
            row.put("ended", each.getStatus().isInProgress() ? null : each.getTriggerTimestamp() - start + each.getEndToEndDuration());
        }
        ObjectNode attempts = all.putObject("attempts");
        for (AccessExecutionVertex each : graph.getAllExecutionVertices()) attempts.put(name(each), each.getCurrentExecutionAttempt().getAttemptNumber());
        all.set("deployment", JSON.valueToTree(deployment().values()));
        all.set("neverFired", JSON.valueToTree(director.waiting()));
        ArrayNode sinks = all.putArray("sinks");
        for (JsonNode vertex : scenario.path("job").path("vertices"))
            if (vertex.path("type").asText().equals("kafka-sink")) {
                String topic = vertex.path("topic").asText();
                int partitions = Scenarios.partitions(scenario.path("topics").path(topic));
                ObjectNode sink = sinks.addObject();
                sink.put("sink", vertex.path("uid").asText());
                sink.set("committed", JSON.valueToTree(broker.read(prefix + topic, partitions, true)));
                sink.set("uncommitted", JSON.valueToTree(broker.read(prefix + topic, partitions, false)));
                sink.set("transactions", JSON.valueToTree(broker.transactions(prefix + topic, partitions, prefix)));
            }
        all.set("states", JSON.valueToTree(new TreeMap<>(director.states)));
        synchronized (director.log) {
            all.set("events", JSON.valueToTree(director.log));
        }
        all.set("rest", rest());
        return all;
    }

    private ObjectNode rest() throws Exception {
        ObjectNode replies = JSON.createObjectNode();
        HttpClient client = HttpClient.newHttpClient();
        URI root = cluster.getRestAddress().get();
        List<String> paths = new ArrayList<>(List.of("", "/config", "/checkpoints", "/checkpoints/config", "/exceptions?maxExceptions=20"));
        told.keySet().forEach(id -> paths.add("/checkpoints/details/" + id));
        for (String path : paths) {
            HttpRequest request = HttpRequest.newBuilder(root.resolve("/jobs/" + job + path)).build();
            String body = client.send(request, HttpResponse.BodyHandlers.ofString()).body();
            JsonNode reply = JSON.readTree(body.replace(storage.getParent().toString(), ""));
            shorten(reply);
            replies.set("/jobs/:jobid" + path, reply);
        }
        return replies;
    }

    /** Stack traces keep their first line; the plan is left out. */
    private static void shorten(JsonNode node) {
        if (node instanceof ObjectNode object) {
            object.remove("plan");
            List<String> names = new ArrayList<>();
            object.fieldNames().forEachRemaining(names::add);
            for (String name : names)
                if (object.get(name).isTextual() && object.get(name).asText().contains("\n\tat "))
                    object.put(name, String.join("\n", object.get(name).asText().lines().filter(line -> !line.startsWith("\t")).toList()));
        }
        node.forEach(Run::shorten);
    }

    @Override
    public void close() throws Exception {
        cluster.closeAsync().get(30, TimeUnit.SECONDS);
    }
}
