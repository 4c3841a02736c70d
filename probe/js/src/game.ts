import type { Board } from "./board.js";
import { type Code, LOST, WON, codeBefore, merit } from "./codes.js";
import { Moves } from "./moves.js";
import type { Rules, Side } from "./rules.js";

/** The codes of all positions, from those that are stored and the rules. */
export class Game {
  readonly moves: Readonly<Record<Side, Moves>>;
  /** The code of a side that has to move and cannot. */
  readonly stuck: Code;
  readonly #board: Board;
  readonly #stored: (police: number, thief: number) => Code;

  /** @param stored the code of a position with the police to move that is not terminal */
  constructor(board: Board, rules: Rules, stored: (police: number, thief: number) => Code) {
    this.moves = { police: new Moves(board, rules, rules.police), thief: new Moves(board, rules, rules.thief) };
    this.#board = board;
    this.#stored = stored;
    this.stuck = rules.stuck === "loses" ? LOST : WON;
  }

  /** Whether the game is over: the thief is caught, or on an exit. */
  isOver(police: number, thief: number): boolean {
    return police === thief || this.#board.isExit(thief);
  }

  /** The code of a position, seen by the side to move. */
  code(police: number, thief: number, turn: Side): Code {
    if (turn === "police") return this.policeCode(police, thief);
    if (police === thief) return LOST;
    if (this.#board.isExit(thief)) return WON;
    const targets = this.moves.thief.from(thief);
    if (targets.length === 0) return this.stuck;
    let best = -Infinity;
    for (let k = 0; k < targets.length; k++) {
      const found = merit(this.policeCode(police, targets[k]!));
      if (found > best) best = found;
    }
    return codeBefore(best);
  }

  /** The code of a position with the police to move. */
  policeCode(police: number, thief: number): Code {
    if (police === thief) return WON;
    if (this.#board.isExit(thief)) return LOST;
    return this.#stored(police, thief);
  }
}
