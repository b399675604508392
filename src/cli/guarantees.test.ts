import { expect, test } from "vitest";
import { inProcessPool } from "../worker/testing/in-process.ts";
import { Exit, type ExitStatus, type Io } from "./io.ts";
import { sim } from "./sim.ts";

async function run(
  words: readonly string[],
  terminal = false,
): Promise<{ readonly status: ExitStatus; readonly out: string; readonly error: string }> {
  let [out, error] = ["", ""];
  const io: Io = {
    terminal,
    read: () => null,
    write: () => {},
    out: (text) => (out += text),
    error: (text) => (error += text),
    pool: inProcessPool(),
  };
  return { status: await sim(words, io), out, error };
}

const one = "kafka-source · off, no restart · print-sink";

interface Told {
  readonly runs: number;
  readonly cells: readonly {
    readonly source: string;
    readonly moments: readonly {
      readonly readers: readonly {
        readonly harms: { readonly lost: { readonly link: string; readonly faults: object[] } };
      }[];
    }[];
  }[];
}

test("SK-040: a cell as JSON has how many runs show each harm, and the one that shows it best as faults and as a link", async () => {
  const { status, out } = await run(["guarantees", one]);
  const told = JSON.parse(out) as Told;
  expect(status).toBe(Exit.ran);
  expect(told.cells).toHaveLength(1);
  expect(told.runs).toBeGreaterThan(1000);
  const harm = told.cells[0]?.moments[0]?.readers[0]?.harms.lost;
  expect(harm?.faults).toHaveLength(1);
  expect(harm?.link).toMatch(/^#run=/);
});

test("SK-040: the table as Markdown, as CSV and on a terminal says the same", async () => {
  const markdown = await run(["guarantees", one, "--markdown"]);
  expect(markdown.out).toContain("| kafka-source | off, no restart | print-sink | lost, late, job-failed |");
  const csv = await run(["guarantees", one, "--csv"]);
  const [head, line = ""] = csv.out.split("\n");
  expect(head).toBe(
    "source,checkpointing,sink,reader,moment,runs,lost,duplicated,wrong,stepped-back,blocked,late,job-failed,stuck,run",
  );
  expect(line).toMatch(/^kafka-source,"off, no restart",print-sink,read_committed,before,\d+,\d+,0,/);
  const terminal = await run(["guarantees", one], true);
  expect(terminal.out).toContain("lost, late, job-failed");
});

test("words that no cell has in its name are bad input, and the cells there are are told", async () => {
  const { status, error } = await run(["guarantees", "nonesuch"]);
  expect(status).toBe(Exit.badInput);
  expect(error).toContain("kafka-source · EXACTLY_ONCE · kafka-sink exactly-once");
});
