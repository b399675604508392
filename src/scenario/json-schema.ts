/** The JSON Schema (draft 2020-12) of scenario files, made from the same declaration that the parser uses. */
import { toJsonSchema } from "@valibot/to-json-schema";
import { scenarioSchema } from "./schema.ts";

/** What the app serves as `scenario.schema.json`. Meaning beyond structure (names, options of Flink) is the parser's. */
export function jsonSchema(): { readonly [key: string]: unknown } {
  const { $schema, ...schema } = toJsonSchema(scenarioSchema, {
    target: "draft-2020-12",
    typeMode: "input",
    // These say what a schema has said already, or what JSON Schema cannot.
    ignoreActions: ["raw_check", "check"],
    overrideSchema: ({ valibotSchema, jsonSchema: made }) =>
      valibotSchema.type === "loose_object" ? { ...made, additionalProperties: false } : undefined,
  });
  return {
    $schema,
    title: "Barrierscope scenario, format 1",
    description:
      "A Flink job, its input, what goes wrong and when: all that makes a run, so that it can be repeated anywhere.",
    ...schema,
  };
}
