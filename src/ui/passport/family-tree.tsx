/** The family of a record as a tree: which pass came of which, and what was written in it. A name leads to its instant. */
import { type ReactElement, useMemo } from "react";
import { at } from "../../base/assert.ts";
import { type Member, familyOf } from "../../projection/family.ts";
import type { Passport, Passports, Write } from "../../projection/passport.ts";
import { isCommitted } from "../../protocol/sinks.ts";
import type { Run } from "../run.ts";
import { usePassportText } from "../text/passport-text.ts";
import { Time } from "./time.tsx";

interface FamilyProps {
  readonly passport: Passport;
  readonly passports: Passports;
  readonly run: Run;
}

export function Family({ passport, passports, run }: FamilyProps): ReactElement {
  const words = usePassportText();
  const roots = useMemo(() => familyOf(passport, run.log), [passport, run]);
  return (
    <section aria-label={words.familyTitle}>
      <h4 className="small-title">{words.familyTitle}</h4>
      <p className="muted">{words.familyNote(roots.length, passport.writes.length)}</p>
      <Members members={roots} passports={passports} run={run} />
    </section>
  );
}

interface MembersProps {
  readonly members: readonly Member[];
  readonly passports: Passports;
  readonly run: Run;
}

function Members({ members, passports, run }: MembersProps): ReactElement {
  return (
    <ul className="passport-family">
      {members.map((member) => (
        <Line key={member.step} member={member} passports={passports} run={run} />
      ))}
    </ul>
  );
}

/** A member and those behind it as long as there is one each; then what branches off, each in a line of its own. */
function Line({
  member,
  passports,
  run,
}: Pick<MembersProps, "passports" | "run"> & { readonly member: Member }): ReactElement {
  const row: Member[] = [member];
  for (let last = member; last.children.length === 1; row.push(last)) last = at(last.children, 0);
  const { children } = at(row, row.length - 1);
  return (
    <li>
      <span className="passport-line">
        {row.map((each) => (
          <Name key={each.step} member={each} passports={passports} run={run} />
        ))}
      </span>
      {children.length === 0 ? null : <Members members={children} passports={passports} run={run} />}
    </li>
  );
}

function Name({
  member: { step, pass, write },
  passports,
  run,
}: Pick<MembersProps, "passports" | "run"> & { readonly member: Member }): ReactElement | null {
  const words = usePassportText();
  if (write !== null) return <Output write={write} passports={passports} run={run} />;
  if (pass === null) return null;
  const name = run.jobs.byNumber(pass.submission)?.graph.subtasks[pass.subtask]?.name ?? "";
  const what = `${words.task(name, pass.attempt)} ${words.kinds[pass.kind]}`;
  return <Time run={run} step={step} what={what} shown={`${name} #${pass.attempt}`} />;
}

function Output({
  write,
  passports,
  run,
}: Pick<MembersProps, "passports" | "run"> & { readonly write: Write }): ReactElement {
  const words = usePassportText();
  const { name } = at(passports.view.shared.graph.outputs, write.partition);
  const output = words.output(name, write.offset, write.value);
  const times = Math.max(0, ...write.sights.filter(({ reader }) => isCommitted(reader)).map((sight) => sight.times));
  return (
    <>
      <Time run={run} step={write.step} what={output} shown={output} />
      <span className={times === 0 ? "tag gone" : "tag"}>{words.lasting(times)}</span>
    </>
  );
}
