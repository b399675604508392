/** The edge by which a part of the shell is made larger; what moves it is fetched when the shell is there. */
import { type ReactElement, Suspense, lazy } from "react";
import type { ResizeHandleProps } from "./resize-handle.tsx";

const ResizeHandle = lazy(() => import("./resize-handle.tsx"));

export function Resize(props: ResizeHandleProps): ReactElement {
  return (
    <Suspense fallback={null}>
      <ResizeHandle {...props} />
    </Suspense>
  );
}
