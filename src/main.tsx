/** The only file that knows everything: the page's engine, the app, and the element that holds it. */
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Controller } from "./ui/controller.ts";
import { AppRoot } from "./ui/shell/app-root.tsx";
import { start } from "./ui/start.ts";
import "./view/stage/stage.css";
import "./ui/styles/base.css";
import "./ui/styles/controls.css";
import "./ui/styles/shell.css";
import "./ui/styles/panels.css";
import "./ui/styles/tables.css";
import "./ui/styles/dialogs.css";
import "./ui/styles/small.css";
import { connect } from "./worker/connect.ts";

const controller = new Controller(() =>
  connect(new Worker(new URL("./worker/entry.ts", import.meta.url), { type: "module", name: "engine" })),
);
start(controller);

const root = document.querySelector("#root");
if (root === null) throw new Error("assertion failed: the page has no root element");
createRoot(root).render(
  <StrictMode>
    <AppRoot controller={controller} />
  </StrictMode>,
);
