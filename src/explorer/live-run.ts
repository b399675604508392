/** A run under way in a sweep: the simulation, how it is to end, and what its readers have seen. Cloned wherever runs part. */
import { Course } from "../engine/course.ts";
import type { Simulation } from "../engine/simulation.ts";
import { Invariants } from "../engine/invariants.ts";
import type { Command } from "../scenario/scenario.ts";
import { ReaderWatch } from "./reader-watch.ts";

export class LiveRun {
  readonly course: Course;
  readonly reader: ReaderWatch;

  constructor(simulation: Simulation, reader?: ReaderWatch) {
    this.course = new Course(simulation);
    this.reader = reader ?? new ReaderWatch(simulation.session.plan.graph.outputs.length);
  }

  get simulation(): Simulation {
    return this.course.simulation;
  }

  /** The step of its next entry. */
  get step(): number {
    return this.simulation.world.step;
  }

  /** Has it come to its end, or shown a defect of ours? */
  get over(): boolean {
    const { observer } = this.simulation;
    return this.course.ended !== null || (observer instanceof Invariants && observer.violations.length > 0);
  }

  clone(): LiveRun {
    return new LiveRun(this.simulation.clone(), this.reader.clone());
  }

  submit(command: Command): void {
    this.simulation.submit(command);
  }

  /** One entry, or the end; tells the entry's type, `-1` where there was none. */
  advance(): number {
    const { kernel, world } = this.simulation;
    const { step } = world;
    this.course.advance();
    if (kernel.world.step === step) return -1;
    this.reader.observe(kernel);
    return kernel.draft.type;
  }
}
