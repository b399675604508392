/**
 * The part of simjs that the bench uses as its peer. The package exports nothing: it sets `window.Sim` where a `window`
 * is, so whoever times it makes one first:
 *
 *     const host = globalThis as unknown as { window?: unknown; Sim?: SimJs.Library };
 *     host.window = globalThis;
 *     await import("simjs");
 */
declare module "simjs" {}

declare namespace SimJs {
  interface Request {
    done(callback: () => void, context?: object, argument?: unknown): Request;
  }
  interface Entity {
    time(): number;
    setTimer(duration: number): Request;
  }
  interface Simulation {
    time(): number;
    addEntity<E extends Entity>(kind: new (...args: never[]) => E, name: string, ...args: unknown[]): E;
    simulate(endTime: number, maxEvents?: number): boolean;
  }
  interface Library {
    Sim: new () => Simulation;
    Entity: new (sim: Simulation, name: string) => Entity;
  }
}
