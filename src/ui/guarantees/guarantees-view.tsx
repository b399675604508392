/** The guarantee table over the whole page: computed while it is looked at or not, each cell with the runs behind it. */
import "../styles/guarantees.css";
import { type ReactElement, useEffect, useState } from "react";
import { useStore } from "zustand";
import type { Cell, MomentId } from "../../scenario/guarantees/kinds.ts";
import { resultIn } from "../../scenario/guarantees/table.ts";
import { showDialog } from "../app-actions.ts";
import { useController } from "../controller-context.ts";
import { Modal } from "../controls/modal.tsx";
import { useGuaranteesText } from "../text/guarantees-text.ts";
import { CellRuns } from "./cell-runs.tsx";
import { TableControls } from "./controls.tsx";
import { Matrix } from "./matrix.tsx";
import { guaranteeTableOf } from "./store.ts";

/** Kept from visit to visit of the dialog: who has opened a run comes back to its cell. */
let lastChosen: Cell | null = null;

export default function GuaranteesView(): ReactElement {
  const words = useGuaranteesText();
  const controller = useController();
  const table = guaranteeTableOf(controller);
  const shown = useStore(table.store);
  const [moment, setMoment] = useState<MomentId | null>(null);
  const [source, setSource] = useState<string | null>(null);
  const [cell, setCell] = useState<Cell | null>(lastChosen);
  useEffect(() => controller.player.pause(), [controller]);
  const choose = (chosen: Cell): void => {
    lastChosen = chosen;
    setCell(chosen);
  };
  const result = cell === null ? undefined : resultIn(shown.results, cell);
  return (
    <Modal
      className="dialog guarantees"
      title={words.title}
      description={words.description}
      onClose={() => showDialog(null)}
    >
      <TableControls
        table={table}
        shown={shown}
        chosen={{ source, moment }}
        chooseSource={setSource}
        chooseMoment={setMoment}
      />
      <Matrix
        results={shown.results}
        going={shown.state === "going"}
        source={source}
        moment={moment}
        chosen={cell}
        choose={choose}
      />
      {result === undefined ? (
        <p className="guarantees-choose muted">{shown.results.length > 0 ? words.choose : ""}</p>
      ) : (
        <CellRuns key={`${result.cell.source} ${result.cell.mode} ${result.cell.sink}`} result={result} />
      )}
      <Legend />
    </Modal>
  );
}

function Legend(): ReactElement {
  const words = useGuaranteesText();
  return (
    <section className="guarantees-legend" aria-label={words.legend}>
      <dl>
        {(Object.keys(words.harms) as (keyof typeof words.harms)[]).map((harm) => (
          <div key={harm}>
            <dt data-harm={harm}>{words.harms[harm]}</dt>
            <dd>{words.explained[harm]}</dd>
          </div>
        ))}
        <div>
          <dt data-harm="nothing">{words.nothing}</dt>
          <dd>{words.nothingTitle}</dd>
        </div>
      </dl>
    </section>
  );
}
