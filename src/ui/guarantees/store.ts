/**
 * The guarantee table as far as it has been computed. It belongs to the app and not to the dialog, which may be closed and
 * opened again: a run that is looked at in between costs nothing.
 */
import { createStore, type StoreApi } from "zustand/vanilla";
import { type Cell, cells, nameOfCell } from "../../scenario/guarantees/kinds.ts";
import type { CellResult } from "../../scenario/guarantees/result.ts";
import type { GuaranteePort, GuaranteeReply } from "../../worker/port.ts";
import type { Controller } from "../controller.ts";

export interface TableState {
  readonly state: "idle" | "going" | "paused" | "done" | "stopped" | "failed";
  /** In the order in which they came. */
  readonly results: readonly CellResult[];
  readonly seconds: number;
  readonly message: string;
}

export class GuaranteeTable {
  readonly store: StoreApi<TableState>;
  private readonly connect: Controller["connectGuarantees"];
  private port: GuaranteePort | null = null;
  /** Goes up with each start and stop: what an earlier one has asked for comes to nothing. */
  private turn = 0;

  constructor(connect: Controller["connectGuarantees"]) {
    this.connect = connect;
    this.store = createStore(() => ({
      state: "idle",
      results: [],
      seconds: 0,
      message: "",
    }));
  }

  /** Computes the cells of a source, or all, that are not there yet; where all are, all of them anew. */
  async start(source: string | null): Promise<void> {
    const turn = ++this.turn;
    const { results } = this.store.getState();
    const wanted = cellsOf(source);
    const missing = wanted.filter((cell) => !results.some((result) => sameCell(result.cell, cell)));
    const asked = missing.length === 0 ? wanted : missing;
    const kept = results.filter(({ cell }) => !asked.some((each) => sameCell(each, cell)));
    this.store.setState({ state: "going", message: "", results: kept });
    try {
      const port = await this.connect(asked);
      if (turn !== this.turn) return port.cancel();
      this.port = port;
      port.subscribe((reply) => (turn === this.turn ? this.take(reply) : undefined));
      if (this.store.getState().state === "paused") port.pause();
    } catch (error) {
      if (turn === this.turn) this.store.setState({ state: "failed", message: String(error) });
    }
  }

  pause(): void {
    this.port?.pause();
    this.store.setState({ state: "paused" });
  }

  resume(): void {
    this.port?.resume();
    this.store.setState({ state: "going" });
  }

  /** What there is stays. */
  stop(): void {
    this.turn++;
    this.port?.cancel();
    this.port = null;
    this.store.setState({ state: "stopped" });
  }

  private take(reply: GuaranteeReply): void {
    const { results } = this.store.getState();
    if (reply.type === "cell") this.store.setState({ results: [...results, reply.result] });
    else if (reply.type === "finished") this.store.setState({ state: "done", seconds: reply.seconds });
    else this.store.setState({ state: "failed", message: reply.message });
  }
}

const made = new WeakMap<Controller, GuaranteeTable>();

export function guaranteeTableOf(controller: Controller): GuaranteeTable {
  const table = made.get(controller) ?? new GuaranteeTable(controller.connectGuarantees);
  made.set(controller, table);
  return table;
}

/** The cells of a source; `null`: of all. */
export function cellsOf(source: string | null): readonly Cell[] {
  return cells().filter((cell) => source === null || cell.source === source);
}

export function sameCell(one: Cell, other: Cell): boolean {
  return nameOfCell(one) === nameOfCell(other);
}
