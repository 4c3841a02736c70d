import type { GameValue } from "dragnet-probe";
import { DRAW, SCALES } from "../../base/palette.js";
import { plies } from "../../base/text.js";
import type { VertexLook } from "../../graph/scene.js";

/** Returns the looks of a vertex with a value: a colour, a shape, and a letter with the distance. */
export function lookOfValue(value: GameValue | undefined): VertexLook {
  if (value === undefined) return { words: "not solved" };
  const { result, dtw } = value;
  if (result === "drawn") return { fill: DRAW, shape: "diamond", hatched: true, caption: "D", words: "drawn" };
  const words = `${result} in ${plies(dtw!)}`;
  return result === "won"
    ? { fill: SCALES.police[2]!, shape: "circle", caption: `W ${dtw}`, words }
    : { fill: SCALES.thief[2]!, shape: "square", caption: `L ${dtw}`, words };
}
