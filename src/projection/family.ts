/**
 * The family of an input record: which pass came of which, and what was written in it, as a tree by the causes that the log
 * records. A tree begins where a source read the record, or where a snapshot's channel state gave it back. One input may
 * have many outputs, and after a failure several trees. An output that a sink writes later than it took the record, out of
 * its state, is under the pass in which its subtask took it last.
 */
import type { EventLog } from "../protocol/log.ts";
import type { Pass, Passport, Write } from "./passport.ts";

/** Exactly one of the two is there. */
export interface Member {
  readonly step: number;
  readonly pass: Pass | null;
  readonly write: Write | null;
  readonly children: readonly Member[];
}

interface Draft extends Member {
  readonly children: Draft[];
}

export function familyOf({ passes, writes }: Passport, log: EventLog): readonly Member[] {
  const members = new Map<number, Draft>();
  for (const pass of passes) members.set(pass.step, { step: pass.step, pass, write: null, children: [] });
  for (const write of writes) members.set(write.step, { step: write.step, pass: null, write, children: [] });
  const roots: Draft[] = [];
  for (const member of [...members.values()].sort((a, b) => a.step - b.step))
    (parentOf(members, log, member)?.children ?? roots).push(member);
  return roots;
}

function parentOf(members: ReadonlyMap<number, Draft>, log: EventLog, { step, pass, write }: Draft): Draft | null {
  if (pass?.kind === "read") return null;
  const found = nearest(members, log, log.cause(step));
  if (found !== null || write === null) return found;
  const { subtask, submission } = write;
  const taken = [...members.values()].filter(
    (member) =>
      member.step < step &&
      member.pass?.kind === "taken" &&
      member.pass.subtask === subtask &&
      member.pass.submission === submission,
  );
  return taken.reduce<Draft | null>((last, member) => (member.step > (last?.step ?? -1) ? member : last), null);
}

/** The first member on the way back from an entry; `null`: there is none. */
function nearest(members: ReadonlyMap<number, Draft>, log: EventLog, from: number): Draft | null {
  for (let step = from; step >= 0; step = log.cause(step)) {
    const member = members.get(step);
    if (member !== undefined) return member;
  }
  return null;
}
