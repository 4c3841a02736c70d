import type { Outcome } from "dragnet-probe";
import palette from "./palette.json";

/** The colours that do not depend on a distance. */
export const { draw: DRAW, wall: WALL, open: OPEN, exit: EXIT, start: START } = palette;

/** The colours of a side's wins, from the quickest to the slowest. */
export const SCALES: Readonly<Record<"police" | "thief", readonly string[]>> = palette;

/** The tints of squares with letters, which tell neighbouring letters of the alphabet apart. */
const TINTS = ["#ead9b0", "#cbe3bd", "#d8d0ef", "#f2cdd0", "#c4e3e8", "#e6d2bd"] as const;
const ARROW_TINT = "#d3dfec";

/** Returns the tint of a square with a letter or an arrow. */
export function tintOf(letter: string): string {
  return /[A-Za-uw-z]/.test(letter) ? TINTS[letter.charCodeAt(0) % TINTS.length]! : ARROW_TINT;
}

/** The colour of each outcome where distances are not shown. */
export const OUTCOME_COLOURS: Readonly<Record<Outcome, string>> = {
  police: SCALES.police[2]!,
  thief: SCALES.thief[3]!,
  draw: DRAW,
};

/**
 * Returns the colour of a value. `longest` is the slowest win of each side among the values shown, which has
 * the palest colour.
 */
export function colourOf(
  outcome: Outcome,
  dtw: number,
  longest: { readonly police: number; readonly thief: number },
): string {
  if (outcome === "draw") return DRAW;
  const scale = SCALES[outcome];
  const share = Math.sqrt(Math.min(dtw / Math.max(longest[outcome], 1), 1));
  return scale[Math.min(Math.floor(share * scale.length), scale.length - 1)]!;
}

/** Returns whether text on a colour, written #rrggbb, is better white than black. */
export function isDark(colour: string): boolean {
  const [red, green, blue] = [1, 3, 5].map((at) => linear(parseInt(colour.slice(at, at + 2), 16) / 255));
  // The luminance at which the contrast with white equals that with black, by WCAG 2.
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue! < 0.179;
}

function linear(channel: number): number {
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
}
