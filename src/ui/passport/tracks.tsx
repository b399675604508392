/** One record's two tracks: passes, and effects with the family of its outputs. Each stamp leads to its instant. */
import type { ReactElement, ReactNode } from "react";
import { at } from "../../base/assert.ts";
import {
  type Application,
  type Passport,
  type Passports,
  type Sight,
  type Stamp,
  type Write,
  durableSince,
  passCount,
} from "../../projection/passport.ts";
import { keyOfRecord } from "../../projection/shared.ts";
import { recordName, recordOffset, recordPartition, transactionName } from "../../protocol/ids.ts";
import { isCommitted } from "../../protocol/sinks.ts";
import type { Run } from "../run.ts";
import { usePassportText } from "../text/passport-text.ts";
import { Family } from "./family-tree.tsx";
import { PinButton } from "./pin-button.tsx";
import { Time } from "./time.tsx";

interface TracksProps {
  readonly passport: Passport;
  readonly passports: Passports;
  readonly run: Run;
}

export function Tracks(props: TracksProps): ReactElement {
  const words = usePassportText();
  const { passport, passports } = props;
  const { shared } = passports.view;
  const { graph } = shared;
  const { record } = passport;
  const key = graph.keys[keyOfRecord(shared, record)] ?? "";
  return (
    <>
      <div className="passport-head">
        <h3 className="mono passport-name">{recordName(graph, record)}</h3>
        <PinButton record={record} name={recordName(graph, record)} />
      </div>
      <p className="muted">
        {words.born(at(graph.inputs, recordPartition(graph, record)).name, recordOffset(graph, record), key)}
      </p>
      <div className="passport-tracks">
        <section aria-label={words.passesTitle(passCount(passport))}>
          <h4 className="small-title">{words.passesTitle(passCount(passport))}</h4>
          <Passes {...props} />
        </section>
        <section aria-label={words.effectsTitle}>
          <h4 className="small-title">{words.effectsTitle}</h4>
          <h5 className="passport-part">{words.stateTitle}</h5>
          <States {...props} />
          <h5 className="passport-part">{words.outputsTitle(passport.writes.length)}</h5>
          <Outputs {...props} />
        </section>
      </div>
      <Family {...props} />
    </>
  );
}

interface StampedProps {
  readonly run: Run;
  readonly stamp: Stamp;
  readonly says: string;
  readonly gone?: boolean;
  readonly children?: ReactNode;
}

function Stamped({ run, stamp, says, gone, children }: StampedProps): ReactElement {
  const words = usePassportText();
  const name = run.jobs.byNumber(stamp.submission)?.graph.subtasks[stamp.subtask]?.name ?? "";
  const task = words.task(name, stamp.attempt);
  return (
    <li className={gone === true ? "passport-stamp gone" : "passport-stamp"}>
      <Time run={run} step={stamp.step} what={`${task} ${says}`} />
      <div>
        <span className="mono">{name}</span>, {words.attempt(stamp.attempt)} {says}
        {children}
      </div>
    </li>
  );
}

function Passes({ passport, run }: TracksProps): ReactElement {
  const words = usePassportText();
  const times = new Map<string, number>();
  return (
    <ol className="passport-stamps">
      {passport.passes.map((pass) => {
        const place = `${pass.kind} ${pass.submission} ${pass.subtask}`;
        const nth = (times.get(place) ?? 0) + 1;
        times.set(place, nth);
        return (
          <Stamped key={pass.step} run={run} stamp={pass} says={words.kinds[pass.kind]}>
            {nth > 1 ? <span className="tag">{words.again(nth)}</span> : null}
            {pass.kind === "read" ? <Carried run={run} carried={pass} /> : null}
          </Stamped>
        );
      })}
    </ol>
  );
}

function Carried({
  run,
  carried,
}: {
  readonly run: Run;
  readonly carried: Pick<Application, "checkpoint" | "durable">;
}): ReactElement {
  const words = usePassportText();
  const { checkpoint, durable } = carried;
  if (checkpoint < 0) return <div className="muted">{words.notCarried}</div>;
  const says = words.carried(checkpoint);
  return (
    <div className="muted">
      {says}, {words.completed} <Time run={run} step={durable} what={`${says}, ${words.completed}`} />
    </div>
  );
}

function States({ passport, run }: TracksProps): ReactElement {
  const words = usePassportText();
  if (passport.applications.length === 0) return <p className="muted">{words.noState}</p>;
  return (
    <ol className="passport-stamps">
      {passport.applications.map((application) => (
        <Stamped key={application.step} run={run} stamp={application} says="" gone={!application.held}>
          <strong>{application.held ? words.held : words.rolledBack}</strong>
          <Carried run={run} carried={application} />
        </Stamped>
      ))}
    </ol>
  );
}

function Outputs({ passport, passports, run }: TracksProps): ReactElement {
  const words = usePassportText();
  const { view } = passports;
  const { graph } = view.shared;
  const durable = durableSince(passport);
  if (passport.writes.length === 0) return <p className="muted">{words.noOutputs}</p>;
  const inTransaction = ({ transaction }: Write): string => {
    if (transaction < 0) return words.outside;
    const { number, state } = at(view.transactions, transaction);
    return words.transaction(transactionName(graph, number), state);
  };
  return (
    <ol className="passport-stamps">
      {passport.writes.map((write) => (
        <Stamped
          key={write.step}
          run={run}
          stamp={write}
          says={`→ ${words.output(at(graph.outputs, write.partition).name, write.offset, write.value)}`}
          gone={write.sights.every(({ reader, times }) => !isCommitted(reader) || times === 0)}
        >
          <div className="muted">{inTransaction(write)}</div>
          <ul className="passport-sights">
            {write.sights.map((sight) => (
              <Seen key={sight.reader} sight={sight} durable={durable} run={run} />
            ))}
          </ul>
        </Stamped>
      ))}
    </ol>
  );
}

interface SeenProps {
  readonly sight: Sight;
  readonly durable: number;
  readonly run: Run;
}

function Seen({ sight: { reader, since, times }, durable, run }: SeenProps): ReactElement {
  const words = usePassportText();
  if (since < 0) return <li className="muted">{words.unseen(reader)}</li>;
  const says = times > 0 ? words.seen(reader, times) : words.seenOnce(reader);
  const early = durable < 0 || since < durable;
  return (
    <li>
      {says} <Time run={run} step={since} what={says} />
      {early ? <span className={isCommitted(reader) ? "passport-early" : "muted"}> {words.early}</span> : null}
    </li>
  );
}
