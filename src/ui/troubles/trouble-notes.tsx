/** Trouble at an element, told where the element is looked at: what happened, why, and what to do. */
import { TriangleAlert } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import type { StageElement } from "../../view/stage/elements.ts";
import { askBefore, showDialog } from "../app-actions.ts";
import { askForKeys } from "../configuration/search-asked.ts";
import { useController } from "../controller-context.ts";
import { command } from "../fault-item.ts";
import { useTroublesText } from "../text/troubles-text.ts";
import { useText } from "../text/use-text.ts";
import type { Moment } from "../use-view.ts";
import { explain } from "../why/explain.ts";
import { type Trouble, troublesOf } from "./troubles.ts";

interface NotesProps {
  readonly element: StageElement;
  readonly moment: Moment;
}

export function TroubleNotes({ element, moment }: NotesProps): ReactElement[] {
  return troublesOf(moment, element).map((trouble) => (
    <div key={trouble.id} className="trouble" data-trouble={trouble.id}>
      <TriangleAlert aria-hidden />
      <Note trouble={trouble} />
    </div>
  ));
}

function Note({ trouble }: { readonly trouble: Trouble }): ReactElement {
  const words = useTroublesText();
  switch (trouble.id) {
    case "E-30":
      return <FailedForGood trouble={trouble} />;
    case "E-31":
      return (
        <Told says={words.cannotStart(trouble.timeout, trouble.most)}>
          <Act label={words.openRule} act={() => openKeys("transaction.")} />
        </Told>
      );
    case "E-32":
      return <ReadersStuck trouble={trouble} />;
    case "E-33":
      return <Blocked trouble={trouble} />;
    case "E-35":
      return (
        <Told says={words.noCheckpoint(trouble.why)}>
          {trouble.why === "off" ? (
            <Act label={words.setInterval} act={() => openKeys("execution.checkpointing.interval")} />
          ) : null}
        </Told>
      );
  }
}

function FailedForGood({ trouble }: { readonly trouble: Extract<Trouble, { id: "E-30" }> }): ReactElement {
  const words = useTroublesText();
  const { stageText } = useText();
  const controller = useController();
  const { cause, strategy, from, failedAt } = trouble;
  return (
    <Told says={words.failed(stageText.reason(cause), strategy)}>
      <Act label={from === null ? words.startWithout : words.startFrom(shortOf(from))} act={() => startFrom(from)} />
      {strategy === null ? null : (
        <Act
          label={words.changeStrategy}
          act={() => {
            controller.goTo(failedAt - 1);
            openKeys("restart-strategy");
          }}
        />
      )}
      <Why step={failedAt} />
    </Told>
  );
}

function startFrom(path: string | null): void {
  askBefore(
    command("restore", null, {
      from: path ?? "none",
      jobId: "fresh",
      claimMode: "NO_CLAIM",
      allowNonRestoredState: false,
    }),
  );
}

function Blocked({ trouble }: { readonly trouble: Extract<Trouble, { id: "E-33" }> }): ReactElement {
  const words = useTroublesText();
  const controller = useController();
  const { transactions, leadsAt, from } = trouble;
  const back = leadsAt === null ? () => startFrom(from) : () => controller.goTo(leadsAt);
  return (
    <Told says={words.blocked(transactions)}>
      <Act
        label={leadsAt === null ? words.startAgain(from === null ? null : shortOf(from)) : words.bringBack}
        act={back}
      />
      <Act label={words.tradeOff} act={() => showDialog("guarantees")} />
    </Told>
  );
}

function ReadersStuck({ trouble }: { readonly trouble: Extract<Trouble, { id: "E-32" }> }): ReactElement {
  const words = useTroublesText();
  const controller = useController();
  const { partition, offset, transaction, number, left, endsAt } = trouble;
  return (
    <Told says={words.stuck(partition, offset, transaction, left)}>
      {endsAt === null ? null : <Act label={words.skip} act={() => controller.goTo(endsAt)} />}
      <Act label={words.why} act={() => explain({ kind: "transaction", id: number })} />
    </Told>
  );
}

/** What led to an entry: the cursor goes there, and nothing else is explained. */
function Why({ step }: { readonly step: number }): ReactElement {
  const words = useTroublesText();
  const controller = useController();
  return (
    <Act
      label={words.why}
      act={() => {
        controller.goTo(step);
        explain(null);
      }}
    />
  );
}

function openKeys(query: string): void {
  askForKeys(query);
  showDialog("configuration");
}

/** `s3://demo/savepoints/savepoint-000000-…`: the last part tells them apart. */
function shortOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function Told({ says, children }: { readonly says: string; readonly children: ReactNode }): ReactElement {
  return (
    <div aria-live="polite">
      <p>{says}</p>
      <p className="trouble-acts">{children}</p>
    </div>
  );
}

function Act({ label, act }: { readonly label: string; readonly act: () => void }): ReactElement {
  return (
    <button type="button" className="button small" onClick={act}>
      {label}
    </button>
  );
}
