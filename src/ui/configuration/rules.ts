/**
 * Rules of a configuration as a person needs them: at which key, how grave, and what mends it. Flink's own
 * words, where it has any, are the scenario's reader's; these say what to do. R-17 has no place here: no key makes a loop,
 * and a scenario that has one is refused before it is open.
 */
import { parseDuration } from "../../scenario/durations.ts";
import { findOption, spellingOf } from "../../scenario/options.ts";
import { enRules } from "../text/en-rules.ts";
import { type Given, Look, type Longest, type Rule, ck, optionOf } from "./look.ts";
import { rulesOfJob } from "./rules-of-job.ts";
import { rulesOfKafka } from "./rules-of-kafka.ts";

export function rulesOf(given: Given): readonly Rule[] {
  const look = new Look(given);
  return [
    ...unaligned(look),
    ...concurrency(look),
    ...withoutInterval(look),
    ...times(look, given.longest),
    ...storage(look),
    ...least(look),
    ...oldKeys(look),
    ...rulesOfKafka(look),
    ...rulesOfJob(look),
  ];
}

function unaligned(look: Look): Rule[] {
  const on = look.is(ck("unaligned.enabled"), "true");
  const off = look.fix(enRules.unalignedOff, [ck("unaligned.enabled"), null]);
  if (!on)
    return (look.time(ck("aligned-checkpoint-timeout")) ?? 0) > 0
      ? [
          {
            id: "R-03",
            key: ck("aligned-checkpoint-timeout"),
            kind: "warns",
            message: enRules.alignedTimeout.says,
            fixes: [
              look.fix(enRules.alignedTimeout.on, [ck("unaligned.enabled"), "true"]),
              look.fix(enRules.alignedTimeout.clear, [ck("aligned-checkpoint-timeout"), null]),
            ],
          },
        ]
      : [];
  const rules: Rule[] = [];
  if (look.is(ck("mode"), "AT_LEAST_ONCE"))
    rules.push({
      id: "R-01",
      key: ck("unaligned.enabled"),
      kind: "corrects",
      message: enRules.unalignedMode.says,
      fixes: [look.fix(enRules.unalignedMode.switchMode, [ck("mode"), null]), off],
    });
  if (look.number(ck("max-concurrent-checkpoints")) > 1)
    rules.push({
      id: "R-02",
      key: ck("max-concurrent-checkpoints"),
      kind: "blocks",
      message: enRules.unalignedConcurrent.says,
      fixes: [look.fix(enRules.unalignedConcurrent.one, [ck("max-concurrent-checkpoints"), null]), off],
    });
  return rules;
}

function concurrency(look: Look): Rule[] {
  const most = look.number(ck("max-concurrent-checkpoints"));
  if (most <= 1 || (look.time(ck("min-pause")) ?? 0) <= 0) return [];
  return [
    {
      id: "R-04",
      key: ck("min-pause"),
      kind: "warns",
      message: enRules.pause.says(most),
      fixes: [
        look.fix(enRules.pause.keepPause, [ck("max-concurrent-checkpoints"), null]),
        look.fix(enRules.pause.keepConcurrency, [ck("min-pause"), null]),
      ],
    },
  ];
}

function withoutInterval(look: Look): Rule[] {
  if (look.time(ck("interval")) !== null) return [];
  const fixes = [look.fix(enRules.noInterval.set, [ck("interval"), "2 s"])];
  const sink = look.scenario.job.vertices.find(
    (each) => each.type === "kafka-sink" && each.delivery === "exactly-once",
  );
  const strategy = look.text("restart-strategy.type");
  const rules: Rule[] = [];
  if (sink !== undefined)
    rules.push({
      id: "R-05",
      key: ck("interval"),
      kind: "warns",
      message: enRules.noInterval.sink(sink.uid),
      fixes,
    });
  if (strategy !== null && !["none", "off", "disable"].includes(strategy.toLowerCase()))
    rules.push({
      id: "R-06",
      key: "restart-strategy.type",
      kind: "warns",
      message: enRules.noInterval.restart,
      fixes,
    });
  return rules;
}

