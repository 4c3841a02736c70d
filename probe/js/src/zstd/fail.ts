import { DragnetError } from "../errors.js";

/** Refuses a frame. */
export function refuse(what: string): never {
  throw new DragnetError("block", `Zstandard frame: ${what}`);
}
