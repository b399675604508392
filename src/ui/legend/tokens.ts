/** One of each kind of thing that moves on the stage, standing still. */
import { SAVEPOINT, type Token } from "../../view/stage/frame-types.ts";
import { makePath } from "../../view/stage/path.ts";
import type { enLegend } from "../text/en-legend.ts";

type Name = keyof (typeof enLegend)["moving"];

const record: Token = {
  kind: "record",
  path: makePath({ x: 0, y: 0 }, [{ to: { x: 1, y: 0 } }]),
  from: 0,
  to: 1,
  departure: 0,
  arrival: 1,
  waits: true,
  mark: 0,
  letter: "",
  pass: 1,
  falls: null,
  captured: null,
  restored: false,
  overtakes: false,
};
const barrier: Token = { ...record, kind: "barrier", mark: 2 };

export const legendTokens: readonly { readonly name: Name; readonly token: Token }[] = [
  { name: "record", token: record },
  { name: "again", token: { ...record, mark: 1, pass: 2 } },
  { name: "restored", token: { ...record, mark: 2, restored: true } },
  { name: "storing", token: { ...record, captured: { checkpoint: 2, side: "input", stored: false } } },
  { name: "stored", token: { ...record, captured: { checkpoint: 2, side: "input", stored: true } } },
  { name: "barrier", token: barrier },
  { name: "overtakes", token: { ...barrier, overtakes: true } },
  { name: "savepoint", token: { ...barrier, letter: SAVEPOINT } },
  { name: "cancelMarker", token: { ...barrier, kind: "cancelMarker" } },
  { name: "end", token: { ...record, kind: "end" } },
  { name: "envelope", token: { ...record, kind: "envelope", mark: 2, letter: "T" } },
  { name: "lost", token: { ...record, kind: "envelope", mark: 2, letter: "T", falls: 0 } },
  { name: "file", token: { ...record, kind: "file", mark: 2 } },
];
