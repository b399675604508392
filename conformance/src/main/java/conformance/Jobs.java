package conformance;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.sink2.SupportsCommitter;
import org.apache.flink.api.java.tuple.Tuple3;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.streaming.api.connector.sink2.CommittableMessage;
import org.apache.flink.streaming.api.connector.sink2.CommittableMessageTypeInfo;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.operators.SimpleOperatorFactory;
import org.apache.flink.streaming.runtime.operators.sink.CommitterOperatorFactory;
import org.apache.flink.streaming.runtime.operators.sink.SinkWriterOperatorFactory;
import org.apache.kafka.clients.producer.ProducerRecord;

/** The job of a scenario on real Flink: same vertices, exchanges, parallelism, chains and slot sharing groups. */
final class Jobs {
    private static final TypeInformation<Tuple3<String, String, Long>> RECORD = Types.TUPLE(Types.STRING, Types.STRING, Types.LONG);

    private Jobs() {}

    static JobGraph graph(JsonNode scenario, Configuration configuration, String broker, String prefix) {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(configuration);
        JsonNode job = scenario.path("job");
        if (job.has("maxParallelism")) env.setMaxParallelism(job.path("maxParallelism").asInt());
        Map<String, JsonNode> vertices = new LinkedHashMap<>();
        job.path("vertices").forEach(each -> vertices.put(each.path("uid").asText(), each));
        Map<String, DataStream<Tuple3<String, String, Long>>> streams = new HashMap<>();
        for (JsonNode vertex : vertices.values()) {
            String uid = vertex.path("uid").asText();
            int parallelism = vertex.path("parallelism").asInt(1);
            switch (vertex.path("type").asText()) {
                case "kafka-source" -> {
                    var source = new GateSource(uid, vertex.path("topic").asText(), vertex.path("bounded").asBoolean(false));
                    streams.put(uid, placed(env.fromSource(source, WatermarkStrategy.noWatermarks(), uid, RECORD).setParallelism(parallelism), vertex, false));
                }
                case "map", "union", "filter", "keyed-sum", "keyed-count", "window-count" -> {
                    DataStream<Tuple3<String, String, Long>> input = input(job, streams, uid);
                    streams.put(uid, placed(input.transform(uid, RECORD, new Probe<>(uid, "", SimpleOperatorFactory.of(new Counter(uid)))).setParallelism(parallelism), vertex, false));
                }
                case "kafka-sink" -> sink(input(job, streams, uid), vertex, parallelism, broker, prefix);
                default -> throw new IllegalArgumentException("no such vertex here: " + vertex.path("type").asText());
            }
        }
        JobGraph graph = env.getStreamGraph().getJobGraph();
        return graph;
    }

    private static DataStream<Tuple3<String, String, Long>> input(JsonNode job, Map<String, DataStream<Tuple3<String, String, Long>>> streams, String uid) {
        DataStream<Tuple3<String, String, Long>> all = null;
        for (JsonNode edge : job.path("edges")) {
            if (!edge.path("to").asText().equals(uid)) continue;
            DataStream<Tuple3<String, String, Long>> from = streams.get(edge.path("from").asText());
            DataStream<Tuple3<String, String, Long>> shipped =
                    switch (edge.path("ship").asText("forward")) {
                        case "hash" -> from.keyBy(each -> each.f1, Types.STRING);
                        case "rebalance" -> from.rebalance();
                        case "rescale" -> from.rescale();
                        case "broadcast" -> from.broadcast();
                        case "global" -> from.global();
                        case "shuffle" -> from.shuffle();
                        default -> from.forward();
                    };
            all = all == null ? shipped : all.union(shipped);
        }
        return all;
    }

    /** A vertex that says `chain: false` stands alone; a sink of two operators only begins a chain. */
    private static <T> SingleOutputStreamOperator<T> placed(SingleOutputStreamOperator<T> operator, JsonNode vertex, boolean begins) {
        operator.uid(vertex.path("uid").asText());
        if (!vertex.path("chain").asBoolean(true)) {
            if (begins) operator.startNewChain();
            else operator.disableChaining();
        }
        if (vertex.has("slotSharingGroup")) operator.slotSharingGroup(vertex.path("slotSharingGroup").asText());
        return operator;
    }

    private static void sink(DataStream<Tuple3<String, String, Long>> input, JsonNode vertex, int parallelism, String broker, String prefix) {
        String uid = vertex.path("uid").asText();
        String topic = prefix + vertex.path("topic").asText();
        Properties properties = new Properties();
        vertex.path("properties").fields().forEachRemaining(each -> properties.setProperty(each.getKey(),
                each.getKey().endsWith(".ms") ? Long.toString(Scenarios.millis(each.getValue().asText())) : each.getValue().asText()));
        KafkaRecordSerializationSchema<Tuple3<String, String, Long>> schema = (record, context, timestamp) ->
                new ProducerRecord<>(topic, record.f1.getBytes(StandardCharsets.UTF_8), record.f0.getBytes(StandardCharsets.UTF_8));
        KafkaSink<Tuple3<String, String, Long>> sink = KafkaSink.<Tuple3<String, String, Long>>builder()
                .setBootstrapServers(broker)
                .setKafkaProducerConfig(properties)
                .setDeliveryGuarantee(switch (vertex.path("delivery").asText("at-least-once")) {
                    case "exactly-once" -> DeliveryGuarantee.EXACTLY_ONCE;
                    case "none" -> DeliveryGuarantee.NONE;
                    default -> DeliveryGuarantee.AT_LEAST_ONCE;
                })
                .setTransactionalIdPrefix(prefix + vertex.path("transactionalIdPrefix").asText(uid))
                .setRecordSerializer(schema)
                .build();
        // The sink as what it commits: its committables are not public.
        @SuppressWarnings("unchecked")
        SupportsCommitter<Object> committing = (SupportsCommitter<Object>) (SupportsCommitter<?>) (Object) sink;
        TypeInformation<CommittableMessage<Object>> committable = CommittableMessageTypeInfo.of(committing::getCommittableSerializer);
        var writer = input.transform(uid + ": Writer", committable, new Probe<>(uid, "writer", new SinkWriterOperatorFactory<Tuple3<String, String, Long>, Object>(sink))).setParallelism(parallelism);
        placed(writer, vertex, true);
        var committer = writer.transform(uid + ": Committer", committable, new Probe<>(uid, "committer", new CommitterOperatorFactory<>(new FaultyCommitter(committing, uid), false, true))).setParallelism(parallelism);
        committer.uid(uid + ": Committer");
        if (vertex.has("slotSharingGroup")) committer.slotSharingGroup(vertex.path("slotSharingGroup").asText());
    }
}
