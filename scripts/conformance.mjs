// `npm run conformance`: runs the scenarios of `conformance/scenarios` on real Flink and Kafka and writes the recordings.
//   --line 1.20      one line of Flink only
//   --live           three scenarios, into .cache, compared at once; nothing committed changes; nothing to do without Maven
//   NAME…            these scenarios only
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

process.chdir(path.dirname(path.dirname(fileURLToPath(import.meta.url))));

const live = process.argv.includes("--live");
const given = process.argv.slice(2).filter((word) => word !== "--live");
const chosen = given.indexOf("--line");
const lines = chosen < 0 ? ["1.20", "2.2"] : given.splice(chosen, 2).slice(1);
const names = live ? ["normal", "fi-01", "fi-09"] : given;
const recordings = live ? "../.cache/recordings" : "recordings";

const missing = ["java", "mvn"].filter((tool) => spawnSync(tool, ["-version"], { stdio: "ignore" }).status !== 0);
if (missing.length > 0) {
  const what = { java: "Java 17 or newer (java)", mvn: "Maven 3.8 or newer (mvn)" };
  console.log(`Nothing is recorded: ${missing.map((tool) => what[tool]).join(" and ")} cannot be run here.`);
  console.log("The recordings that are there are compared all the same: npx vitest run conformance");
  process.exit(live ? 0 : 2);
}

/** Kafka and Flink look into these packages of the JDK. */
const opened = ["java.lang", "java.util", "java.util.concurrent", "java.time"].map(
  (name) => `--add-opens=java.base/${name}=ALL-UNNAMED`,
);

const run = (command, words, more = {}) => {
  const { status } = spawnSync(command, words, {
    cwd: "conformance",
    stdio: ["ignore", "inherit", "inherit"],
    ...more,
  });
  return status === 0;
};

let good = true;
if (live) rmSync(".cache/recordings", { recursive: true, force: true });
for (const line of lines) {
  console.log(`Flink ${line}: building`);
  if (!run("mvn", ["-q", "-B", `-Pflink-${line}`, "process-classes"])) {
    console.log(`Flink ${line}: not built; Maven could not get or compile what conformance/pom.xml names.`);
    good = false;
    continue;
  }
  const target = `target/${line}`;
  const classpath = `${target}/classes${path.delimiter}${readFileSync(`conformance/${target}/classpath`, "utf8").trim()}`;
  const main = [
    "-Xmx2g",
    "-XX:TieredStopAtLevel=1",
    "-XX:+UseSerialGC",
    ...opened,
    `-Dconformance.log=${target}/flink.log`,
    "-cp",
    classpath,
    "conformance.Main",
  ];
  good = run("java", [...main, line, "scenarios", recordings, ...names]) && good;
}
if (live && good)
  good = run("npx", ["vitest", "run", "conformance/compare.test.ts"], {
    cwd: ".",
    env: { ...process.env, BARRIERSCOPE_RECORDINGS: path.resolve(".cache/recordings") },
  });
process.exitCode = good ? 0 : 1;
