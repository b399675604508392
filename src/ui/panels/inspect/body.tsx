/** All that can be told of the inspected thing at the cursor. */
import type { ReactElement } from "react";
import { unreachable } from "../../../base/assert.ts";
import type { StageElement } from "../../../view/stage/elements.ts";
import { TroubleNotes } from "../../troubles/trouble-notes.tsx";
import type { Moment } from "../../use-view.ts";
import { ChannelFields } from "./channel.tsx";
import { CheckpointFields } from "./checkpoint.tsx";
import { InputFields, OutputFields } from "./partitions.tsx";
import { JobManagerFields, TaskManagerFields } from "./processes.tsx";
import { StorageFields } from "./storage.tsx";
import { SubtaskFields } from "./subtask.tsx";
import { TransactionFields } from "./transaction.tsx";
import { EdgeFields } from "./edge.tsx";
import { VertexFields } from "./vertex.tsx";
import "../../styles/inspect.css";

interface BodyProps {
  readonly element: StageElement;
  readonly moment: Moment;
}

export { default as Exceptions } from "../exceptions.tsx";

export function Body({ element, moment }: BodyProps): ReactElement {
  return (
    <>
      <TroubleNotes element={element} moment={moment} />
      <FieldsOf element={element} moment={moment} />
    </>
  );
}

function FieldsOf({ element, moment }: BodyProps): ReactElement | null {
  switch (element.kind) {
    case "subtask":
      return <SubtaskFields id={element.id} moment={moment} />;
    case "channel":
      return <ChannelFields id={element.id} moment={moment} />;
    case "checkpoint":
      return <CheckpointFields id={element.id} moment={moment} />;
    case "transaction":
      return <TransactionFields number={element.id} moment={moment} />;
    case "input":
      return <InputFields id={element.id} moment={moment} />;
    case "output":
      return <OutputFields id={element.id} moment={moment} />;
    case "taskManager":
      return <TaskManagerFields id={element.id} moment={moment} />;
    case "jobManager":
      return <JobManagerFields moment={moment} />;
    case "vertex":
      return <VertexFields id={element.id} moment={moment} />;
    case "edge":
      return <EdgeFields id={element.id} moment={moment} />;
    case "storage":
      return <StorageFields moment={moment} />;
    default:
      return unreachable(element.kind);
  }
}
