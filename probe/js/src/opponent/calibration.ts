import { refuse } from "../errors.js";
import type { Side } from "../rules.js";
import type { Position } from "../placing.js";
import type { Table } from "../table.js";
import { finished } from "../table-file.js";
import { Duel } from "./duel.js";
import { Lots, type Seed, seedOf } from "./lots.js";
import { Opponent } from "./opponent.js";
import { describe } from "./review.js";
import { Strength, checkRange } from "./strength.js";
import type { Style } from "./style.js";

/** The difference between a target and the share that was measured, per mille, within which it is reached. */
const TOLERANCE = 100;
/** The quantile of the normal distribution for an interval of 95 %. */
const QUANTILE = 1.96;
/** The most games at each level. */
const MOST_GAMES = 100_000;
/** The levels that are played: both ends, those that halve the dial, and the one that is found once more. */
const PLAYED = 2 + Math.ceil(Math.log2(Strength.LEVELS)) + 1;

/** A share of wins that an opponent is to reach. */
export interface CalibrationTarget {
  /** The side of the opponent. */
  readonly side: Side;
  /** The share of games that it is to win, 0 to 1000 per mille. */
  readonly share: number;
  /** The style of the opponent; `longest` by default. */
  readonly style?: Style | undefined;
  /** The other side's player, a perfect one by default. Its seed plays no role, and it is not changed. */
  readonly against?: Opponent | undefined;
  /** The number of games at each level that is tried, 1 to 100,000; 200 by default. */
  readonly games?: number | undefined;
  /** The seed of all lots; 0 by default. */
  readonly seed?: Seed | undefined;
}

/** A strength with the share of games that it wins. */
export interface Calibration {
  /** The level of the dial. */
  readonly level: number;
  /** The strength at that level. */
  readonly strength: Strength;
  /** The games that were played at that level after it was chosen. */
  readonly games: number;
  /** The number of those games that were won. */
  readonly wins: number;
  /** The share of those games that were won, 0 to 1. */
  readonly share: number;
  /** The lower end of the 95 % confidence interval of the share of wins, 0 to 1. */
  readonly from: number;
  /** The upper end of the 95 % confidence interval of the share of wins, 0 to 1. */
  readonly to: number;
  /**
   * Whether the share of wins is within 100 per mille of the target. If not, play on the other side or the
   * board decides the games: see `lowest` and `highest`.
   */
  readonly reached: boolean;
  /** The least number of wins at any level that was tried, the weakest among them. */
  readonly lowest: number;
  /** The greatest number of wins at any level that was tried, perfect play among them. */
  readonly highest: number;
}

/**
 * Finds the level of the dial at which an opponent wins a share of the games from `starts`, by playing games
 * at some twelve levels. It blocks the thread until it is done. A table on a server must be in memory wholly:
 * `await table.load((t) => t.bytes)` fetches it.
 *
 * @throws DragnetError of kind `argument` if there is no start, a start is terminal, or a parameter is out of
 *   its range; otherwise as {@link Table.moves}
 */
export function calibrate(table: Table, starts: Iterable<Position>, target: CalibrationTarget): Calibration {
  return finished(calibrateInSteps(table, starts, target));
}

/**
 * Returns what {@link calibrate} returns, computed in steps of one game, between which a page can do other
 * things. Each step yields the share that is done, from 0 to 1.
 *
 * @throws DragnetError as {@link calibrate}, from the first or a later step
 */
export function* calibrateInSteps(
  table: Table,
  starts: Iterable<Position>,
  target: CalibrationTarget,
): Generator<number, Calibration> {
  const { side, share, games = 200, style = "longest", against, seed = 0 } = target;
  if (side !== "police" && side !== "thief") refuse("argument", "side", "police or thief", side);
  checkRange("the share of wins", 0, 1000, share);
  checkRange("the number of games", 1, MOST_GAMES, games);
  const from = [...starts];
  if (from.length === 0) refuse("argument", "starts", "at least one", "none");
  for (const [index, start] of from.entries()) {
    if (table.bestMove(start) !== undefined) continue;
    refuse("argument", "starts", "a start with a move", `start ${index} (from 0): ${describe(start)}`);
  }
  const other = new Opponent({ strength: against?.strength, style: against?.style });
  const lots = seedOf(seed);
  let played = 0;
  /** Returns how many of the games from number `first` are won at a level. Yields the share that is done. */
  const play = function* (level: number, first: number): Generator<number, number> {
    const own = new Opponent({ strength: Strength.level(level), style });
    const [police, thief] = side === "police" ? [own, other] : [other, own];
    let wins = 0;
    for (let game = first; game < first + games; game++) {
      own.restart(Lots.nth(lots, 2 * game));
      other.restart(Lots.nth(lots, 2 * game + 1));
      if (Duel.play(table, from[game % from.length]!, police, thief).winner === side) wins++;
      yield Math.min(1, ++played / (PLAYED * games));
    }
    return wins;
  };
  const goal = share * games;
  const off = (wins: number): number => Math.abs(1000 * wins - goal);
  const measured = new Map<number, number>();
  const measure = function* (level: number): Generator<number, number> {
    const wins = yield* play(level, 0);
    measured.set(level, wins);
    return wins;
  };
  let [low, high] = [0, Strength.LEVELS as number];
  yield* measure(low);
  yield* measure(high);
  while (high - low > 1) {
    const level = Math.floor((low + high) / 2);
    if (1000 * (yield* measure(level)) < goal) low = level;
    else high = level;
  }
  const rising = [...measured].sort(([a], [b]) => a - b);
  const [level] = rising.reduce((best, next) => (off(next[1]) < off(best[1]) ? next : best));
  const all = rising.map(([, wins]) => wins);
  const wins = yield* play(level, games);
  return {
    level,
    strength: Strength.level(level),
    games,
    wins,
    share: wins / games,
    ...confidence(wins, games),
    reached: off(wins) <= TOLERANCE * games,
    lowest: Math.min(...all),
    highest: Math.max(...all),
  };
}

/**
 * Returns Wilson's confidence interval of the share of wins. The order of the operations is specified, so
 * that every language gets the same numbers.
 */
function confidence(wins: number, games: number): { from: number; to: number } {
  const z2 = QUANTILE * QUANTILE;
  const p = wins / games;
  const centre = p + z2 / (2 * games);
  const spread = QUANTILE * Math.sqrt((p * (1 - p)) / games + z2 / (4 * games * games));
  const scale = 1 + z2 / games;
  return {
    from: Math.min(p, Math.max(0, (centre - spread) / scale)),
    to: Math.max(p, Math.min(1, (centre + spread) / scale)),
  };
}
