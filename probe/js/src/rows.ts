import type { Board } from "./board.js";
import { type Code, LOST, MOST_MERIT, WON, codeBefore, merit } from "./codes.js";
import type { Game } from "./game.js";
import type { Team } from "./moves.js";
import type { Rules, Side } from "./rules.js";

/**
 * Derives the codes of whole rows. A row has the codes of all positions that differ only in the thief's cell,
 * by cell number.
 */
export class Rows {
  readonly #stuck: Code;
  readonly #policeWinsOnExit: boolean;
  readonly #exits: Int32Array;
  /** 1 for each cell number that is an exit. */
  readonly #isExit: Uint8Array;
  /** The targets of the thief's moves from all cells, cell after cell. */
  readonly #targets: Int32Array;
  /** For each cell, where its targets begin, and where those of the last cell end. */
  readonly #starts: Int32Array;
  readonly #merits: Int32Array;

  constructor(board: Board, rules: Rules, game: Game) {
    const cells = Array.from({ length: board.openCells }, (_, cell) => cell);
    this.#stuck = game.stuck;
    this.#policeWinsOnExit = rules.policeOnExit === "wins";
    this.#exits = Int32Array.from(cells.filter((cell) => board.isExit(cell)));
    this.#isExit = Uint8Array.from(cells, (cell) => (board.isExit(cell) ? 1 : 0));
    this.#starts = new Int32Array(cells.length + 1);
    for (const cell of cells) this.#starts[cell + 1] = this.#starts[cell]! + game.thiefTargets(cell).length;
    this.#targets = new Int32Array(this.#starts[cells.length]!);
    for (const cell of cells) this.#targets.set(game.thiefTargets(cell), this.#starts[cell]!);
    this.#merits = new Int32Array(cells.length);
  }

  /** Puts the codes of terminal positions into the row of a team. */
  setTerminal(row: Uint32Array, police: Team, turn: Side): void {
    const [caught, escaped] = turn === "police" ? [WON, LOST] : [LOST, WON];
    // The first rule that applies decides, so that it is applied last.
    if (this.#policeWinsOnExit && police.some((cell) => this.#isExit[cell] === 1)) row.fill(caught);
    for (const exit of this.#exits) row[exit] = escaped;
    for (const cell of police) row[cell] = caught;
  }

  /** Computes the row of a team with the thief to move from `row`, which has the police to move. */
  deriveThiefToMove(row: Uint32Array, police: Team, derived: Uint32Array): void {
    const merits = this.#merits;
    const starts = this.#starts;
    const targets = this.#targets;
    for (let cell = 0; cell < row.length; cell++) merits[cell] = merit(row[cell]!);
    let at = 0;
    for (let cell = 0; cell < row.length; cell++) {
      const end = starts[cell + 1]!;
      if (at === end) {
        derived[cell] = this.#stuck;
        continue;
      }
      let best = -MOST_MERIT;
      for (; at < end; at++) {
        const found = merits[targets[at]!]!;
        if (found > best) best = found;
      }
      derived[cell] = codeBefore(best);
    }
    this.setTerminal(derived, police, "thief");
  }
}
