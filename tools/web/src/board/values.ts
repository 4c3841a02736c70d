import type { Board, Slice } from "dragnet-probe";
import type { Values } from "./scene.js";

/** Returns the values of a layer of a slice, square by square. */
export function valuesOf({ outcome, dtw, longest }: Slice, layer: number, { height, width }: Board): Values {
  const [start, end] = [layer * height * width, (layer + 1) * height * width];
  return { outcomes: outcome.subarray(start, end), distances: dtw.subarray(start, end), longest };
}
