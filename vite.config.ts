import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin, type Rolldown } from "vite";
import * as layout from "./src/engine/layout.ts";
import * as ops from "./src/engine/ops.ts";
import * as states from "./src/engine/states.ts";
import { firstRun } from "./src/ui/first-run.ts";
import { ordersRun } from "./src/ui/tour/orders-run.ts";

// With these the page is cross-origin isolated under `npm run dev` and `npm start`. The app must not
// need it: a plain static host sends no such headers.
const isolation = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};

/** Both modules are carried out here, and the page is given what they export. */
const carryOutFirstRun: Plugin = {
  name: "carry-out-first-run",
  apply: "build",
  transform: {
    filter: { id: /\/src\/ui\/(first-run|tour\/orders-run)\.ts$/ },
    handler: (_, id) => {
      const exported = id.endsWith("/first-run.ts") ? { firstRun } : { ordersRun };
      const [[name, value] = []] = Object.entries(exported);
      return { code: `export const ${name ?? ""} = ${JSON.stringify(value)};`, map: null };
    },
  },
};

/** The engine's tables of numbers, by the file that exports them. */
const tables: { readonly [file: string]: { readonly [name: string]: unknown } } = {
  "layout.ts": layout,
  "ops.ts": ops,
  "states.ts": states,
};

/** What a module says of an imported table, `Task.life`, is the number itself: a sixth less to load, and nothing to look up. */
const writeNumbersOut: Plugin = {
  name: "write-numbers-out",
  apply: "build",
  enforce: "pre",
  transform: {
    filter: { id: /\/src\/engine\/.*\.ts$/ },
    handler(code) {
      const imports = /^import (?:\{([^}]*)\}|\* as (\w+)) from "[./]*\/(layout|ops|states)\.ts";$/gm;
      let written = code;
      for (const [, names, namespace, file] of code.matchAll(imports)) {
        const exported = tables[`${file}.ts`] ?? {};
        const imported =
          namespace === undefined ? (names ?? "").split(",").map((name) => name.trim()) : Object.keys(exported);
        for (const name of imported) {
          const table = exported[name];
          if (typeof table !== "object" || table === null) continue;
          const prefix = namespace === undefined ? "" : `${namespace}\\.`;
          written = written.replace(
            new RegExp(`(?<![\\w.]|typeof )${prefix}${name}\\.(\\w+)\\b`, "g"),
            (said, member: string) => {
              const value: unknown = (table as { readonly [member: string]: unknown })[member];
              return typeof value !== "number" ? said : value < 0 ? `(${value})` : String(value);
            },
          );
        }
      }
      return { code: written, map: null };
    },
  },
};

/** What a module imports statically, and those that it imports, and so on. */
function needed(from: string, get: (id: string) => { readonly importedIds: readonly string[] } | null): Set<string> {
  const found = new Set([from]);
  for (const id of found) for (const other of get(id)?.importedIds ?? []) found.add(other);
  return found;
}

/** What a file always needs is one file with it: cut into several it is a twentieth more to load. */
function inOne(debugName: string, file: string, withItself: boolean): Rolldown.CodeSplittingGroup {
  const entry = fileURLToPath(new URL(file, import.meta.url));
  let always: Set<string> | null = null;
  return {
    debugName,
    name(id, context) {
      always ??= needed(entry, (each) => context.getModuleInfo(each));
      // Of a library that is imported whole only a part is needed.
      return always.has(id) && !id.includes("/node_modules/") && (withItself || id !== entry) ? debugName : null;
    },
  };
}

const engineInOne = inOne("engine", "./src/worker/entry.ts", true);
// Without the page's first file, which waits for others that need what is in this one.
const pictureInOne = inOne("picture", "./src/main.tsx", false);

export default defineConfig({
  base: "./",
  plugins: [react(), carryOutFirstRun, writeNumbersOut],
  worker: {
    format: "es",
    plugins: () => [writeNumbersOut],
    rolldownOptions: { output: { codeSplitting: { groups: [engineInOne] } } },
  },
  server: { headers: isolation },
  preview: { headers: isolation },
  // Whatever runs what is built for 2023 loads modules ahead by itself.
  build: {
    target: "es2023",
    sourcemap: true,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: [pictureInOne] } } },
  },
});
