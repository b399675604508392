/** The edge by which a part of the shell is made larger; what moves it is fetched when the shell is there. */
import { later } from "../later.tsx";

export const Resize = later(() => import("./resize-handle.tsx"));
