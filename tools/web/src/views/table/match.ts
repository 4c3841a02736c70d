import type { Opponent, Rules, Side } from "dragnet-probe";
import { isSameCell } from "../../model/cell.js";
import { capital, plies } from "../../base/text.js";
import { type Choice, type Worth, resultOf } from "./choices.js";
import { type Placement, keyOf } from "./position.js";
import type { Entry } from "./state.js";

/** As often as this a position may occur; then the game ends undecided. */
const REPETITIONS = 3;

/** A game of a human against the table. */
export interface Match {
  readonly human: Side;
  /** The player of the other side. */
  readonly opponent: Opponent;
  /** How the strength of the opponent is called, such as "hard". */
  readonly strengthName: string;
  /** The number from which the opponent draws its lots. */
  readonly seed: bigint;
  readonly hints: boolean;
}

/** A game that was played, in the history that it is part of. */
export interface PlayedGame {
  readonly human: Side;
  /** The history up to the last position of the game. */
  readonly history: readonly Entry[];
  /** The index of the start of the game in the history. */
  readonly first: number;
}

/** Returns the game that a history ends with: it begins where pieces were put down for the last time. */
export function gameOf(history: readonly Entry[], human: Side): PlayedGame {
  const first = history.findLastIndex(({ byMove }) => !byMove);
  return { human, history, first: Math.max(0, first) };
}

/**
 * Returns how many of all moves keep the best result of a position for the side that moves; of moves that all
 * lose, how many last the longest.
 *
 * @param choices all legal moves, the best first, at least one
 */
export function keepingMoves(
  choices: readonly Choice[],
  side: Side,
  undecided: Rules["undecided"],
): { kept: number; all: number; best: Worth } {
  const best = resultOf(choices[0]!.outcome, side, undecided);
  const keeps = ({ outcome, isBest }: Choice): boolean =>
    best === "loses" ? isBest : resultOf(outcome, side, undecided) === best;
  return { kept: choices.filter(keeps).length, all: choices.length, best };
}

/** Returns the hint for the side that moves, such as "2 of 8 moves keep the win." */
export function hintText(choices: readonly Choice[], side: Side, undecided: Rules["undecided"]): string {
  const { kept, all, best } = keepingMoves(choices, side, undecided);
  const moves = `${kept} of ${all} ${all === 1 ? "move" : "moves"}`;
  if (best === "loses") return `Every move loses; ${moves} ${kept === 1 ? "lasts" : "last"} the longest.`;
  return `${moves} ${kept === 1 ? "keeps" : "keep"} the ${best === "wins" ? "win" : "draw"}.`;
}

/** Returns whether the human's last move made the result worse, as a sentence; empty if it did not. */
export function verdictOf(history: readonly Entry[], human: Side, undecided: Rules["undecided"]): string {
  const after = history.findLastIndex(
    ({ byMove }, k) => byMove && history[k - 1]?.placement.turn === human,
  );
  const [made, value] = [history[after - 1]?.answer?.value, history[after]?.answer?.value];
  if (made === undefined || value === undefined) return "";
  const [best, now] = [made, value].map(({ outcome }) => resultOf(outcome, human, undecided));
  if (best === "wins" && now !== "wins") {
    return `That gave the win away: now ${now === "draws" ? "it is a draw" : "you lose"}. `;
  }
  return best === "draws" && now === "loses" ? "That gave the draw away: now you lose. " : "";
}

/**
 * Returns how a game has ended, as a sentence; `undefined` if it goes on. The last entry must have its
 * answer.
 *
 * @param isExit returns whether the thief escapes on a cell
 */
export function endingOf(
  { human, history, first }: PlayedGame,
  undecided: Rules["undecided"],
  isExit: (cell: Placement["thief"]) => boolean,
): string | undefined {
  const { placement, answer } = history.at(-1)!;
  const made = plies(history.length - 1 - first);
  const you = { wins: "you win", draws: "a draw", loses: "you lose" };
  if (answer!.choices.length === 0) {
    const { outcome } = answer!.value;
    return `${capital(howWon(outcome, placement, isExit))} after ${made}: ${you[resultOf(outcome, human, undecided)]}.`;
  }
  const key = teamKey(placement);
  const times = history.slice(first).filter((entry) => teamKey(entry.placement) === key).length;
  if (times < REPETITIONS) return undefined;
  const counts = undecided === "draw" ? "" : `, and a game without end counts for the ${undecided}`;
  return `The position occurs for the third time, after ${made}${counts}: ${you[resultOf("draw", human, undecided)]}.`;
}

/** Returns a text that tells positions apart, whatever the order of the officers. */
function teamKey(placement: Placement): string {
  const police = [...placement.police].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  return keyOf({ ...placement, police });
}

function howWon(
  winner: string,
  { police, thief }: Placement,
  isExit: (cell: Placement["thief"]) => boolean,
): string {
  if (winner === "police" && police.some((cell) => isSameCell(cell, thief))) return "the thief is caught";
  if (winner === "thief" && isExit(thief)) return "the thief has escaped";
  return winner === "draw" ? "nobody has won" : `the ${winner} has won`;
}
