import type { GameValue } from "dragnet-probe";
import { DRAW, SCALES } from "../base/palette.js";
import { plies } from "../base/text.js";
import type { VertexLook } from "./scene.js";

/** Returns a value for people, such as "won in 3 plies". */
export function valueText({ result, dtw }: GameValue): string {
  return dtw === null ? result : `${result} in ${plies(dtw)}`;
}

/** Returns the looks of a vertex with a value: a colour, a shape, and a letter with the distance. */
export function lookOfValue(value: GameValue): VertexLook {
  const words = valueText(value);
  switch (value.result) {
    case "won":
      return { fill: SCALES.police[2]!, shape: "circle", caption: `W ${value.dtw}`, words };
    case "lost":
      return { fill: SCALES.thief[2]!, shape: "square", caption: `L ${value.dtw}`, words };
    case "drawn":
      return { fill: DRAW, shape: "diamond", hatched: true, caption: "D", words };
  }
}
