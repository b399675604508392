/** The dry run: what becomes of a snapshot if a job is started from it so, before anybody does. */
import "../styles/restore.css";
import { type ReactElement, useState } from "react";
import type { Problem } from "../../base/result.ts";
import type { ExecutionGraph, TaskVertex } from "../../protocol/execution-graph.ts";
import type { RestorePreview } from "../../projection/restore-preview.ts";
import type { Command } from "../../scenario/scenario.ts";
import { useController } from "../controller-context.ts";
import { Modal } from "../controls/modal.tsx";
import { type Session, appStore } from "../store.ts";
import { useRestoreText } from "../text/restore-text.ts";
import { useApp } from "../use-app.ts";
import { type Moment, useMoment } from "../use-view.ts";
import { Moves } from "./moves.tsx";
import { Offsets } from "./offsets.tsx";
import { Operators } from "./operators.tsx";
import { Options } from "./options.tsx";
import { type DryRun, type Order, dryRun, firstOrder } from "./order.ts";

export default function RestoreDialog(): ReactElement | null {
  const asked = useApp((app) => app.asked);
  const session = useApp((app) => app.session);
  const moment = useMoment();
  if (asked === null || session === null || moment === null) return null;
  return <DryRunDialog asked={asked} session={session} moment={moment} />;
}

interface DialogProps {
  readonly asked: Command;
  readonly session: Session;
  readonly moment: Moment;
}

function DryRunDialog({ asked, session, moment }: DialogProps): ReactElement {
  const words = useRestoreText();
  const controller = useController();
  const [order, setOrder] = useState(() => firstOrder(moment, asked));
  const run = dryRun(session, moment, order);
  const close = (): void => appStore.setState({ dialog: null, asked: null });
  const go = (): void => {
    if (run.command === null) return;
    close();
    controller.inject(run.command);
  };
  const foot = (
    <>
      <button type="button" className="button" onClick={close}>
        {words.cancel}
      </button>
      <GoButton order={order} run={run} go={go} />
    </>
  );
  const title = order.rescale === null ? words.title : words.rescale(order.rescale.uid);
  return (
    <Modal title={title} description={words.description} onClose={close} foot={foot} className="dialog dry-run">
      {order.rescale === null ? (
        <Options order={order} set={setOrder} moment={moment} />
      ) : (
        <p className="dry-run-note">{words.rescaleFirst(order.rescale.path)}</p>
      )}
      <Verdict order={order} run={run} />
      <Operators order={order} set={setOrder} moment={moment} run={run} />
      {run.command === null ? null : <Found order={order} preview={run.preview} />}
    </Modal>
  );
}

function Found({ order, preview }: { readonly order: Order; readonly preview: RestorePreview }): ReactElement | null {
  if (preview.refusal !== null) return null;
  return (
    <>
      <Offsets preview={preview} atLeast={order.rescale !== null} />
      <Moves preview={preview} />
    </>
  );
}

interface RunProps {
  readonly order: Order;
  readonly run: DryRun;
}

function GoButton({ order, run, go }: RunProps & { readonly go: () => void }): ReactElement {
  const words = useRestoreText();
  const refused = run.command !== null && run.preview.refusal !== null;
  const label =
    order.rescale !== null
      ? words.goRescale
      : refused
        ? words.goRefused
        : order.snapshot === null
          ? words.goNone
          : words.go;
  return (
    <button
      type="button"
      className={refused ? "button danger" : "button primary"}
      disabled={run.command === null}
      onClick={go}
    >
      {label}
    </button>
  );
}

/** Would it start, and if not, why? */
function Verdict({ order, run }: RunProps): ReactElement {
  return (
    <div aria-live="polite" className="dry-run-verdict" data-verdict={verdictOf(order, run)}>
      {run.command === null ? <Problems problems={run.problems} /> : <Words preview={run.preview} order={order} />}
      {run.command === null || run.preview.refusal === null ? null : (
        <Refusal preview={run.preview} refusal={run.preview.refusal} path={run.command.from ?? ""} />
      )}
    </div>
  );
}

interface RefusalProps {
  readonly preview: RestorePreview;
  readonly refusal: NonNullable<RestorePreview["refusal"]>;
  readonly path: string;
}

/** What one can do about it, and what Flink's log says. */
function Refusal({ preview, refusal: { reason, uid }, path }: RefusalProps): ReactElement {
  const words = useRestoreText();
  const vertexIn = (graph: ExecutionGraph | null): TaskVertex | undefined =>
    graph?.vertices[graph.operators.find(({ vertex }) => vertex.uid === uid)?.taskVertex ?? -1];
  const now = vertexIn(preview.graph);
  const message = words.says(reason, {
    path,
    uid,
    had: vertexIn(preview.from)?.maxParallelism ?? 0,
    maximum: now?.maxParallelism ?? 0,
    parallelism: now?.parallelism ?? 0,
  });
  return (
    <>
      <p className="muted">{words.hint(reason)}</p>
      {message === null ? null : <p className="dry-run-message">{message}</p>}
    </>
  );
}

function verdictOf(order: Order, run: DryRun): "wrong" | "refused" | "dropped" | "found" | "empty" {
  if (run.command === null) return "wrong";
  if (run.preview.refusal !== null) return "refused";
  const { slots, operators } = run.preview;
  if (slots.needed > slots.there || operators.some(({ fate }) => fate === "dropped")) return "dropped";
  return order.rescale === null && order.snapshot === null ? "empty" : "found";
}

function Words({ preview, order }: { readonly preview: RestorePreview; readonly order: Order }): ReactElement {
  const words = useRestoreText();
  const { refusal, operators } = preview;
  const dropped = operators.flatMap(({ uid, fate }) => (fate === "dropped" ? [uid] : []));
  const { needed, there } = preview.slots;
  const waits = refusal === null && needed > there;
  const says =
    refusal !== null
      ? words.refused(refusal.uid, refusal.reason)
      : waits
        ? words.waits
        : dropped.length > 0
          ? words.startsWithout(dropped)
          : order.rescale === null && order.snapshot === null
            ? words.startsEmpty
            : words.starts;
  return (
    <>
      <p className="dry-run-says">{says}</p>
      {waits ? <p>{words.tooFewSlots(needed, there)}</p> : null}
    </>
  );
}

/** What a scenario file would be refused for. */
function Problems({ problems }: { readonly problems: readonly Problem[] }): ReactElement {
  const words = useRestoreText();
  return (
    <>
      <p className="dry-run-says">{words.wrong}</p>
      <ul className="list">
        {problems.map(({ path, value, message }) => (
          <li key={`${path} ${message}`}>
            <code>{value}</code> {message}
          </li>
        ))}
      </ul>
    </>
  );
}
