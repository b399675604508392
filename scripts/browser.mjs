// Finds the browser that tests and screenshots drive. The one place that knows where browsers live;
// setup, the Playwright configuration and the screenshot script all ask here.
import { existsSync, readdirSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** Where setup puts the Chromium of the npm package, when nothing else can be had. */
export const packagedDir = path.join(root, ".cache", "browser");

const isFile = (file) => statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
const listing = (dir) => (existsSync(dir) ? readdirSync(dir) : []);

function* playwrightBuilds() {
  let full;
  try {
    full = createRequire(import.meta.url)("playwright-core").chromium.executablePath();
  } catch {
    return; // the dependencies are not installed yet
  }
  yield full;
  // Playwright names a headless shell of the same revision next to the full build.
  const revisions = path.resolve(full, "..", "..", "..");
  for (const revision of listing(revisions))
    if (revision.startsWith("chromium_headless_shell-"))
      for (const platform of listing(path.join(revisions, revision)))
        for (const name of ["chrome-headless-shell", "headless_shell", "chrome-headless-shell.exe"])
          yield path.join(revisions, revision, platform, name);
}

function* systemBrowsers() {
  if (process.platform === "darwin") {
    for (const folder of ["/Applications", path.join(os.homedir(), "Applications")])
      for (const app of ["Google Chrome", "Chromium", "Microsoft Edge"])
        yield path.join(folder, `${app}.app`, "Contents", "MacOS", app);
    return;
  }
  if (process.platform === "win32") {
    const { PROGRAMFILES, LOCALAPPDATA } = process.env;
    for (const folder of [PROGRAMFILES, process.env["PROGRAMFILES(X86)"], LOCALAPPDATA])
      if (folder) {
        yield path.join(folder, "Google", "Chrome", "Application", "chrome.exe");
        yield path.join(folder, "Chromium", "Application", "chrome.exe");
        yield path.join(folder, "Microsoft", "Edge", "Application", "msedge.exe");
      }
    return;
  }
  const folders = (process.env.PATH ?? "").split(path.delimiter);
  for (const name of ["google-chrome", "google-chrome-stable", "chromium", "chromium-browser", "microsoft-edge"])
    for (const folder of folders) yield path.join(folder, name);
  yield "/opt/google/chrome/chrome";
  yield "/snap/bin/chromium";
}

function locate() {
  const named = process.env.CHROME_PATH;
  if (named) return isFile(named) ? { from: "CHROME_PATH", file: named } : undefined;
  for (const file of playwrightBuilds()) if (isFile(file)) return { from: "Playwright", file };
  for (const file of systemBrowsers()) if (isFile(file)) return { from: "system", file };
  const packaged = path.join(packagedDir, "chromium");
  return isFile(packaged) ? { from: "npm package", file: packaged } : undefined;
}

function launchArguments() {
  const always = [
    "--no-first-run",
    "--disable-component-update",
    "--disable-background-networking",
    "--font-render-hinting=none",
  ];
  // Chromium refuses its sandbox to root, and containers often forbid it.
  const unsandboxed = process.platform === "linux" && (process.getuid?.() === 0 || process.env.CI);
  return unsandboxed ? ["--no-sandbox", ...always] : always;
}

/**
 * @typedef {{ executablePath: string, args: string[], env?: Record<string, string> }} LaunchOptions
 * @returns {{ label: string, launch: LaunchOptions } | undefined}
 */
export function findBrowser() {
  const found = locate();
  if (!found) return undefined;
  const launch = { executablePath: found.file, args: launchArguments() };
  // The packaged Chromium brings the few libraries and fonts that a bare system lacks.
  const home = path.dirname(found.file);
  const libraries = path.join(home, "al2023", "lib");
  if (existsSync(libraries))
    launch.env = { ...process.env, LD_LIBRARY_PATH: libraries, FONTCONFIG_PATH: path.join(home, "fonts") };
  return { label: `${found.file} (${found.from})`, launch };
}

/** @returns {LaunchOptions} */
export function browserOrThrow() {
  const browser = findBrowser();
  if (browser) return browser.launch;
  throw new Error(
    process.env.CHROME_PATH
      ? `CHROME_PATH names no file: ${process.env.CHROME_PATH}`
      : "No Chromium, Chrome or Edge found. Run `npm run setup`, or set CHROME_PATH to one.",
  );
}
