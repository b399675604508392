import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { firstRun } from "./src/ui/first-run.ts";

// With these the page is cross-origin isolated under `npm run dev` and `npm start`. The app must not
// need it: a plain static host sends no such headers.
const isolation = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};

/** `src/ui/first-run.ts` is carried out here, and the page is given what it exports. */
const carryOutFirstRun: Plugin = {
  name: "carry-out-first-run",
  apply: "build",
  transform: {
    filter: { id: /\/src\/ui\/first-run\.ts$/ },
    handler: () => ({ code: `export const firstRun = ${JSON.stringify(firstRun)};`, map: null }),
  },
};

export default defineConfig({
  base: "./",
  plugins: [react(), carryOutFirstRun],
  worker: { format: "es" },
  server: { headers: isolation },
  preview: { headers: isolation },
  build: { target: "es2023", sourcemap: true },
});
