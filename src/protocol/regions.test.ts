/** Regions and restart sets over exchanges of both kinds (`recovery-and-sinks.md` 5). */
import { describe, expect, test } from "vitest";
import type { Exchange } from "./job-graph.ts";
import { type Linked, pipelinedRegions, restartingRegions } from "./regions.ts";

/** `A>B` is pipelined, `A|B` blocking; each letter is one subtask. */
function graph(...links: readonly string[]): Linked & { readonly names: readonly string[] } {
  const names = [...new Set(links.flatMap((link) => [link.charAt(0), link.charAt(2)]))].toSorted();
  const exchanges: readonly Exchange[] = ["PIPELINED_BOUNDED", "BLOCKING"];
  return {
    names,
    subtasks: names,
    edges: exchanges.map((exchange) => ({ exchange })),
    channels: links.map((link) => ({
      edge: link.charAt(1) === "|" ? 1 : 0,
      from: names.indexOf(link.charAt(0)),
      to: names.indexOf(link.charAt(2)),
    })),
  };
}

function regionsOf(...links: readonly string[]): string[] {
  const all = graph(...links);
  const regions = pipelinedRegions(all);
  return [...new Set(regions)].map((region) => all.names.filter((_, subtask) => regions[subtask] === region).join(""));
}

/** The subtasks that restart when one fails; results of those named are gone. */
function restarts(links: readonly string[], failed: string, gone = ""): string {
  const all = graph(...links);
  const regions = pipelinedRegions(all);
  const chosen = restartingRegions(
    all,
    regions,
    all.names.indexOf(failed),
    (from) => !gone.includes(all.names[from] ?? ""),
  );
  return all.names.filter((_, subtask) => chosen.has(regions[subtask] as number)).join("");
}

describe("FR-041: regions", () => {
  test("a blocking exchange is a border, a pipelined one is none", () => {
    expect(regionsOf("A>B", "B>C")).toEqual(["ABC"]);
    expect(regionsOf("A>B", "B|C", "C>D")).toEqual(["AB", "CD"]);
    expect(regionsOf("A|C", "A|D", "B|C", "B|D")).toEqual(["A", "B", "C", "D"]);
  });

  test("direction is ignored: who shares a consumer or a producer is one region", () => {
    expect(regionsOf("A>C", "B>C")).toEqual(["ABC"]);
    expect(regionsOf("A>B", "A>C", "D|B")).toEqual(["ABC", "D"]);
  });

  test("regions that depend on each other in a circle are one", () => {
    // A and D are one by a pipelined channel, and B between them waits for A and is waited for by D.
    expect(regionsOf("A|B", "B|D", "A>D")).toEqual(["ABD"]);
    expect(regionsOf("A|B", "C|D", "A>D", "C>B")).toEqual(["ABCD"]);
    // No circle: E only consumes.
    expect(regionsOf("A|B", "B|D", "A>D", "D|E")).toEqual(["ABD", "E"]);
  });
});

describe("FR-042: the restart set", () => {
  const chain = ["A|B", "B|C"];

  test("every consumer goes along, however far; what is produced is still there, so producers do not", () => {
    expect([restarts(chain, "A"), restarts(chain, "B"), restarts(chain, "C")]).toEqual(["ABC", "BC", "C"]);
  });

  test("a result that is needed and gone makes its producer restart, and with it all that consume from it", () => {
    expect(restarts(chain, "C", "B")).toBe("BC");
    expect(restarts(chain, "C", "AB")).toBe("ABC");
    // A's result is gone too, but nobody who restarts needs it.
    expect(restarts(chain, "C", "A")).toBe("C");
    expect(restarts(["A|B", "A|C"], "B", "A")).toBe("ABC");
  });

  test("INV-106: it is closed: applied to any of its members it adds nothing", () => {
    const links = ["A>B", "B|C", "C>D", "A|E", "E|F", "C|F"];
    for (const failed of "ABCDEF")
      for (const gone of ["", "A", "BC", "E"]) {
        const set = restarts(links, failed, gone);
        for (const member of set) expect(set).toContain(restarts(links, member, gone).charAt(0));
        for (const member of set) for (const other of restarts(links, member, gone)) expect(set).toContain(other);
      }
  });

  test("FR-043: with pipelined exchanges only, it is the failed region", () => {
    expect(restarts(["A>B", "C>D"], "B", "ABCD")).toBe("AB");
  });
});
