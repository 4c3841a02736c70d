import type { Board } from "./board.js";
import { type Code, LOST, WON, codeBefore, merit } from "./codes.js";
import type { Header } from "./header.js";
import { Moves, type Team, teamMoves } from "./moves.js";
import type { Rules, Side } from "./rules.js";

/** A position by cell numbers. */
export interface Place {
  readonly police: Team;
  readonly thief: number;
  readonly turn: Side;
}

/** The codes of all positions, from those that are stored and the rules. */
export class Game {
  /** The code of a side that has to move and cannot. */
  readonly stuck: Code;
  readonly #moves: Readonly<Record<Side, Moves>>;
  readonly #board: Board;
  readonly #rules: Rules;
  readonly #stored: (police: Team, thief: number) => Code;

  /** @param stored the code of a position with the police to move that is not terminal */
  constructor({ board, graph, rules }: Header, stored: (police: Team, thief: number) => Code) {
    this.#moves = { police: new Moves(board, graph, rules, "police"), thief: new Moves(board, graph, rules, "thief") };
    this.#board = board;
    this.#rules = rules;
    this.#stored = stored;
    this.stuck = rules.stuck === "loses" ? LOST : WON;
  }

  /** Who has won without a move: caught the thief, escaped, or arrived at an exit where that wins. */
  winner(police: Team, thief: number): Side | undefined {
    if (police.includes(thief)) return "police";
    if (this.#board.isExit(thief)) return "thief";
    const arrived = this.#rules.policeOnExit === "wins" && police.some((cell) => this.#board.isExit(cell));
    return arrived ? "police" : undefined;
  }

  /** The positions after each move of a position, in reading order. */
  after({ police, thief, turn }: Place): Place[] {
    if (turn === "thief") {
      return Array.from(this.#moves.thief.from(thief), (target) => ({ police, thief: target, turn: "police" }));
    }
    const teams = teamMoves(this.#moves.police, police, this.#rules.team);
    return teams.map((target) => ({ police: target, thief, turn: "thief" }));
  }

  /** The code of a position, seen by the side to move. */
  code(police: Team, thief: number, turn: Side): Code {
    if (turn === "police") return this.policeCode(police, thief);
    const winner = this.winner(police, thief);
    if (winner !== undefined) return winner === "thief" ? WON : LOST;
    const targets = this.#moves.thief.from(thief);
    if (targets.length === 0) return this.stuck;
    let best = -Infinity;
    for (let k = 0; k < targets.length; k++) {
      const found = merit(this.policeCode(police, targets[k]!));
      if (found > best) best = found;
    }
    return codeBefore(best);
  }

  /** The code of a position with the police to move. */
  policeCode(police: Team, thief: number): Code {
    const winner = this.winner(police, thief);
    if (winner !== undefined) return winner === "police" ? WON : LOST;
    return this.#stored(police, thief);
  }
}
