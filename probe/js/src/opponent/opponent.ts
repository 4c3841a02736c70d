import type { Cell } from "../board.js";
import { DRAW, isLost, plies } from "../codes.js";
import type { Side } from "../rules.js";
import type { Move } from "../line.js";
import type { Position } from "../placing.js";
import type { Table } from "../table.js";
import { Stakes, worthOf } from "./cost.js";
import { groundOf } from "./ground.js";
import { instinctive } from "./instinct.js";
import { Lots, type Seed } from "./lots.js";
import { Strength } from "./strength.js";
import { type Style, checkStyle, preferredDraws, preferredLosses } from "./style.js";

/** The enemy's pieces that are remembered for each side. */
const REMEMBERED = Strength.SLOWEST + 1;

/** The pieces of one side, as a position has them. */
type Pieces = Position["police"];

/** The parameters of an opponent. */
export interface OpponentOptions {
  /** How well it plays; {@link Strength.PERFECT} by default. */
  readonly strength?: Strength | undefined;
  /** The way to play where it cannot win; `longest` by default. */
  readonly style?: Style | undefined;
  /** The seed of all its lots; 0 by default. */
  readonly seed?: Seed | undefined;
}

/** The memory of an opponent: its lots, and where it saw the enemy. */
interface State {
  readonly lots: bigint;
  readonly seen: Readonly<Record<Side, readonly Pieces[]>>;
}

const NOTHING_SEEN: State["seen"] = { police: [], thief: [] };

/**
 * A player for either side or both, whose moves depend on the table, its parameters, its seed and nothing
 * else. Opponents in other languages choose the same moves.
 *
 * ```ts
 * const thief = new Opponent({ strength: Strength.EASY, seed: 7 });
 * const choice = thief.choose(table, position);
 * ```
 */
export class Opponent {
  /** How well the opponent plays. */
  readonly strength: Strength;
  /** The way in which the opponent plays where it cannot win. */
  readonly style: Style;
  #state: State;

  /** @throws DragnetError of kind `argument` if a parameter is out of its range, which it names */
  constructor({ strength = Strength.PERFECT, style = "longest", seed = 0 }: OpponentOptions = {}) {
    Strength.check(strength);
    checkStyle(style);
    this.strength = { ...strength };
    this.style = style;
    this.#state = { lots: new Lots(seed).state, seen: NOTHING_SEEN };
  }

  /**
   * The seed that continues the lots, for a saved game. What a slow opponent remembers is not part of it.
   */
  get state(): bigint {
    return this.#state.lots;
  }

  /**
   * Begins a new game, with lots from `seed`.
   *
   * @throws DragnetError of kind `argument` if the seed is out of its range
   */
  restart(seed: Seed): void {
    this.#state = { lots: new Lots(seed).state, seen: NOTHING_SEEN };
  }

  /**
   * Forgets where the enemy stood: at the start of a game, or after moves were taken back. Only slow
   * reactions rest on what is remembered.
   */
  forget(): void {
    this.#state = { ...this.#state, seen: NOTHING_SEEN };
  }

