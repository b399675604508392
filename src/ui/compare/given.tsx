/** What two runs were given that is not the same, and for each difference the first entry that came of it. */
import type { ReactElement } from "react";
import { EventNumber } from "../../protocol/events.ts";
import type { Acted, FirstEffect, InputDifference } from "../../projection/input-diff.ts";
import { commandName } from "../fault-name.ts";
import { clockTime } from "../format.ts";
import { sentenceOf } from "../narration.ts";
import { useCompareText } from "../text/compare-text.ts";
import { useText } from "../text/use-text.ts";
import { SideMark } from "./side-mark.tsx";
import type { SideBySide } from "./side-by-side.ts";
import type { Two } from "./two.ts";

interface GivenProps {
  readonly side: SideBySide;
  readonly two: Two;
}

export function Given({ side, two }: GivenProps): ReactElement {
  const words = useCompareText();
  const { given } = words;
  return (
    <section className="compare-part" aria-label={given.title}>
      <h3 className="small-title">{given.title}</h3>
      {two.inputs.length === 0 ? <p className="muted">{given.none}</p> : <Rows side={side} two={two} />}
    </section>
  );
}

function Rows({ side, two }: GivenProps): ReactElement {
  const words = useCompareText();
  const { given } = words;
  return (
    <table className="table compare-given">
      <caption className="visually-hidden">{given.title}</caption>
      <thead>
        <tr>
          <th scope="col">{given.what}</th>
          <th scope="col">
            <SideMark side="a" />
          </th>
          <th scope="col">
            <SideMark side="b" />
          </th>
          <th scope="col">{given.first}</th>
        </tr>
      </thead>
      <tbody>
        {two.inputs.map((input, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- rows of one comparison keep their places
          <tr key={index} data-kind={input.kind}>
            <th scope="row">
              <What input={input} />
            </th>
            <td data-side={given.sides.a}>
              <Value input={input} of="a" />
            </td>
            <td data-side={given.sides.b}>
              <Value input={input} of="b" />
            </td>
            <td data-side={given.first}>
              <Effect side={side} two={two} effect={input.effect} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function What({ input }: { readonly input: InputDifference }): ReactElement {
  const { given } = useCompareText();
  const text = useText();
  if (input.kind === "option") return <code>{input.key}</code>;
  if (input.kind === "part") return <code>{input.path}</code>;
  const command = (input.a ?? input.b)?.command;
  return (
    <>
      {command === undefined ? "" : commandName(command, text)}{" "}
      <span className="compare-note">{given.changes[input.change]}</span>
    </>
  );
}

function Value({ input, of }: { readonly input: InputDifference; readonly of: "a" | "b" }): ReactElement {
  const { given } = useCompareText();
  if (input.kind === "command") return <>{acted(input[of], given)}</>;
  const value = input[of];
  return value === null ? <span className="muted">{given.notSet}</span> : <code>{value}</code>;
}

function acted(of: Acted | null, given: ReturnType<typeof useCompareText>["given"]): string {
  if (of === null) return given.absent;
  return of.clock === null ? given.never : given.acts(clockTime(of.clock));
}

interface EffectProps extends GivenProps {
  readonly effect: FirstEffect | null;
}

/** The entry, and the one that it hangs on: which both runs have, unless it is the command's own. */
function Effect({ side, two, effect }: EffectProps): ReactElement {
  const { given, showIn } = useCompareText();
  const text = useText();
  if (effect === null) return <span className="muted">{given.noEffect}</span>;
  const { run } = two[effect.side];
  const { log } = run;
  const isOwn = effect.cause >= 0 && log.type(effect.cause) === EventNumber.FaultInjected;
  return (
    <>
      <SideMark side={effect.side} />{" "}
      <button
        type="button"
        className="link-button event-jump"
        aria-label={showIn(effect.step)}
        onClick={() => side.toEvent(effect.step)}
      >
        {clockTime(log.clock(effect.step))}
      </button>{" "}
      {sentenceOf(run, effect.step, text)}
      <span className="compare-cause">
        {effect.cause < 0
          ? given.timed
          : isOwn
            ? given.byCommand
            : given.hangsOn(sentenceOf(run, effect.cause, text), effect.cause)}
      </span>
    </>
  );
}
