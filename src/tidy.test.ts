import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

/** What no tool checks: the shape of the tree and of what is committed. */

const root = path.resolve(import.meta.dirname, "..");
const read = (file: string) => readFileSync(path.join(root, file), "utf8");

const rooms = "base protocol scenario engine labs explorer doctor worker projection view export ui cli bench".split(
  " ",
);
const existing = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);

const isCode = /\.(ts|tsx)$/;
const isTest = /\.(test|props|model|bench)\.tsx?$/;
const isData = /^src\/((ui\/text|scenario\/library)\/|protocol\/event-table\.ts$)/;

/** Tracked and new files alike, but nothing that git ignores; a file deleted but not yet committed is gone. */
const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\n")
  .filter((file) => file !== "" && existsSync(path.join(root, file)));
const source = files.filter((file) => file.startsWith("src/") && isCode.test(file));

/** Put together from parts, so that this file does not hold what it looks for. */
const hosts = ["registry.npmjs" + ".org", "registry.yarnpkg" + ".com", "pypi" + ".org", "npmmirror" + ".com"];

test("every folder of src is a room of the architecture", () => {
  expect(existing.filter((name) => !rooms.includes(name))).toEqual([]);
});

test("src/README.md speaks of every room there is", () => {
  const text = read("src/README.md");
  expect(existing.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
});

test("no file of code is longer than 400 lines", () => {
  const long = source.filter((file) => !isTest.test(file) && !isData.test(file) && read(file).split("\n").length > 401);
  expect(long).toEqual([]);
});

test("what is fetched when it is first shown is fetched by later(), which shows it as soon as it is there", () => {
  const waits = source.filter((file) => /import \{[^}]*\b(lazy|Suspense)\b[^}]*\} from "react"/.test(read(file)));
  expect(waits).toEqual([]);
});

test("the lock names versions and hashes, and no address to download from", () => {
  expect(read("package-lock.json")).not.toContain('"resolved"');
  expect(read(".npmrc")).toContain("omit-lockfile-registry-resolved=true");
});

test("every dependency is pinned to one version", () => {
  const { dependencies, devDependencies } = JSON.parse(read("package.json")) as Record<string, Record<string, string>>;
  const ranges = Object.entries({ ...dependencies, ...devDependencies }).filter(([, range]) => !/^\d/.test(range));
  expect(ranges).toEqual([]);
});

test("no text that we write names a package registry", () => {
  const texts = files.filter((file) => /\.(md|ts|tsx|mjs|json|css|html)$/.test(file) && file !== "package-lock.json");
  expect(texts.filter((file) => hosts.some((host) => read(file).includes(host)))).toEqual([]);
});
