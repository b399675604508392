/** Rules about what a job and its broker set at Kafka. */
import type { KafkaSinkVertex } from "../../protocol/job-graph.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import { enRules } from "../text/en-rules.ts";
import { kafkaRows } from "./kafka.ts";
import type { Fix, Look, Rule } from "./look.ts";

/** How long a transaction may live, whose name it has, and who reads what is in one. */
export function rulesOfKafka(look: Look): Rule[] {
  return [...transactions(look), ...dirtyReaders(look)];
}

function transactions(look: Look): Rule[] {
  const { draft, scenario } = look;
  const rows = kafkaRows(scenario);
  const seen = new Set<string>();
  return scenario.job.vertices.flatMap((vertex): Rule[] => {
    if (vertex.type !== "kafka-sink" || vertex.delivery !== "exactly-once") return [];
    const key = (name: string): string => `kafka:${vertex.uid}:${name}`;
    const timeout = rows.find((row) => row.key === key("transaction.timeout.ms"))?.key ?? "";
    const set = (label: string, name: string, value: string): Fix => ({ label, to: { ...draft, [name]: value } });
    const rules = lifetimes(look, vertex, timeout, set);
    const { transactionalIdPrefix: prefix } = vertex;
    if (seen.has(prefix))
      rules.push({
        id: "R-11",
        key: key("transactionalIdPrefix"),
        kind: "warns",
        message: enRules.prefix.says,
        fixes: [set(enRules.prefix.own, key("transactionalIdPrefix"), `${prefix}-${vertex.uid}`)],
      });
    seen.add(prefix);
    return rules;
  });
}

function lifetimes(
  look: Look,
  { topic, transactionTimeout: have }: KafkaSinkVertex,
  key: string,
  set: (label: string, name: string, value: string) => Fix,
): Rule[] {
  const { scenario } = look;
  const ofTopic = scenario.topics.find(({ name }) => name === topic)?.transactionMaxTimeout ?? null;
  const most = ofTopic ?? scenario.broker.transactionMaxTimeout;
  const interval = scenario.config.checkpointing.interval ?? 0;
  const rules: Rule[] = [];
  if (have > most)
    rules.push({
      id: "R-10",
      key,
      kind: "warns",
      message: ofTopic === null ? enRules.lifetime.broker(most) : enRules.lifetime.topic(most, topic),
      fixes: [
        set(enRules.lifetime.lower, key, `${most} ms`),
        ...(ofTopic === null
          ? [set(enRules.lifetime.raiseBroker, "broker:transaction.max.timeout.ms", `${have} ms`)]
          : []),
      ],
    });
  if (have < interval)
    rules.push({
      id: "R-09b",
      key,
      kind: "warns",
      message: enRules.lifetime.early,
      fixes: [set(enRules.lifetime.above(interval), key, `${interval * 2} ms`)],
    });
  else if (interval > 0) {
    const need = interval + scenario.config.checkpointing.timeout + restartOf(scenario);
    if (have < need)
      rules.push({
        id: "R-09",
        key,
        kind: "warns",
        message: enRules.lifetime.short(need, have, Math.max(0, have - interval)),
        fixes: [set(enRules.lifetime.raise(need), key, `${need} ms`)],
      });
  }
  return rules;
}

/** SK-011. The one topic that a job reads and that holds transactions is another producer's. */
function dirtyReaders({ draft, scenario }: Look): Rule[] {
  return scenario.job.vertices.flatMap((vertex): Rule[] => {
    if (vertex.type !== "kafka-source" || vertex.isolation === "read_committed") return [];
    const topic = scenario.topics.find(({ name }) => name === vertex.topic);
    if (topic === undefined || topic.transactions === null) return [];
    const key = `kafka:${vertex.uid}:isolationLevel`;
    const fixes = [{ label: enRules.dirtyReader.use, to: { ...draft, [key]: "read_committed" } }];
    return [{ id: "R-18", key, kind: "warns", message: enRules.dirtyReader.says(vertex.uid, topic.name), fixes }];
  });
}

/** The longest restart: detection, delay, cancelling, deployment, restore (SK-160). */
function restartOf({ timing, config }: Scenario): number {
  const strategy = config.restartStrategy;
  const delay = "delay" in strategy ? strategy.delay : "maxBackoff" in strategy ? strategy.maxBackoff : 0;
  return timing.heartbeatDetect + delay + timing.cancel + timing.deploy + timing.restore;
}
