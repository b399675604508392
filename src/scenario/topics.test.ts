import { describe, expect, test } from "vitest";
import { type Json, parsed, problemsOf, small } from "./testing/sources.ts";

/** `key=value@time` of each record, a text a partition. */
function input(topic: Json, more: Json = {}): string[] {
  const { topics } = parsed(small({ topics: { in: topic, out: {} }, ...more }));
  return (topics[0]?.partitions ?? []).map((records) =>
    records.map(({ key, value, at }) => `${key}=${value}@${at}`).join(" "),
  );
}

const refusals = (topic: Json, more: Json = {}): string[] =>
  problemsOf(small({ topics: { in: topic, out: {} }, ...more }));

describe("generated records", () => {
  test("record i has key i mod keys and value (i mod 10) + 1, and goes to partition i mod partitions", () => {
    expect(input({ partitions: 2, records: 12, every: "50 ms", keys: 4 })).toEqual([
      "key-0=1@0 key-2=3@50 key-0=5@100 key-2=7@150 key-0=9@200 key-2=1@250",
      "key-1=2@0 key-3=4@50 key-1=6@100 key-3=8@150 key-1=10@200 key-3=2@250",
    ]);
  });

  test("without anything said a topic has one empty partition, and records are all there at once under one key", () => {
    expect(input({})).toEqual([""]);
    expect(input({ records: 2 })).toEqual(["key-0=1@0 key-0=2@0"]);
  });

  test("partitions given one by one have their own number of records and their own pace", () => {
    expect(
      input({ keys: 3, every: "5 ms", partitions: [{ records: 3, every: "10 ms" }, { records: 0 }, { records: 2 }] }),
    ).toEqual(["key-0=1@0 key-0=4@10 key-0=7@20", "", "key-2=3@0 key-2=6@5"]);
  });

  test("unbounded input is taken as far as the run goes", () => {
    const until = { time: "95 ms" };
    expect(input({ partitions: 2, records: "unbounded", every: "30 ms" }, { until })).toEqual([
      "key-0=1@0 key-0=3@30 key-0=5@60 key-0=7@90",
      "key-0=2@0 key-0=4@30 key-0=6@60 key-0=8@90",
    ]);
    expect(input({ partitions: [{ records: "unbounded", every: "50 ms" }] }, { until })).toEqual([
      "key-0=1@0 key-0=2@50",
    ]);
    expect(refusals({ records: "unbounded", every: "1 ms" })).toEqual([
      expect.stringMatching(/Unbounded input needs an end of the run/),
    ]);
    expect(refusals({ records: "unbounded" }, { until })).toEqual([
      expect.stringMatching(/Unbounded input needs "every"/),
    ]);
    expect(refusals({ records: "unbounded", every: "1 ms" }, { until: { time: "1 h" } })).toEqual([
      expect.stringMatching(/that is 3600001 records; at most 1000000/),
    ]);
  });
});

describe("literal records", () => {
  const values = [
    { key: "a", value: 3, eventTime: 1000 },
    { key: "b", value: -1 },
    { key: "", value: 0 },
    { key: "a" },
  ];

  test("they are dealt as generated ones are", () => {
    expect(input({ partitions: 2, values, every: "10 ms" })).toEqual(["a=3@0 =0@10", "b=-1@0 a=1@10"]);
    expect(input({ partitions: [{ values, every: "1 ms" }] })).toEqual(["a=3@0 b=-1@1 =0@2 a=1@3"]);
  });

  test("they take the place of a number of records", () => {
    expect(refusals({ values, records: 4 })).toEqual([expect.stringMatching(/Either "records" or "values"/)]);
    expect(refusals({ values, partitions: [{ records: 1 }] })).toEqual([
      expect.stringMatching(/The partitions are given one by one/),
    ]);
  });
});

test("a topic's limit for transactions wins over the broker's", () => {
  const source = small({ topics: { in: {}, out: { "transaction.max.timeout.ms": "10 min" } } });
  expect(parsed(source).topics[1]).toMatchObject({
    name: "out",
    partitions: [[]],
    transactionMaxTimeout: 600_000,
    added: 0,
    transactions: null,
  });
  expect(parsed(source).notices.map(({ code }) => code)).toEqual(["TRANSACTION_TIMEOUT_ABOVE_BROKER"]);
});

test("names that Kafka refuses, and records that come after the clock's end, are refused", () => {
  expect(problemsOf(small({ topics: { in: {}, out: {}, "a b": {} } }))).toEqual([
    expect.stringMatching(/^topics\.a b: .*Kafka refuses it/),
  ]);
  expect(refusals({ records: 1000, every: "10 d" })).toEqual([
    expect.stringMatching(/longer than this program counts/),
  ]);
});
