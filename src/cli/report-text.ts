/** The report as a person reads it at a terminal: what it came to, then one table a part, empty parts left out. */
import type { DeliveryRow, Report } from "../scenario/report.ts";

export function reportText(report: Report, title: string): string {
  return [
    head(report, title),
    submissions(report),
    checkpoints(report),
    recoveries(report),
    transactions(report),
    sources(report),
    delivery(report),
    globalCommits(report),
    background(report),
    state(report),
    notices(report),
  ].join("");
}

/** A heading and aligned columns; nothing where there are no rows. */
export function table(heading: string, columns: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  const widths = columns.map((column, index) =>
    Math.max(column.length, ...rows.map((row) => (row[index] ?? "").length)),
  );
  const line = (cells: readonly string[]): string =>
    `  ${cells.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join("  ")}`.trimEnd();
  return `\n${heading}\n${[columns, ...rows].map(line).join("\n")}\n`;
}

function time(milliseconds: number | null): string {
  return milliseconds === null ? "-" : `${(milliseconds / 1000).toFixed(3)} s`;
}

function ms(milliseconds: number | null): string {
  return milliseconds === null ? "-" : `${milliseconds} ms`;
}

/** A few names, and how many more. */
function names(list: readonly string[]): string {
  return list.length <= 6 ? list.join(" ") : `${list.slice(0, 6).join(" ")} and ${list.length - 6} more`;
}

function head({ scenario, ended, steps, clock, broken, job, verdict }: Report, title: string): string {
  const lines = [
    `${scenario}: ${title}`,
    `  state ${verdict.state}, end to end ${verdict.endToEnd}`,
    `  job ${job.status}, ${job.restarts} ${job.restarts === 1 ? "restart" : "restarts"}${job.failureCause === null ? "" : `, ${job.failureCause}`}`,
    `  ended ${ended} at ${time(clock)} after ${steps} steps`,
  ];
  if (broken.length > 0) lines.push(`  rules broken on purpose: ${broken.join(", ")}`);
  return `${lines.join("\n")}\n`;
}

/** Only where the job was submitted again: what each time it started from, and what became of it. */
function submissions({ submissions: all }: Report): string {
  if (all.length < 2) return "";
  return table(
    "Submissions",
    ["at", "from", "status", "restarts", "refused"],
    all.map(({ at, from, status, restarts, refused }) => [
      time(at),
      from ?? "-",
      status,
      String(restarts),
      refused ?? "",
    ]),
  );
}

function checkpoints(report: Report): string {
  const most = (values: readonly (number | null)[]): string =>
    ms(values.reduce<number | null>((a, b) => (b === null ? a : Math.max(a ?? 0, b)), null));
  return table(
    "Checkpoints",
    ["id", "status", "triggered", "took", "acked", "start delay", "alignment", "bytes", "failure"],
    report.checkpoints.map(({ id, status, triggered, ended, subtasks, stateBytes, failure }) => [
      String(id),
      status,
      time(triggered),
      ms(ended === null ? null : ended - triggered),
      `${subtasks.filter(({ acked }) => acked !== null).length}/${subtasks.length}`,
      most(subtasks.map(({ startDelay }) => startDelay)),
      most(subtasks.map(({ alignment }) => alignment)),
      String(stateBytes),
      failure ?? "",
    ]),
  );
}

function recoveries(report: Report): string {
  return table(
    "Recoveries",
    ["at", "granted", "delay", "running", "scope", "from", "restarted", "cause"],
    report.recoveries.map(({ at, granted, delay, runningAt, scope, restoredFrom, restarted, cause }) => [
      time(at),
      granted ? "yes" : "no",
      ms(delay),
      time(runningAt),
      scope,
      restoredFrom === null ? "-" : `checkpoint ${restoredFrom}`,
      names(restarted),
      cause,
    ]),
  );
}

function transactions(report: Report): string {
  return table(
    "Transactions",
    ["id", "sink", "state", "records", "begun", "pre-committed", "decided", "by"],
    report.transactions.map(({ id, sink, state, records, begun, preCommitted, decided, decidedBy }) => [
      id,
      sink,
      state,
      String(records),
      time(begun),
      time(preCommitted),
      time(decided),
      decidedBy ?? "",
    ]),
  );
}

function sources(report: Report): string {
  return table(
    "Sources",
    ["partition", "position", "group offset", "lag"],
    report.sources.map(({ partition, position, groupOffset, lag }) => [
      partition,
      String(position),
      groupOffset === null ? "-" : String(groupOffset),
      lag === null ? "-" : String(lag),
    ]),
  );
}

function delivery(report: Report): string {
  return table(
    "Delivery",
    ["sink", "reader", "expected", "seen", "found"],
    report.delivery.map((row) => [row.sink, row.reader, String(row.expected), String(row.seen), found(row)]),
  );
}

function globalCommits(report: Report): string {
  return table(
    "Global commits",
    ["sink", "checkpoint", "committers", "received", "transactions", "at", "commits"],
    report.globalCommits.map(({ sink, checkpoint, committers, received, committables, at, commits }) => [
      sink,
      String(checkpoint),
      String(committers),
      String(received),
      String(committables),
      time(at),
      String(commits),
    ]),
  );
}

function background(report: Report): string {
  return table(
    "Another producer's records, and what a committed reader waits for them at most",
    ["partition", "written", "readable", "waits, ms"],
    report.background.map((row) => [
      row.partition,
      String(row.written),
      String(row.readable),
      String(row.longestDelay),
    ]),
  );
}

function found(row: DeliveryRow): string {
  const parts = (["lost", "duplicated", "pending", "unprocessed", "differing"] as const)
    .filter((part) => row[part].length > 0)
    .map((part) => `${row[part].length} ${part}: ${names(row[part])}`);
  if (row.regressions > 0) parts.push(`${row.regressions} steps back`);
  return parts.length === 0 ? "each once" : parts.join("; ");
}

function state(report: Report): string {
  return table(
    "State",
    ["vertex", "lost", "duplicated"],
    report.state.map(({ vertex, lost, duplicated }) => [vertex, names(lost) || "none", names(duplicated) || "none"]),
  );
}

function notices(report: Report): string {
  return table(
    "Notices",
    ["code", "at", "message"],
    report.notices.map(({ code, path, message }) => [code, path, message]),
  );
}
