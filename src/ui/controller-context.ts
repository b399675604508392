import { createContext, useContext } from "react";
import type { Controller } from "./controller.ts";

export const ControllerContext = createContext<Controller | null>(null);

export function useController(): Controller {
  const controller = useContext(ControllerContext);
  if (controller === null) throw new Error("assertion failed: a component stands outside the app");
  return controller;
}
