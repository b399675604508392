/** The sink's delivery guarantee: the one setting that decides what a failure costs, so it is always in sight. */
import type { ReactElement } from "react";
import { deliveryGuarantees } from "../../protocol/job-graph.ts";
import { useController } from "../controller-context.ts";
import { useApp } from "../use-app.ts";
import { useText } from "../text/use-text.ts";
import { openWithDelivery } from "../with-opening.ts";

export function DeliverySelect(): ReactElement | null {
  const { header } = useText();
  const controller = useController();
  const session = useApp((app) => app.session);
  const sink = session?.scenario.job.vertices.find((vertex) => vertex.type === "kafka-sink");
  if (session === null || sink?.type !== "kafka-sink") return null;
  const choose = (value: string): void => {
    const delivery = deliveryGuarantees.find((each) => each === value);
    if (delivery !== undefined) void openWithDelivery(controller, session, delivery);
  };
  return (
    <label className="select delivery" title={header.deliveryNotes[sink.delivery]}>
      <span className="select-name">{header.delivery}</span>
      <select
        aria-label={header.delivery}
        value={sink.delivery}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        {[...deliveryGuarantees].reverse().map((delivery) => (
          <option key={delivery} value={delivery}>
            {header.deliveries[delivery]}
          </option>
        ))}
      </select>
    </label>
  );
}