  /**
   * Chooses a move for the side to move; `undefined` if the position is terminal or the side is stuck. To be
   * called once for each turn, as every call draws lots and remembers the position. A call that throws has
   * no effect, so that {@link TableFile.load} may repeat it:
   *
   * ```ts
   * const choice = await table.load((t) => opponent.choose(t, position));
   * ```
   *
   * @throws DragnetError as {@link Table.moves}
   */
  choose<N extends number>(table: Table<N>, position: Position): Move<N> | undefined {
    const choices = table.moves(position);
    if (choices.length === 0) return undefined;
    const { turn } = position;
    const lots = new Lots(this.#state.lots);
    const [careless, temptation, equals] = [lots.draw(), lots.draw(), lots.draw()];
    const seen = [...this.#state.seen[turn], enemyPieces(position)].slice(-REMEMBERED);
    const error = this.#error(table, choices, turn, careless, temptation);
    const choice = error ?? this.#intended(table, position, choices, seen, equals);
    this.#state = { lots: lots.state, seen: { ...this.#state.seen, [turn]: seen } };
    return choice;
  }

  /**
   * Runs a function that asks this opponent, and takes back what it has drawn and remembered if the function
   * throws.
   *
   * @internal
   */
  undoingIfThrown<T>(play: () => T): T {
    const state = this.#state;
    try {
      return play();
    } catch (error) {
      this.#state = state;
      throw error;
    }
  }

  /** Returns an error by lot; `undefined` if the opponent is careful or nothing tempts it enough. */
  #error<C extends Move>(
    table: Table,
    choices: readonly C[],
    turn: Side,
    careless: bigint,
    temptation: bigint,
  ): C | undefined {
    if (Lots.scale(careless, 1000) >= this.strength.errors) return undefined;
    const { weights, all } = new Stakes(turn, table.rules.undecided).weigh(this.strength, choices);
    let lot = Lots.scale(temptation, all);
    return choices.find((_, k) => (lot -= weights[k]!) < 0);
  }

  /** Returns the move that the opponent takes for the best, with where it has seen the enemy. */
  #intended<N extends number>(
    table: Table<N>,
    position: Position,
    choices: readonly Move<N>[],
    seen: readonly Pieces[],
    equals: bigint,
  ): Move<N> {
    const late = this.#perceive(table, position, seen);
    const preferred = this.#preferred(table, late?.position ?? position, late?.choices ?? choices);
    const chosen = preferred[Lots.scale(equals, preferred.length)]!;
    if (late === undefined) return chosen;
    return choices.find((choice) => isSame(choice, chosen))!;
  }

  /**
   * Returns the position that a slow opponent takes for the present one, with its moves; `undefined` if it
   * sees the present one.
   */
  #perceive<N extends number>(
    table: Table<N>,
    position: Position,
    seen: readonly Pieces[],
  ): { position: Position; choices: readonly Move<N>[] } | undefined {
    const first = Math.max(0, seen.length - 1 - this.strength.reaction);
    for (const enemy of seen.slice(first, -1)) {
      const enemyMoved = position.turn === "police" ? { thief: enemy as Cell } : { police: enemy };
      const perceived = { ...position, ...enemyMoved };
      const choices = table.moves(perceived);
      if (choices.length > 0) return { position: perceived, choices };
    }
    return undefined;
  }

  /** Returns the moves that the opponent holds for the best of `choices`, all moves of `position`. */
  #preferred<C extends Move>(table: Table, position: Position, choices: readonly C[]): readonly C[] {
    const { horizon } = this.strength;
    const worth = (choice: C): number => worthOf(choice, position.turn);
    const best = worth(choices[0]!);
    if (best !== DRAW && !isLost(best) && plies(best) <= horizon) {
      const { outcome, dtw } = choices[0]!;
      return choices.filter((choice) => choice.outcome === outcome && choice.dtw === dtw);
    }
    const unseen = choices.filter((choice) => {
      const code = worth(choice);
      return code === DRAW ? horizon < Strength.UNLIMITED : plies(code) > horizon;
    });
    if (unseen.length > 0) return instinctive(groundOf(table), position, unseen);
    const preferred = best === DRAW ? preferredDraws : preferredLosses;
    return preferred(table, this.style, choices);
  }
}

/** Returns a copy of the pieces of the side that is not to move. */
function enemyPieces({ police, thief, turn }: Position): Pieces {
  if (turn === "police") return [thief[0], thief[1]];
  if (!Array.isArray(police[0])) return [...(police as Cell)];
  return (police as readonly Cell[]).map(([row, column]): Cell => [row, column]);
}

/** Returns whether two moves of one table lead to the same cells in the same world. */
function isSame(a: Move, b: Move): boolean {
  const [parts, others] = [a.to.flat(), b.to.flat()];
  return a.position.world === b.position.world && parts.every((part, k) => part === others[k]);
}