function times(look: Look, longest: Longest | null): Rule[] {
  const [interval, timeout, backlog] = ["interval", "timeout", "interval-during-backlog"].map((name) =>
    look.time(ck(name)),
  );
  const rules: Rule[] = [];
  if (longest !== null && typeof timeout === "number" && timeout <= longest.ms)
    rules.push({
      id: "R-07",
      key: ck("timeout"),
      kind: "warns",
      message: longest.expired ? enRules.timeout.expired(longest.ms) : enRules.timeout.says(longest.ms, timeout),
      fixes: [look.fix(enRules.timeout.raise, [ck("timeout"), `${longest.ms * 3} ms`])],
    });
  if (typeof interval === "number" && typeof backlog === "number" && backlog > 0 && backlog < interval)
    rules.push({
      id: "R-08",
      key: ck("interval-during-backlog"),
      kind: "blocks",
      message: enRules.backlog.says(look.text(ck("interval"))),
      fixes: [
        look.fix(enRules.backlog.set, [ck("interval-during-backlog"), look.text(ck("interval"))]),
        look.fix(enRules.backlog.clear, [ck("interval-during-backlog"), null]),
      ],
    });
  return rules;
}

/** A directory that does for a run here. */
const DIRECTORY = "s3://demo/checkpoints";

function storage(look: Look): Rule[] {
  const [chosen, dir] = [look.text(ck("storage")), look.text(ck("dir"))];
  if (chosen === "filesystem" && dir === null)
    return [
      {
        id: "R-12",
        key: ck("storage"),
        kind: "blocks",
        message: enRules.directory.says,
        fixes: [look.fix(enRules.directory.set, [ck("dir"), DIRECTORY])],
      },
    ];
  const onHeap = chosen === "jobmanager" || (chosen === null && dir === null);
  if (!onHeap || ["NONE", "NULL"].includes(look.text("high-availability.type")?.toUpperCase() ?? "NONE")) return [];
  return [
    {
      id: "R-13",
      key: "high-availability.type",
      kind: "info",
      message: enRules.onHeap.says,
      fixes: [look.fix(enRules.onHeap.use, [ck("storage"), "filesystem"], [ck("dir"), dir ?? DIRECTORY])],
    },
  ];
}

/** the least that Flink takes. */
const bounds = [
  [ck("interval"), "10 ms"],
  [ck("timeout"), "10 ms"],
  [ck("min-pause"), "0 ms"],
  [ck("max-concurrent-checkpoints"), "1"],
  [ck("tolerable-failed-checkpoints"), "0"],
] as const;

function least(look: Look): Rule[] {
  return bounds.flatMap(([key, bound]): Rule[] => {
    const option = optionOf(key);
    const isTime = option.kind === "duration";
    const text = look.text(key)?.trim() ?? "";
    // Nothing reads a duration below zero.
    const value = isTime && text.startsWith("-") ? -1 : isTime ? look.time(key) : look.number(key);
    const limit = isTime ? parseDuration(bound) : Number(bound);
    if (!look.isSet(key) || value === null || limit === null || !(value < limit)) return [];
    const message = enRules.least.says(key, bound);
    return [{ id: "R-23", key, kind: "blocks", message, fixes: [look.fix(enRules.least.set(bound), [key, bound])] }];
  });
}

function oldKeys({ draft, scenario: { flink } }: Look): Rule[] {
  return Object.keys(draft).flatMap((spelling): Rule[] => {
    const option = findOption(spelling);
    if (option === undefined) return [];
    const current = spellingOf(option, flink);
    if (spelling === current || spelling === option.key) return [];
    const { [spelling]: value, ...rest } = draft;
    const fixes = value === undefined ? [] : [{ label: enRules.oldKey.rename, to: { ...rest, [current]: value } }];
    return [{ id: "R-22", key: option.key, kind: "corrects", message: enRules.oldKey.says(spelling, current), fixes }];
  });
}
