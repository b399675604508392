package conformance;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.java.tuple.Tuple3;
import org.apache.flink.util.TimeUtils;

/** What a scenario file says, as far as the harness needs it: the contract's section 1. */
final class Scenarios {
    private Scenarios() {}

    static long millis(String duration) {
        return TimeUtils.parseDuration(duration).toMillis();
    }

    /** The records of a topic, by partition: (id, key, value). */
    static List<List<Tuple3<String, String, Long>>> records(String topic, JsonNode told) {
        JsonNode given = told.path("partitions");
        int count = given.isArray() ? given.size() : given.asInt(1);
        List<List<Tuple3<String, String, Long>>> all = new ArrayList<>();
        for (int i = 0; i < count; i++) all.add(new ArrayList<>());
        JsonNode values = told.path("values");
        int keys = told.path("keys").asInt(1);
        int total = values.isArray() ? values.size() : told.path("records").asInt(0);
        for (int i = 0; i < total; i++) {
            List<Tuple3<String, String, Long>> partition = all.get(i % count);
            String key = values.isArray() ? values.get(i).path("key").asText() : "key-" + i % keys;
            long value = values.isArray() ? values.get(i).path("value").asLong() : 1;
            partition.add(Tuple3.of(topic + "-" + i % count + "@" + partition.size(), key, value));
        }
        return all;
    }

    static int partitions(JsonNode topic) {
        JsonNode given = topic.path("partitions");
        return given.isArray() ? given.size() : given.asInt(1);
    }
}
