import { refuse } from "../errors.js";
import type { Side } from "../rules.js";
import type { Move } from "../line.js";
import type { Position } from "../placing.js";
import type { Table } from "../table.js";
import { type Cost, Stakes, isError, worthOf } from "./cost.js";

/** A move of a game with its cost. */
export interface ReviewedMove<N extends number = number> {
  /** The ply, from 0: the index of the position before the move. */
  readonly ply: number;
  /** The position before the move. */
  readonly before: Position;
  /** The move that was made. */
  readonly played: Move<N>;
  /** The first of the best moves. */
  readonly best: Move<N>;
  /** The loss against the best move. */
  readonly cost: Cost;
}

/** The moves of one side in a game, with what they cost. */
export class Review<N extends number = number> {
  /** The side whose moves are rated. */
  readonly side: Side;
  /** The moves of the side, in their order. */
  readonly moves: readonly ReviewedMove<N>[];
  /** The number of moves that were not the best. */
  readonly errors: number;
  /** The number of moves that made the outcome worse. */
  readonly blunders: number;
  /** The steps of the outcome, from win to draw to loss, that all moves together lost. */
  readonly drops: number;
  /** The plies that all moves together lost without making the outcome worse. */
  readonly pliesLost: number;

  /**
   * Rates the moves of a side in a game.
   *
   * @param game the start of the game and the position after each ply
   * @throws DragnetError of kind `argument` if there is no position, a move is illegal or there is no such
   *   side; otherwise as {@link Table.moves}
   */
  constructor(table: Table<N>, game: Iterable<Position>, side: Side) {
    if (side !== "police" && side !== "thief") refuse("argument", "side", "police or thief", side);
    const positions = [...game];
    if (positions.length === 0) refuse("argument", "game", "the positions of a game", "none");
    const numbers = positions.map((position) => table.numberOf(position));
    const stakes = new Stakes(side, table.rules.undecided);
    const moves: ReviewedMove<N>[] = [];
    for (let ply = 0; ply + 1 < positions.length; ply++) {
      const before = positions[ply]!;
      const choices = table.moves(before);
      const next = numbers[ply + 1];
      const played = choices.find(({ position }) => table.numberOf(position) === next);
      if (played === undefined) refuseMove(before, positions[ply + 1]!, ply + 1);
      if (before.turn !== side) continue;
      const best = choices[0]!;
      const cost = stakes.cost(worthOf(best, side), worthOf(played, side));
      moves.push({ ply, before, played, best, cost });
    }
    this.side = side;
    this.moves = moves;
    this.errors = moves.filter(({ cost }) => isError(cost)).length;
    this.blunders = moves.filter(({ cost }) => cost.drop > 0).length;
    this.drops = moves.reduce((sum, { cost }) => sum + cost.drop, 0);
    this.pliesLost = moves.reduce((sum, { cost }) => sum + cost.plies, 0);
  }

  /** The mean of the plies lost by a move; 0 without a move. */
  get pliesLostPerMove(): number {
    return this.moves.length === 0 ? 0 : this.pliesLost / this.moves.length;
  }

  /**
   * Returns the worst moves, the worst first, at most `count`: those that lost the most of the outcome, then
   * the most plies, then the earliest. A move that cost nothing is never among them.
   */
  worst(count: number): ReviewedMove<N>[] {
    const errors = this.moves.filter(({ cost }) => isError(cost));
    errors.sort(({ cost: a }, { cost: b }) => b.drop - a.drop || b.plies - a.plies);
    return errors.slice(0, Math.max(0, count));
  }
}

function refuseMove(before: Position, found: Position, index: number): never {
  const expected = `a position after a legal move from ${describe(before)}`;
  const place = `position ${index} (from 0): ${describe(found)}`;
  refuse("argument", "game", expected, place);
}

/**
 * Returns a position as text: the world unless it is 0, the officers' and the thief's cells, the side to
 * move.
 */
export function describe({ world = 0, police, thief, turn }: Position): string {
  const inWorld = world === 0 ? "" : `world ${world}, `;
  return `${inWorld}police ${JSON.stringify(police)}, thief ${JSON.stringify(thief)}, ${turn} to move`;
}
