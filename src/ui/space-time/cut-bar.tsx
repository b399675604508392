/** What a drawn cut comes to: consistent or not, with its violations and the messages in transit. */
import { Wrench } from "lucide-react";
import type { ReactElement } from "react";
import { at } from "../../base/assert.ts";
import { drawnCut } from "../../projection/drawn-cut.ts";
import { type Cut, type Message, type Verdict, cutAt, judgeCut, repairCut } from "../../projection/global-cuts.ts";
import type { SpaceTime } from "../../projection/space-time.ts";
import { useController } from "../controller-context.ts";
import { sentenceOf } from "../narration.ts";
import type { Run } from "../run.ts";
import { useSpaceTimeText } from "../text/space-time-text.ts";
import { useText } from "../text/use-text.ts";
import type { BranchRun } from "../store.ts";
import { Choose } from "./choose.tsx";
import type { Barrier } from "./model.ts";
import { RestoreCut } from "./restore-cut.tsx";

interface CutBarProps {
  readonly space: SpaceTime;
  readonly names: readonly string[];
  readonly verdict: Verdict;
  readonly cut: Cut;
  readonly setCut: (cut: Cut) => void;
  readonly branch: BranchRun;
  readonly step: number;
  /** Of checkpoints. */
  readonly barriers: readonly Barrier[];
}

/** Messages that are told one by one. */
const TOLD = 4;

export function CutBar({ space, names, verdict, cut, setCut, branch, step, barriers }: CutBarProps): ReactElement {
  const words = useSpaceTimeText().cut;
  const { violations, inTransit } = verdict;
  const { run } = branch;
  const drawn = drawnCut(space, run.log, run.jobs.at(step).graph, cut);
  const bad = violations.length > 0;
  return (
    <section className="cut-bar" aria-label={words.tool}>
      <div className="panel-bar">
        <output className="cut-verdict" data-consistent={!bad}>
          {bad ? words.violated(violations.length) : words.consistent(inTransit.length)}
        </output>
        <button type="button" className="button small" disabled={!bad} onClick={() => setCut(repairCut(space, cut))}>
          <Wrench aria-hidden />
          {words.repair}
        </button>
        <button type="button" className="button small" onClick={() => setCut(cutAt(space, step))}>
          {words.here}
        </button>
        <Choose
          label={words.ofCheckpoint}
          value=""
          options={[
            { value: "", label: words.ofCheckpoint },
            ...barriers.map(({ id }) => ({ value: String(id), label: words.checkpoint(id) })),
          ]}
          choose={(value) => {
            const found = barriers.find(({ id }) => String(id) === value);
            if (found !== undefined) setCut(found.cut);
          }}
        />
      </div>
      <p className="muted">{words.hint}</p>
      <RestoreCut branch={branch} drawn={drawn} verdict={judgeCut(space, drawn.cut)} />
      <Messages title={words.violations} messages={violations} run={run}>
        {({ sent, received }) => words.violation(at(names, space.lineOf(received)), at(names, space.lineOf(sent)))}
      </Messages>
      <Messages title={words.inTransit} messages={inTransit} run={run}>
        {({ sent, received }) => words.transit(at(names, space.lineOf(sent)), at(names, space.lineOf(received)))}
      </Messages>
    </section>
  );
}

interface MessagesProps {
  readonly title: string;
  readonly messages: readonly Message[];
  readonly run: Run;
  readonly children: (message: Message) => string;
}

function Messages({ title, messages, run, children }: MessagesProps): ReactElement | null {
  const text = useText();
  const words = useSpaceTimeText().cut;
  const controller = useController();
  if (messages.length === 0) return null;
  return (
    <ul className="cut-messages" aria-label={title}>
      {messages.slice(0, TOLD).map((message) => (
        <li key={message.received}>
          <strong>{children(message)}</strong>: {sentenceOf(run, message.received, text)}{" "}
          <button
            type="button"
            className="link-button"
            aria-label={text.common.goTo(message.received)}
            onClick={() => controller.goTo(message.received)}
          >
            {message.received}
          </button>
        </li>
      ))}
      {messages.length > TOLD ? <li className="muted">{words.more(messages.length - TOLD)}</li> : null}
    </ul>
  );
}
