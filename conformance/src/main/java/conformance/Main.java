package conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.flink.runtime.util.EnvironmentInformation;

/** `Main LINE SCENARIOS RECORDINGS [NAME…]`: runs scenario files on this Flink, a line of a table each. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) throws Exception {
        String line = arguments[0];
        String version = EnvironmentInformation.getVersion();
        Path target = Path.of(arguments[2]).resolve(line);
        List<String> names = List.of(arguments).subList(3, arguments.length);
        Files.createDirectories(target);
        Path work = Files.createTempDirectory("conformance");
        int failed = 0;
        List<Path> files;
        try (Stream<Path> all = Files.list(Path.of(arguments[1]))) {
            files = all.filter(each -> each.toString().endsWith(".scenario.json")).sorted().toList();
        }
        if (!names.isEmpty()) files = names.stream().map(name -> Path.of(arguments[1]).resolve(name + ".scenario.json")).toList();
        try (Broker broker = new Broker(work.resolve("kafka"))) {
            for (Path file : files) {
                String id = file.getFileName().toString().replace(".scenario.json", "");
                JsonNode scenario = Run.JSON.readTree(file.toFile());
                long begun = System.currentTimeMillis();
                try (Run run = new Run(scenario, broker, work.resolve(id))) {
                    run.run();
                    ObjectNode told = run.told(version);
                    Files.writeString(target.resolve(id + ".json"), compact(told));
                    row(line, id, told.path("status").asText(), told, begun);
                } catch (Exception | LinkageError | OutOfMemoryError error) {
                    failed++;
                    System.out.printf(Locale.ROOT, "%-5s %-34s not recorded: %s%n", line, id, error);
                    error.printStackTrace(System.err);
                }
            }
        }
        System.exit(failed == 0 ? 0 : 1);
    }

    private static void row(String line, String id, String status, ObjectNode told, long begun) {
        StringBuilder checkpoints = new StringBuilder();
        told.path("checkpoints").forEach(each -> checkpoints.append(each.path("id").asLong()).append(each.path("status").asText().charAt(0)).append(' '));
        String unfired = told.path("neverFired").isEmpty() ? "" : " (a fault never fired)";
        System.out.printf(Locale.ROOT, "%-5s %-34s %-9s %5.1f s  %s%s%n", line, id, status, (System.currentTimeMillis() - begun) / 1000.0, checkpoints, unfired);
    }

    /** One line for each event, row and reply, so that a change of a recording can be read. */
    private static String compact(ObjectNode told) throws Exception {
        StringBuilder text = new StringBuilder("{\n");
        for (var it = told.fields(); it.hasNext(); ) {
            var field = it.next();
            text.append("  ").append(Run.JSON.writeValueAsString(field.getKey())).append(": ");
            JsonNode value = field.getValue();
            if (value.isContainerNode() && !value.isEmpty()) {
                text.append(value.isArray() ? "[\n" : "{\n");
                if (value.isArray())
                    for (int i = 0; i < value.size(); i++) text.append("    ").append(Run.JSON.writeValueAsString(value.get(i))).append(i + 1 < value.size() ? ",\n" : "\n");
                else
                    for (var inner = value.fields(); inner.hasNext(); ) {
                        var each = inner.next();
                        text.append("    ").append(Run.JSON.writeValueAsString(each.getKey())).append(": ").append(Run.JSON.writeValueAsString(each.getValue())).append(inner.hasNext() ? ",\n" : "\n");
                    }
                text.append(value.isArray() ? "  ]" : "  }");
            } else text.append(Run.JSON.writeValueAsString(value));
            text.append(it.hasNext() ? ",\n" : "\n");
        }
        return text.append("}\n").toString();
    }
}
