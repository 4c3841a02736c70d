import { MOST_PLIES } from "../codes.js";
import { DragnetError } from "../errors.js";

/**
 * How well an opponent plays: how often it errs and at what cost, how far it sees, how soon it reacts. Shares
 * and weights are per mille. All parameters are integers.
 *
 * ```ts
 * const careless: Strength = { ...Strength.HARD, errors: 150 };
 * ```
 */
export interface Strength {
  /** The share of turns in which the opponent errs if there is a tempting error, 0 to 1000 per mille. */
  readonly errors: number;
  /**
   * The weight of an error that makes the outcome worse, 0 to 1000. An error that loses L plies has the
   * weight 4000 / L.
   */
  readonly blunders: number;
  /** The most plies that an error may lose if it keeps the outcome, 0 to {@link Strength.UNLIMITED}. */
  readonly plies: number;
  /** The most steps of the outcome, from win to draw to loss, that an error may cost: 0, 1 or 2. */
  readonly drop: number;
  /**
   * The number of plies ahead that the opponent sees the end of the game, 0 to {@link Strength.UNLIMITED}.
   * Where it sees none, it chases or flees by the shortest ways.
   */
  readonly horizon: number;
  /**
   * The number of rounds after which the opponent takes notice of what the other side does, 0 to
   * {@link Strength.SLOWEST}.
   */
  readonly reaction: number;
}

const UNLIMITED = MOST_PLIES;
const LEVELS = 1000;
const SLOWEST = 8;

// presets: written by probe/tests/all/opponent_presets.rs
const NAMED = {
  /** A player for beginners: sees 12 plies, reacts a round late and often errs. */
  EASY: { errors: 350, blunders: 500, plies: 24, drop: 2, horizon: 12, reaction: 1 } as Strength,
  /** A player who errs in a fifth of the turns and sees 40 plies. */
  NORMAL: { errors: 200, blunders: 250, plies: 12, drop: 2, horizon: 40, reaction: 0 } as Strength,
  /** A player who sees everything and errs in a tenth of the turns. */
  HARD: { errors: 100, blunders: 300, plies: 8, drop: 1, horizon: UNLIMITED, reaction: 0 } as Strength,
  /** A player who never errs. */
  PERFECT: { errors: 0, blunders: 0, plies: 0, drop: 0, horizon: UNLIMITED, reaction: 0 } as Strength,
};
const PRESETS = { easy: NAMED.EASY, normal: NAMED.NORMAL, hard: NAMED.HARD, perfect: NAMED.PERFECT };
// end of presets

/** The greatest value of each parameter. */
const MOST: Strength = {
  errors: 1000,
  blunders: 1000,
  plies: UNLIMITED,
  drop: 2,
  horizon: UNLIMITED,
  reaction: SLOWEST,
};

/** Strengths with a name, the dial, and the limits of the parameters. */
export const Strength = {
  /** The horizon that sees every end, and the cost that every error stays below. */
  UNLIMITED,
  /** The highest level of the dial. */
  LEVELS,
  /** The greatest reaction. */
  SLOWEST,
  ...NAMED,
  /** The presets by name, the weakest first. */
  PRESETS,

  /**
   * Returns the strength at a level of the dial, from 0, which errs in every turn, to
   * {@link Strength.LEVELS}, which is perfect. A higher level never errs more, nor at a higher cost.
   *
   * @throws DragnetError of kind `argument` if there is no such level
   */
  level(level: number): Strength {
    checkRange("the level", 0, LEVELS, level);
    const weakness = LEVELS - level;
    if (weakness === 0) return NAMED.PERFECT;
    const errors = Math.floor((weakness * weakness + 999) / 1000);
    const plies = 2 + Math.floor(weakness / 10);
    return { errors, blunders: weakness, plies, drop: 2, horizon: UNLIMITED, reaction: 0 };
  },

  /**
   * Checks that every parameter is in its range.
   *
   * @throws DragnetError of kind `argument`, which names the first parameter that is not
   */
  check(strength: Strength): void {
    const names = Object.keys(MOST) as (keyof Strength)[];
    for (const name of names) checkRange(name, 0, MOST[name], strength?.[name]);
  },
} as const;

/** Throws a {@link DragnetError} of kind `argument` unless a number is an integer in a range. */
export function checkRange(name: string, least: number, most: number, found: number): void {
  if (Number.isInteger(found) && found >= least && found <= most) return;
  throw new DragnetError("argument", `expected ${name} from ${least} to ${most}, found ${String(found)}`);
}
