import type { Choice } from "./choices.js";

/** How well the table plays, by the words and shares of `dragnet play`. */
export const STRENGTHS = [
  { name: "easy", errors: 40, text: "Easy: errs in 40 % of its moves" },
  { name: "normal", errors: 25, text: "Normal: errs in 25 % of its moves" },
  { name: "hard", errors: 10, text: "Hard: errs in 10 % of its moves" },
  { name: "perfect", errors: 0, text: "Perfect: never errs" },
] as const;

/** The name of a strength. */
export type Strength = (typeof STRENGTHS)[number]["name"];

/**
 * Chooses a move by lot: one of the best, or in an error any other one. Returns `undefined` if there is no
 * move.
 *
 * @param choices all legal moves, the best first
 * @param random returns a number from 0 up to but not including 1
 */
export function choose<C extends Pick<Choice, "isBest">>(
  choices: readonly C[],
  strength: Strength,
  random: () => number = Math.random,
): C | undefined {
  const equals = choices.filter(({ isBest }) => isBest).length;
  const { errors } = STRENGTHS.find(({ name }) => name === strength)!;
  const errs = random() * 100 < errors && equals < choices.length;
  const at = errs ? equals + Math.floor(random() * (choices.length - equals)) : Math.floor(random() * equals);
  return choices[at];
}
