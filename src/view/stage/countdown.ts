/** How long until the job restarts. */
import type { Frame } from "./frame-types.ts";
import { countdownPlace } from "./marks/job-manager.ts";
import type { StageText } from "./text.ts";

/** The one text that runs with time: how long until the job restarts. */
export function drawCountdown(node: SVGTextElement, { scene, clock }: Frame, text: StageText): void {
  const { restart } = scene.jobManager;
  const left = restart === null ? -1 : restart.to - clock;
  const words = left < 0 ? "" : text.restartIn(Math.ceil(left / 100) * 100);
  if (node.textContent === words) return;
  const { x, y, anchor } = countdownPlace(scene.layout);
  node.textContent = words;
  node.setAttribute("x", String(x));
  node.setAttribute("y", String(y));
  node.setAttribute("text-anchor", anchor);
}
