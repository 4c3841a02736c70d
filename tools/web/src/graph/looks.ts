import { DRAW, SCALES } from "../base/palette.js";
import { plies } from "../base/text.js";
import { DRAWN, LOST, UNDECIDED, WON, type VertexResult } from "../model/retrograde.js";
import type { VertexLook } from "./scene.js";

/** The colours of results for the player to move. Shape, hatching and letters tell them apart as well. */
export const WON_COLOUR = SCALES.police[2]!;
export const LOST_COLOUR = SCALES.thief[4]!;

/** Returns the looks of a vertex with a result, with W, L or D and the distance below it. */
export function resultLook(result: VertexResult, distance: number): VertexLook {
  switch (result) {
    case UNDECIDED:
      return { words: "undecided" };
    case WON:
      return { fill: WON_COLOUR, caption: `W ${distance}`, words: `won in ${plies(distance)}` };
    case LOST:
      return { fill: LOST_COLOUR, shape: "square", caption: `L ${distance}`, words: lostWords(distance) };
    case DRAWN:
      return { fill: DRAW, shape: "diamond", hatched: true, caption: "D", words: "drawn" };
  }
}

function lostWords(distance: number): string {
  return distance === 0 ? "lost" : `lost in ${plies(distance)}`;
}
