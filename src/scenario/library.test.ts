import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { jsonSchema } from "./json-schema.ts";
import { library } from "./library.ts";
import { parseScenario } from "./parse.ts";
import { sections } from "./schema.ts";
import { parsed } from "./testing/sources.ts";

describe("every library scenario", () => {
  test.each(library.map((entry) => [entry.id, entry] as const))(
    "%s is a file that anyone could have written",
    (id, { title, tags, source, text }) => {
      const scenario = parsed(source);
      expect(parseScenario(text)).toEqual({ ok: true, value: scenario });
      expect(scenario.id).toBe(id);
      expect(scenario.title).toEqual(title);
      expect(title.zh).toMatch(/\p{Script=Han}/u);
      expect(tags.length).toBeGreaterThan(0);
      expect(scenario.notices).toEqual([]);
    },
  );

  test("carries no faults, only operations", () => {
    const operations = new Set(["trigger-checkpoint", "trigger-savepoint", "stop-with-savepoint"]);
    for (const { source } of library)
      expect(parsed(source).faults.filter((fault) => !operations.has(fault.do))).toEqual([]);
  });

  test("ids are their own", () => {
    expect(new Set(library.map(({ id }) => id)).size).toBe(library.length);
  });
});

describe("the JSON Schema", () => {
  test("what the app serves is what the declaration says: npm run schema", () => {
    const served = readFileSync(new URL("../../public/scenario.schema.json", import.meta.url), "utf8");
    expect(served).toBe(`${JSON.stringify(jsonSchema(), null, 2)}\n`);
  });

  test("has every key of a file, and no object takes others", () => {
    const schema = jsonSchema() as {
      properties: object;
      additionalProperties: boolean;
      required: string[];
      $schema: string;
    };
    expect(schema.$schema).toBe("https://json-schema.org/draft/2020-12/schema");
    expect(Object.keys(schema.properties)).toEqual(Object.keys(sections));
    expect(schema.required).toEqual(["format", "job"]);
    const open: string[] = [];
    const visit = (node: unknown, path: string): void => {
      if (typeof node !== "object" || node === null) return;
      const { type, additionalProperties } = node as { type?: unknown; additionalProperties?: unknown };
      if (type === "object" && additionalProperties === undefined) open.push(path);
      for (const [key, child] of Object.entries(node)) visit(child, `${path}/${key}`);
    };
    visit(schema, "");
    expect(open).toEqual([]);
  });
});
