/** Words of the tree of branches: names, putting away, bringing back. Fetched with its panel. */
import { plural } from "./plural.ts";

export const enBranches = {
  rename: (name: string) => `Rename ${name}`,
  nameOf: (name: string) => `Name of ${name}`,
  remove: (name: string) => `Delete ${name} and what branches off from it`,
  gone: (count: number) => `${plural(count, "branch", "branches")} deleted.`,
  bringBack: "Undo the deletion",
};
