/** The words of the tree of branches in the language that is shown. They are fetched with its panel. */
import { enBranches } from "./en-branches.ts";

export function useBranchesText(): typeof enBranches {
  return enBranches;
}
