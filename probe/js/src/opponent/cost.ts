import { type Code, DRAW, LOST, MOST_PLIES, WON, isLost, plies } from "../codes.js";
import type { Move } from "../line.js";
import type { Rules, Side } from "../rules.js";
import type { Strength } from "./strength.js";

/** The weight of an error that loses one ply. */
const SLIP = 4000;
/** The distance from which on a loss looks as good as a draw to a side that blunders. */
const FAR = 100;
/** The weight that surely tempts a careless opponent: lots are drawn among no fewer. */
const TEMPTING = 1000;

/** The loss of a move against the best one. At most one of the two numbers is positive. */
export interface Cost {
  /**
   * The steps of the outcome, from win to draw to loss, that the move loses. A draw is as good as the outcome
   * for which the rules count it.
   */
  readonly drop: number;
  /** The plies by which the move makes a win longer or a loss shorter. */
  readonly plies: number;
}

/** The side to move, and what a draw is worth to it. */
export class Stakes {
  readonly #mover: Side;
  /** 2 if a draw counts as a win, 0 if as a loss, otherwise 1. */
  readonly #draw: number;

  constructor(mover: Side, undecided: Rules["undecided"]) {
    this.#mover = mover;
    this.#draw = undecided === "draw" ? 1 : undecided === mover ? 2 : 0;
  }

  /** Returns the cost of a move worth `worth` if the best move is worth `best`. */
  cost(best: Code, worth: Code): Cost {
    const drop = this.#rank(best) - this.#rank(worth);
    const bothDecided = best !== DRAW && worth !== DRAW;
    return { drop, plies: drop === 0 && bothDecided ? Math.abs(plies(worth) - plies(best)) : 0 };
  }

  /** Returns how tempting each move is as an error of this strength, in the order of the moves. */
  weigh(strength: Strength, choices: readonly Move[]): Weights {
    const worths = choices.map((choice) => worthOf(choice, this.#mover));
    const weights: number[] = [];
    let all = 0;
    let dropping = 0;
    for (const worth of worths) {
      const cost = this.cost(worths[0]!, worth);
      const weight = weightOf(strength, cost, worth);
      weights.push(weight);
      all += weight;
      if (cost.drop > 0) dropping += weight;
    }
    return { weights, all: Math.max(TEMPTING, all), dropping };
  }

  /** Returns 2 for a win, 1 for a draw, 0 for a loss; a draw that counts for a side is a win or a loss. */
  #rank(worth: Code): number {
    if (worth === DRAW) return this.#draw;
    return isLost(worth) ? 0 : 2;
  }
}

/** The weights of the moves of a position in the lot of errors. */
export interface Weights {
  /** The weight of each move, in their order; 0 if it is no error that the strength makes. */
  readonly weights: readonly number[];
  /** The number among which the lot is drawn: the sum of the weights, or more. */
  readonly all: number;
  /** The sum of the weights of the moves that make the outcome worse. */
  readonly dropping: number;
}

/** Returns the value of a move for the side that makes it, one ply longer than that of the position after. */
export function worthOf({ outcome, dtw }: Move, mover: Side): Code {
  if (dtw === null) return DRAW;
  return (outcome === mover ? WON : LOST) + 2 * Math.min(dtw + 1, MOST_PLIES);
}

/** Returns whether a move is not the best. */
export function isError({ drop, plies }: Cost): boolean {
  return drop > 0 || plies > 0;
}

function weightOf(strength: Strength, { drop, plies: lost }: Cost, worth: Code): number {
  if (drop === 0) return lost === 0 || lost > strength.plies ? 0 : Math.max(1, Math.floor(SLIP / lost));
  if (drop > strength.drop) return 0;
  const slowness = worth !== DRAW && isLost(worth) ? Math.min(plies(worth), FAR) : FAR;
  return Math.floor((strength.blunders * slowness) / (FAR * drop));
}
