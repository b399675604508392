import { expect, test } from "vitest";
import { graphs } from "../testing/graphs.ts";
import { stageLayout } from "./layout.ts";
import { createLayoutService } from "./layout-service.ts";
import type { LayoutReply, LayoutRequest } from "./layout.worker.ts";

const size = { width: 960, height: 560 };

/** A worker that answers when it is told to. */
class StubWorker extends EventTarget {
  readonly requests: LayoutRequest[] = [];

  postMessage(request: LayoutRequest): void {
    this.requests.push(request);
  }

  async answer(): Promise<void> {
    for (const { id, graph, size: room } of this.requests) {
      const reply: LayoutReply = { id, layout: await stageLayout(graph, room) };
      this.dispatchEvent(Object.assign(new Event("message"), { data: reply }));
    }
  }
}

function stub(): StubWorker & Worker {
  return new StubWorker() as StubWorker & Worker;
}

test("a layout that is there is not asked for again", async () => {
  const worker = stub();
  const service = createLayoutService(() => worker);
  expect(service.known(graphs.orders, size)).toBeNull();
  const asked = service.layout(graphs.orders, size);
  await worker.answer();
  const layout = await asked;
  expect(layout).toEqual(await stageLayout(graphs.orders, size));
  expect(service.known(structuredClone(graphs.orders), size)).toBe(layout);
  expect(await service.layout(graphs.orders, size)).toBe(layout);
  expect(worker.requests).toHaveLength(1);
});

test("a worker that breaks is replaced, and what it owed is asked for again", async () => {
  const workers = [stub(), stub()];
  let started = 0;
  const service = createLayoutService(() => workers[started++] ?? stub());
  const asked = service.layout(graphs.line, size);
  workers[0]?.dispatchEvent(Object.assign(new Event("error"), { message: "gone" }));
  await workers[1]?.answer();
  expect(await asked).toEqual(await stageLayout(graphs.line, size));
  expect(started).toBe(2);
});

test("workers that all break: the third is the last, and whoever waits hears so", async () => {
  const workers: (StubWorker & Worker)[] = [];
  const service = createLayoutService(() => {
    const worker = stub();
    workers.push(worker);
    return worker;
  });
  const asked = service.layout(graphs.line, size);
  for (let each = 0; each < 3; each++)
    workers[each]?.dispatchEvent(Object.assign(new Event("error"), { message: "gone" }));
  await expect(asked).rejects.toThrow("No layout: gone");
  await expect(service.layout(graphs.orders, size)).rejects.toThrow("No layout");
  expect(workers).toHaveLength(3);
});
