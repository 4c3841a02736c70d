import type { Cell } from "dragnet-probe";

/** Returns whether two cells are the same, or both are none. */
export function isSameCell(one: Cell | undefined, other: Cell | undefined): boolean {
  return one?.[0] === other?.[0] && one?.[1] === other?.[1];
}
