// Makes a clone ready to run. Needs nothing but Node, so it also works before `npm ci`.
//   node scripts/setup.mjs            the dependencies
//   node scripts/setup.mjs --browser  and a browser for the tests
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { findBrowser, packagedDir } from "./browser.mjs";

const windows = process.platform === "win32";
process.chdir(path.dirname(path.dirname(fileURLToPath(import.meta.url))));

const say = (text) => console.log(`setup: ${text}`);
const fail = (text) => {
  console.error(`setup: ${text}`);
  process.exit(1);
};
const run = (command, args, options = {}) =>
  spawnSync(command, args, { stdio: ["ignore", "ignore", "inherit"], shell: windows, ...options }).status === 0;
const quietly = (command, args) => run(command, args, { stdio: "ignore" });

function requireNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major < 20 || (major === 20 && minor < 19))
    fail(`Node 20.19 or newer is needed; this is ${process.versions.node}`);
}

/** npm keeps its own record of what it installed; it is stale when it names other versions than the lock. */
function dependenciesAreFresh() {
  const installed = "node_modules/.package-lock.json";
  if (!existsSync(installed)) return false;
  const have = JSON.parse(readFileSync(installed, "utf8")).packages;
  const want = JSON.parse(readFileSync("package-lock.json", "utf8")).packages;
  return Object.entries(want).every(
    ([name, entry]) => name === "" || entry.optional || have[name]?.version === entry.version,
  );
}

function installDependencies() {
  if (dependenciesAreFresh()) return;
  say("installing dependencies (npm ci)");
  if (!run("npm", ["ci", "--loglevel=error"], { stdio: "inherit" })) fail("npm ci failed");
}

function fromPlaywright() {
  return quietly("npx", ["playwright", "install", "--only-shell", "chromium"]);
}

function fromApt() {
  if (process.platform !== "linux" || !quietly("apt-get", ["--version"])) return false;
  const root = process.getuid() === 0;
  if (!root && !quietly("sudo", ["-n", "true"])) return false;
  const apt = (...args) => {
    const words = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq", ...args];
    if (!root) words.unshift("sudo", "-n");
    return run(words[0], words.slice(1));
  };
  // The font is for the Chinese half of the texts, which a bare system draws as boxes.
  return apt("update") && apt("install", "-y", "--no-install-recommends", "chromium", "fonts-noto-cjk");
}

function fromNpmPackage() {
  if (process.platform !== "linux" || process.arch !== "x64") return false;
  mkdirSync(packagedDir, { recursive: true });
  writeFileSync(path.join(packagedDir, "package.json"), '{ "private": true }\n');
  const install = ["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error"];
  if (!run("npm", [...install, "@sparticuz/chromium@147.0.0"], { cwd: packagedDir })) return false;
  const unpack = "import('@sparticuz/chromium').then((m) => m.default.executablePath())";
  // It unpacks its libraries only where it believes to be in a cloud function, and into the folder for
  // temporary files.
  const env = { ...process.env, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs20.x", TMPDIR: packagedDir };
  return run("node", ["--input-type=module", "-e", unpack], { cwd: packagedDir, env });
}

function installBrowser() {
  let browser = findBrowser();
  if (!browser && process.env.CHROME_PATH) fail(`CHROME_PATH names no file: ${process.env.CHROME_PATH}`);
  if (!browser) say("no Chromium, Chrome or Edge found; getting one");
  const ways = [
    ["Playwright's own download", fromPlaywright],
    ["the system package (apt-get)", fromApt],
    ["the npm package @sparticuz/chromium", fromNpmPackage],
  ];
  for (const [what, get] of ways) {
    if (browser) break;
    const began = Date.now();
    const done = get();
    browser = findBrowser();
    const outcome = browser ? "installed" : done ? "done, but no browser came of it" : "not possible here";
    say(`${what}: ${outcome} (${Math.round((Date.now() - began) / 1000)} s)`);
  }
  if (!browser)
    fail(
      "no browser could be had. Install Chromium, Google Chrome or Edge (Debian, Ubuntu: `sudo apt-get install chromium`), " +
        "or set CHROME_PATH to one, and run this again.",
    );
  say(`browser: ${browser.label}`);
}

requireNode();
installDependencies();
if (process.argv.includes("--browser")) installBrowser();
