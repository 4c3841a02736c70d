import { DragnetError } from "../errors.js";

/** Throws the error for a frame that is not valid. */
export function refuse(what: string): never {
  throw new DragnetError("block", `Zstandard frame: ${what}`);
}
