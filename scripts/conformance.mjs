// `npm run conformance`: runs the scenarios of `conformance/scenarios` on real Flink and Kafka and writes the recordings.
//   --line 1.20      one line of Flink only
//   --live           three scenarios, into .cache, compared at once; nothing committed changes. Where Java or Maven is not
//                    there, or Maven cannot get what it needs, it says so and is content: what continuous integration runs
//   NAME…            these scenarios only
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

process.chdir(path.dirname(path.dirname(fileURLToPath(import.meta.url))));

const live = process.argv.includes("--live");
const given = process.argv.slice(2).filter((word) => word !== "--live");
const chosen = given.indexOf("--line");
const lines = chosen < 0 ? ["1.20", "2.2", "2.3"] : given.splice(chosen, 2).slice(1);
const names = live ? ["normal", "fi-01", "fi-09"] : given;
const recordings = live ? "../.cache/recordings" : "recordings";
const MINUTE = 60_000;

const notRecorded = (why) => {
  console.log(`Nothing is recorded: ${why}`);
  console.log("The recordings that are there are compared all the same: npx vitest run conformance/compare.test.ts");
  process.exit(live ? 0 : 2);
};

/** What a tool says about its version; `null`: it cannot be run. */
const versionOf = (tool) => {
  const { status, stdout, stderr } = spawnSync(tool, ["-version"], { encoding: "utf8" });
  return status === 0 ? `${stdout}${stderr}` : null;
};

const missing = [
  ["java", "Java 17 or newer (java)"],
  ["javac", "its compiler (javac)"],
  ["mvn", "Maven 3.8 or newer (mvn)"],
].filter(([tool]) => versionOf(tool) === null);
if (missing.length > 0) notRecorded(`${missing.map(([, what]) => what).join(" and ")} cannot be run here.`);
const java = Number(/version "(\d+)/.exec(versionOf("java") ?? "")?.[1] ?? 0);
if (java < 17) notRecorded(`java is version ${java}; Java 17 or newer is needed.`);

/** Kafka and Flink look into these packages of the JDK. */
const opened = ["java.lang", "java.util", "java.util.concurrent", "java.time"].map(
  (name) => `--add-opens=java.base/${name}=ALL-UNNAMED`,
);

const run = (command, words, more = {}) =>
  spawnSync(command, words, { cwd: "conformance", stdio: ["ignore", "inherit", "inherit"], ...more }).status === 0;

/** Gets and compiles what `conformance/pom.xml` names: "built", or "wrong" (our code), or "missing" (what Maven did not get). */
const build = (line) => {
  const words = ["-q", "-B", "-Daether.connector.connectTimeout=15000", `-Pflink-${line}`, "process-classes"];
  const { status, stdout } = spawnSync("mvn", words, { cwd: "conformance", encoding: "utf8", timeout: 10 * MINUTE });
  if (status === 0) return "built";
  console.log((stdout ?? "").split("\n").slice(0, 20).join("\n"));
  return /COMPILATION ERROR/.test(stdout ?? "") ? "wrong" : "missing";
};

const record = (line) => {
  const target = `target/${line}`;
  const classpath = `${target}/classes${path.delimiter}${readFileSync(`conformance/${target}/classpath`, "utf8").trim()}`;
  const settings = ["-Xmx2g", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", ...opened];
  const main = [...settings, `-Dconformance.log=${target}/flink.log`, "-cp", classpath, "conformance.Main"];
  return run("java", [...main, line, "scenarios", recordings, ...names]);
};

if (live) rmSync(".cache/recordings", { recursive: true, force: true });
let good = true;
const recorded = [];
for (const line of lines) {
  console.log(`Flink ${line}: building`);
  const built = build(line);
  if (built === "missing") console.log(`Flink ${line}: not built, Maven could not get what conformance/pom.xml names.`);
  if (built === "wrong") console.log(`Flink ${line}: not built, the harness does not compile.`);
  if (built === "built") {
    recorded.push(line);
    good = record(line) && good;
  } else if (built === "wrong" || !live) good = false;
}
if (live && good && recorded.length === 0) notRecorded("no line of Flink could be built.");
if (live && good)
  good = run("npx", ["vitest", "run", "--reporter=default", "conformance/compare.test.ts"], {
    cwd: ".",
    env: { ...process.env, BARRIERSCOPE_RECORDINGS: path.resolve(".cache/recordings") },
  });
process.exitCode = good ? 0 : 1;
