import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

// With these the page is cross-origin isolated under `npm run dev` and `npm start`. The app must not
// need it: a plain static host sends no such headers.
const isolation = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};

export default defineConfig({
  base: "./",
  plugins: [react()],
  worker: { format: "es" },
  server: { headers: isolation },
  preview: { headers: isolation },
  build: { target: "es2023", sourcemap: true },
});
