// Bundles a TypeScript entry for Node, silently, and only when something it could be made of has changed.
// Node 20 cannot run TypeScript; this is how the command line and the benches start after `npm ci` alone.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

const notBundled = /\.(test|props|model)\.tsx?$/;
const staleAfter = 10 * 60_000;

function* filesUnder(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) yield* filesUnder(file);
    else if (!notBundled.test(entry.name)) yield file;
  }
}

/** Names, sizes and times of everything that goes in: a file that came, went or changed gives another. */
function fingerprint() {
  const hash = createHash("sha256").update(process.version);
  const parts = [
    ...filesUnder(path.join(root, "src")),
    path.join(root, "package-lock.json"),
    fileURLToPath(import.meta.url),
  ];
  for (const file of parts) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${path.relative(root, file)} ${size} ${mtimeMs}\n`);
  }
  return hash.digest("hex").slice(0, 16);
}

async function bundleInto(folder, entry) {
  const { build } = await import("vite");
  await build({
    root,
    configFile: false,
    logLevel: "silent",
    publicDir: false,
    build: {
      ssr: path.join(root, entry),
      outDir: folder,
      target: "node20",
      minify: false,
      sourcemap: true,
      rolldownOptions: { output: { entryFileNames: "main.mjs", chunkFileNames: "[name]-[hash].mjs" } },
    },
    // Everything in one place loads fastest; simjs wants to be loaded by whoever times it.
    ssr: { noExternal: true, external: ["simjs"] },
  });
}

/** Another process may be building or running: each version has its own folder, and old ones go later. */
function removeStale(home, current) {
  for (const name of readdirSync(home)) {
    const folder = path.join(home, name);
    const age = Date.now() - (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (name !== current && age > staleAfter) rmSync(folder, { recursive: true, force: true });
  }
}

/** @returns {Promise<string>} the file to run */
export async function bundled(name, entry) {
  const home = path.join(root, ".cache", name);
  const version = fingerprint();
  const file = path.join(home, version, "main.mjs");
  if (existsSync(file)) return file;
  mkdirSync(home, { recursive: true });
  const draft = path.join(home, `draft-${process.pid}`);
  try {
    await bundleInto(draft, entry);
    if (!existsSync(file)) renameSync(draft, path.join(home, version));
  } catch (error) {
    if (!existsSync(file)) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  removeStale(home, version);
  return file;
}
