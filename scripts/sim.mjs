// `npm run --silent sim -- ARGS`: the command line. Standard output belongs to src/cli, and so does the exit status.
import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { bundled } from "./bundle.mjs";

const ourFault = 70;

// `sim … | head` closes the pipe early; that is no error.
process.stdout.on("error", (error) => {
  if (error.code === "EPIPE") process.exit();
  throw error;
});

// npm runs scripts in the project's folder; file arguments are meant from where the user stands.
const stood = process.env.npm_lifecycle_event ? process.env.INIT_CWD : undefined;

try {
  const file = await bundled("cli", "src/cli/main.ts");
  if (stood && existsSync(stood)) process.chdir(stood);
  await import(pathToFileURL(file).href);
} catch (error) {
  console.error(error);
  process.exitCode = ourFault;
}
