/** Sentences about records: read, sent, applied, written. */
import { cutRefusals } from "../protocol/reasons.ts";
import type { Entry } from "./entry.ts";
import type { Sentence } from "./sentences.ts";
import { isStateful } from "./shared.ts";

/** Applied for the first time, or again: what a replay does to the state is worth a look of its own. */
const processed = (e: Entry<"RecordProcessed">): Sentence => {
  const said = {
    task: e.task(),
    ...e.record("record"),
    operator: e.operator("operator"),
    value: e.number("value"),
    stateful: isStateful(e.shared.graph, e.number("operator")),
  };
  if (said.pass > 1) return { says: "rec.replay", level: "protocol", ...said };
  return { says: "rec.process", level: "everything", ...said };
};

type Ends = "EndOfDataEmitted" | "EndOfDataReceived" | "EndOfPartitionEmitted" | "EndOfPartitionReceived";

const end = (
  says: "end.data.send" | "end.data" | "end.partition.send" | "end.partition",
  e: Entry<Ends>,
): Sentence => ({ says, level: "protocol", task: e.task(), channel: e.channel("channel") });

export const recordSentences = {
  RecordEmitted: (e: Entry<"RecordEmitted">): Sentence => ({
    says: "src.emit",
    level: "everything",
    task: e.task(),
    ...e.record("record"),
    ...e.origin("record"),
  }),
  RecordSent: (e: Entry<"RecordSent">): Sentence => ({
    says: "rec.send",
    level: "everything",
    task: e.task(),
    ...e.record("record"),
    channel: e.channel("channel"),
  }),
  RecordReceived: (e: Entry<"RecordReceived">): Sentence => ({
    says: "rec.receive",
    level: "everything",
    task: e.task(),
    ...e.record("record"),
    channel: e.channel("channel"),
  }),
  RecordProcessed: processed,
  DuplicateDropped: (e: Entry<"DuplicateDropped">): Sentence => ({
    says: "rec.known",
    level: "protocol",
    task: e.task(),
    ...e.record("record"),
  }),
  RecordWritten: (e: Entry<"RecordWritten">): Sentence => ({
    says: "rec.write",
    level: "everything",
    task: e.task(),
    ...e.record("record"),
    value: e.number("value"),
    partition: e.output("partition"),
    store: e.store("partition"),
    offset: e.number("offset"),
    transaction: e.transaction("transaction"),
  }),
  CutPartTaken: (e: Entry<"CutPartTaken">): Sentence => ({
    says: "cut.part",
    level: "protocol",
    task: e.task(),
    step: e.number("behind"),
    records: e.number("records"),
  }),
  CutRefused: (e: Entry<"CutRefused">): Sentence => ({
    says: "cut.refused",
    level: "headline",
    task: e.task(),
    refusal: e.word("refusal", cutRefusals),
  }),
  WriteWithheld: (e: Entry<"WriteWithheld">): Sentence => ({
    says: "cut.withheld",
    level: "protocol",
    task: e.task(),
    ...e.record("record"),
    store: e.store("partition"),
  }),
  EndOfDataEmitted: (e: Entry<"EndOfDataEmitted">): Sentence => end("end.data.send", e),
  EndOfDataReceived: (e: Entry<"EndOfDataReceived">): Sentence => end("end.data", e),
  EndOfPartitionEmitted: (e: Entry<"EndOfPartitionEmitted">): Sentence => end("end.partition.send", e),
  EndOfPartitionReceived: (e: Entry<"EndOfPartitionReceived">): Sentence => end("end.partition", e),
  SubpartitionRequested: (e: Entry<"SubpartitionRequested">): Sentence => ({
    says: "result.request",
    level: "protocol",
    task: e.task(),
    channel: e.channel("channel"),
    records: e.number("records"),
  }),
};
