import type { Board } from "./board.js";
import { type Code, LOST, WON, codeBefore, merit } from "./codes.js";
import { Effort } from "./effort.js";
import type { Header } from "./header.js";
import type { MoveLists } from "./move-lists.js";
import { Moves } from "./moves.js";
import type { Rules, Side } from "./rules.js";
import { type Team, teamMoves } from "./team-moves.js";

/** A position whose cells are cell numbers. */
export interface Placement {
  readonly police: Team;
  readonly thief: number;
  /** The side to move. */
  readonly turn: Side;
}

/**
 * Why a position is terminal: an officer stands on the thief's cell, the thief stands on an exit, or an
 * officer has arrived at an exit under rules that make this a win.
 */
export type Ending = "caught" | "escaped" | "arrived";

const WINNERS: Readonly<Record<Ending, Side>> = { caught: "police", escaped: "thief", arrived: "police" };

/** Returns a code that a table stores, as part of a question that may need `effort`. */
export type Stored = (police: Team, thief: number, effort: Effort) => Code;

/** A position after a move, with its code. */
export interface Successor {
  readonly after: Placement;
  readonly code: Code;
}

/** A game at work: terminal positions, successors, and the codes of all positions. */
export abstract class Play {
  /** The code of a position in which the side to move has no move. */
  readonly stuck: Code;
  readonly #team: Rules["team"];
  readonly #stored: Stored;

  /** @param stored returns the code that the table stores for a position with the police to move */
  protected constructor({ stuck, team }: Pick<Rules, "stuck" | "team">, stored: Stored) {
    this.stuck = stuck === "loses" ? LOST : WON;
    this.#team = team;
    this.#stored = stored;
  }

  /** Returns why a position is terminal, whichever side is to move; `undefined` if the game goes on. */
  abstract ending(police: Team, thief: number): Ending | undefined;

  /** Returns the cell numbers that a single piece of a side can move to, in reading order. */
  abstract targets(side: Side, cell: number, effort: Effort): Int32Array;

  /** Returns the side that has won a terminal position, `undefined` if the position is not terminal. */
  winner(police: Team, thief: number): Side | undefined {
    const ending = this.ending(police, thief);
    return ending && WINNERS[ending];
  }

  /** Returns the code of a terminal position, `undefined` if the position is not terminal. */
  terminalCode(police: Team, thief: number, turn: Side): Code | undefined {
    const winner = this.winner(police, thief);
    if (winner === undefined) return undefined;
    return winner === turn ? WON : LOST;
  }

  /** Returns the cell numbers that the thief can move to, in reading order. */
  thiefTargets(thief: number, effort = Effort.UNLIMITED): Int32Array {
    return this.targets("thief", thief, effort);
  }

  /** Yields the successors of a position that is not terminal, in reading order of the cells moved to. */
  *successors({ police, thief, turn }: Placement, effort: Effort): Generator<Placement> {
    if (turn === "thief") {
      for (const target of this.thiefTargets(thief, effort)) yield { police, thief: target, turn: "police" };
      return;
    }
    const lists = police.map((cell) => this.targets("police", cell, effort));
    for (const team of teamMoves(police, lists, this.#team)) yield { police: team, thief, turn: "thief" };
  }

  /** Yields the successors of a position with their codes, in reading order; none if it is terminal. */
  *choices(from: Placement, effort: Effort): Generator<Successor> {
    if (this.ending(from.police, from.thief) !== undefined) return;
    for (const after of this.successors(from, effort)) {
      effort.takeMove();
      yield { after, code: this.code(after.police, after.thief, after.turn, effort) };
    }
  }

  /** Returns the successors of a position with their codes, best first for the side to move. */
  ranked(from: Placement, effort: Effort): Successor[] {
    return [...this.choices(from, effort)].sort((a, b) => merit(b.code) - merit(a.code));
  }

  /** Returns the best successor of a position, of equally good ones the first in reading order. */
  best(from: Placement, effort: Effort): Successor | undefined {
    let best: Successor | undefined;
    for (const successor of this.choices(from, effort)) {
      if (best === undefined || merit(successor.code) > merit(best.code)) best = successor;
    }
    return best;
  }

  /**
   * Returns the code of a position, seen by the side to move, as part of a question that may need `effort`.
   */
  code(police: Team, thief: number, turn: Side, effort: Effort): Code {
    const terminal = this.terminalCode(police, thief, turn);
    if (terminal !== undefined) return terminal;
    if (turn === "police") {
      effort.takeValue();
      return this.#stored(police, thief, effort);
    }
    const targets = this.thiefTargets(thief, effort);
    if (targets.length === 0) return this.stuck;
    let best = -Infinity;
    for (let k = 0; k < targets.length; k++) {
      const found = merit(this.code(police, targets[k]!, "police", effort));
      if (found > best) best = found;
    }
    return codeBefore(best);
  }
}

/** The rules at work on a board. */
export class Game extends Play {
  readonly #moves: Readonly<Record<Side, Moves>>;
  readonly #board: Board;
  readonly #rules: Rules;

  /**
   * @param stored returns the code that the table stores for a position with the police to move
   * @param kept the move lists of all tables that share memory
   */
  constructor({ board, graph, rules }: Header, stored: Stored, kept: MoveLists) {
    super(rules, stored);
    const movesOf = (side: Side): Moves => new Moves(board, graph, rules, side, kept);
    this.#moves = { police: movesOf("police"), thief: movesOf("thief") };
    this.#board = board;
    this.#rules = rules;
  }

  override ending(police: Team, thief: number): Ending | undefined {
    if (police.includes(thief)) return "caught";
    if (this.#board.isExit(thief)) return "escaped";
    const arrived = this.#rules.policeOnExit === "wins" && police.some((cell) => this.#board.isExit(cell));
    return arrived ? "arrived" : undefined;
  }

  override targets(side: Side, cell: number, effort: Effort): Int32Array {
    return this.#moves[side].from(cell, effort);
  }
}
