package conformance;

import java.io.File;
import java.io.PrintStream;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.record.ControlRecordType;
import org.apache.kafka.common.record.FileRecords;
import org.apache.kafka.common.record.Record;
import org.apache.kafka.common.record.RecordBatch;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.Utils;

/** One Kafka broker (KRaft, combined roles) in this process. Fates of transactions are read from its log segments. */
final class Broker implements AutoCloseable {
    private final Path directory;
    private final KafkaRaftServer server;
    final String address;
    final Admin admin;

    Broker(Path directory) throws Exception {
        this.directory = directory;
        int port = freePort();
        int controller = freePort();
        address = "127.0.0.1:" + port;
        Properties p = new Properties();
        p.setProperty("process.roles", "broker,controller");
        p.setProperty("node.id", "1");
        p.setProperty("controller.quorum.voters", "1@127.0.0.1:" + controller);
        p.setProperty("listeners", "PLAINTEXT://127.0.0.1:" + port + ",CONTROLLER://127.0.0.1:" + controller);
        p.setProperty("advertised.listeners", "PLAINTEXT://" + address);
        p.setProperty("controller.listener.names", "CONTROLLER");
        p.setProperty("listener.security.protocol.map", "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT");
        p.setProperty("log.dirs", directory.resolve("logs").toString());
        p.setProperty("offsets.topic.replication.factor", "1");
        p.setProperty("offsets.topic.num.partitions", "1");
        p.setProperty("transaction.state.log.replication.factor", "1");
        p.setProperty("transaction.state.log.min.isr", "1");
        p.setProperty("transaction.state.log.num.partitions", "1");
        p.setProperty("group.initial.rebalance.delay.ms", "0");
        p.setProperty("transaction.max.timeout.ms", "3600000");
        p.setProperty("transaction.abort.timed.out.transaction.cleanup.interval.ms", "200");
        Path file = directory.resolve("server.properties");
        Files.createDirectories(directory);
        try (var out = Files.newBufferedWriter(file)) {
            p.store(out, null);
        }
        PrintStream quiet = new PrintStream(PrintStream.nullOutputStream(), true, StandardCharsets.UTF_8);
        int status =
                kafka.tools.StorageTool.execute(
                        new String[] {"format", "-c", file.toString(), "-t", "AAAAAAAAAAAAAAAAAAAAAQ"}, quiet);
        if (status != 0) throw new IllegalStateException("kafka storage format: " + status);
        server = new KafkaRaftServer(KafkaConfig.fromProps(p), Time.SYSTEM);
        server.startup();
        admin = Admin.create(Map.of("bootstrap.servers", address));
        admin.describeCluster().nodes().get();
    }

    private static int freePort() throws Exception {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    void create(String topic, int partitions) throws Exception {
        admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1))).all().get();
    }

    /** What a reader sees of a topic: record ids, partition by partition. */
    List<String> read(String topic, int partitions, boolean committed) throws Exception {
        Properties p = new Properties();
        p.setProperty("bootstrap.servers", address);
        p.setProperty("isolation.level", committed ? "read_committed" : "read_uncommitted");
        p.setProperty("auto.offset.reset", "earliest");
        List<String> seen = new ArrayList<>();
        try (var consumer = new KafkaConsumer<>(p, new StringDeserializer(), new StringDeserializer())) {
            List<TopicPartition> all = new ArrayList<>();
            for (int i = 0; i < partitions; i++) all.add(new TopicPartition(topic, i));
            consumer.assign(all);
            consumer.seekToBeginning(all);
            // For a committed reader the end is the last stable offset.
            Map<TopicPartition, Long> ends = consumer.endOffsets(all);
            while (all.stream().anyMatch(each -> consumer.position(each) < ends.get(each)))
                for (ConsumerRecord<String, String> each : consumer.poll(Duration.ofMillis(100))) seen.add(each.value());
        }
        return seen;
    }

    /** One transaction as the log of the output topic tells it. */
    static final class Transaction {
        public String id;
        public String fate = "OPEN";
        /** Its marker has a newer epoch than its records: it was not ended by the producer that wrote it. */
        public boolean fenced;
        private short epoch;
        public List<String> records = new ArrayList<>();
    }

    /** Transactions with this prefix that wrote records, in the order of their first record. */
    List<Transaction> transactions(String topic, int partitions, String prefix) throws Exception {
        Map<Long, String> ids = new HashMap<>();
        List<String> names = new ArrayList<>();
        for (TransactionListing each : admin.listTransactions().all().get())
            if (each.transactionalId().startsWith(prefix)) names.add(each.transactionalId());
        Map<String, TransactionDescription> told = admin.describeTransactions(names).all().get();
        told.forEach((name, description) -> ids.put(description.producerId(), name.substring(prefix.length())));
        List<Transaction> result = new ArrayList<>();
        for (int partition = 0; partition < partitions; partition++) {
            Map<Long, Transaction> open = new LinkedHashMap<>();
            File folder = directory.resolve("logs").resolve(topic + "-" + partition).toFile();
            for (File segment : folder.listFiles((dir, name) -> name.endsWith(".log")))
                try (FileRecords records = FileRecords.open(segment)) {
                    for (RecordBatch batch : records.batches()) {
                        if (!batch.isTransactional()) continue;
                        for (Record record : batch)
                            if (batch.isControlBatch()) {
                                Transaction ended = open.remove(batch.producerId());
                                if (ended == null) continue;
                                ended.fate = ControlRecordType.parse(record.key()) == ControlRecordType.COMMIT ? "COMMITTED" : "ABORTED";
                                ended.fenced = batch.producerEpoch() > ended.epoch;
                            } else {
                                Transaction now =
                                        open.computeIfAbsent(batch.producerId(), id -> {
                                            Transaction begun = new Transaction();
                                            begun.id = ids.getOrDefault(id, "producer " + id);
                                            begun.epoch = batch.producerEpoch();
                                            result.add(begun);
                                            return begun;
                                        });
                                now.records.add(Utils.utf8(record.value()));
                            }
                    }
                }
        }
        return result;
    }

    /** Ends the oldest undecided transaction with this prefix as its timeout would: a new epoch, and an abort. */
    String expireOldest(String prefix) throws Exception {
        List<String> open = new ArrayList<>();
        for (TransactionListing each : admin.listTransactions().all().get())
            if (each.transactionalId().startsWith(prefix) && each.state() == TransactionState.ONGOING) open.add(each.transactionalId());
        open.sort(Comparator.comparingInt((String id) -> id.length()).thenComparing(Comparator.naturalOrder()));
        if (open.isEmpty()) return "none";
        admin.fenceProducers(List.of(open.get(0))).all().get();
        return open.get(0).substring(prefix.length());
    }

    @Override
    public void close() throws Exception {
        admin.close(Duration.ofSeconds(2));
        server.shutdown();
        server.awaitShutdown();
        try (Stream<Path> all = Files.walk(directory)) {
            all.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        }
    }
}
