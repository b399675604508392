/** The only file that knows everything: the page's engine, the stage, and the app around it, which is fetched apart. */
import "./view/stage/stage.css";
import "./ui/styles/base.css";
import "./ui/styles/controls.css";
import "./ui/styles/shell.css";
import "./ui/styles/panels.css";
import "./ui/styles/tables.css";
import "./ui/styles/dialogs.css";
import "./ui/styles/small.css";
import { Controller } from "./ui/controller.ts";
import { start } from "./ui/start.ts";
import { connect } from "./worker/connect.ts";

const root = document.querySelector("#root");
if (root === null) throw new Error("assertion failed: the page has no root element");
const spawn = (): Worker =>
  new Worker(new URL("./worker/entry.ts", import.meta.url), { type: "module", name: "engine" });
const controller = new Controller(() => connect(spawn()), {
  sweep: (request) => import("./worker/sweep-connect.ts").then(({ connectSweep }) => connectSweep(request, spawn)),
  guarantees: (cells) =>
    import("./worker/sweep-connect.ts").then(({ connectGuarantees }) => connectGuarantees(cells, spawn)),
  probe: (task) => import("./worker/sweep-connect.ts").then(({ connectProbe }) => connectProbe(task, spawn)),
});
start(controller, root);
const { showApp } = await import("./ui/shell/show-app.tsx");
showApp(controller, root);
