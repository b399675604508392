import type { ReactElement } from "react";

export default function Timeline(): ReactElement | null {
  return null;
}
