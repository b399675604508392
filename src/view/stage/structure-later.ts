/** What explains the picture, and what no first picture has: painted from when its code is there. */
import { at } from "../../base/assert.ts";
import type { StageElement } from "./elements.ts";
import type { Frame, Scene } from "./frame-types.ts";
import type { SubtaskPlace } from "./layout-types.ts";
import type { MarkContext } from "./marks/context.ts";
import { drawEarlier } from "./marks/earlier.ts";
import { drawEntries } from "./marks/entries.ts";
import { drawGhost, roll } from "./marks/ghost.ts";
import { drawLeader } from "./marks/leader.ts";
import { drawLink, linkOf } from "./marks/link.ts";
import { drawRegion } from "./marks/region.ts";
import { drawTimeouts, hasTimeout, runOut } from "./marks/timeout.ts";
import type { Painter } from "./painter.ts";
import type { Box } from "./path.ts";
import { createLegend, type Lit } from "./structure-legend.ts";
import type { LaterText } from "./text.ts";

export interface LaterStructure {
  paint(scene: Scene, context: MarkContext): void;
  /** What is lit while nobody points at a line of the legend; `null`: everything. */
  light(elements: readonly StageElement[] | null): void;
  /** What runs with time within a step. */
  run(frame: Frame, still: boolean): void;
}

/** `capsuleOf`: the place of a transaction on its sink. */
export function createLater(
  world: SVGGElement,
  painter: Painter,
  words: LaterText,
  lit: (lit: Lit | null) => void,
  capsuleOf: (place: SubtaskPlace, index: number) => Box | null,
): LaterStructure {
  const legend = createLegend(world, painter.layers.legend, words, lit);
  return {
    light: (elements) => legend.light(elements),
    paint(scene, context) {
      const { layout, vertices, regions, subtasks } = scene;
      const id = (datum: { id: number }): string => String(datum.id);
      if (vertices.every((vertex) => at(layout.vertices, vertex.id).density !== "cells"))
        painter.still("regions", regions, id, (pen, region) => drawRegion(pen, region, scene, context));
      paintLinks(painter, scene);
      painter.still(
        "ghosts",
        subtasks.filter(({ ghost }) => ghost !== null),
        id,
        (pen, subtask) => drawGhost(pen, subtask, at(layout.subtasks, subtask.id)),
      );
      painter.still("timeouts", subtasks.filter(hasTimeout), id, (pen, subtask) =>
        drawTimeouts(pen, subtask, (index) => capsuleOf(at(layout.subtasks, subtask.id), index), context),
      );
      painter.still(
        "leader",
        [scene.jobManager],
        () => "leader",
        (pen, manager) => drawLeader(pen, manager, layout, context, words),
      );
      painter.still(
        "entries",
        scene.outputs.filter(({ id: index, entries }) => entries.length > 0 && layout.outputs[index] !== null),
        id,
        (pen, output) => drawEntries(pen, output, at(layout.outputs, output.id) as Box, context),
      );
      const free = legend.paint(scene, context);
      const all = (): string => "all";
      painter.still("earlier", [scene.storage], all, (pen) => drawEarlier(pen, scene, free, context, words));
    },
    run({ clock }, still) {
      roll(painter.layers.ghosts, clock, still);
      runOut(painter.layers.timeouts, clock, still, words);
    },
  };
}

/** Only what a channel of a stream does not have: of most jobs nothing. */
function paintLinks(painter: Painter, scene: Scene): void {
  const { channels, layout } = scene;
  const links = channels.flatMap((channel) => {
    const [link, place] = [linkOf(channel, scene), layout.channels[channel.id] ?? null];
    return link === null || place === null ? [] : [{ id: channel.id, link, place }];
  });
  painter.still(
    "links",
    links,
    ({ id }) => String(id),
    (pen, { link, place }) => drawLink(pen, link, place, layout.orientation),
  );
}
