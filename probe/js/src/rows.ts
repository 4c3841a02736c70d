import type { Board } from "./board.js";
import { type Code, LOST, MOST_MERIT, WON, codeBefore, merit } from "./codes.js";
import { DragnetError } from "./errors.js";
import type { Game } from "./game.js";
import type { Team } from "./team-moves.js";
import type { Rules, Side } from "./rules.js";

/** The most moves of the thief from all cells together, a limit on memory. */
const MOST_MOVES = 2 ** 26;

/** The targets of moves from all cells. */
interface MoveLists {
  /** The targets, cell after cell. */
  readonly targets: Int32Array;
  /** The index of each cell's first target, and the number of all targets at the end. */
  readonly starts: Int32Array;
}

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
  readonly #game: Game;
  readonly #merits: Int32Array;
  #lists: MoveLists | undefined;

  constructor(board: Board, rules: Rules, game: Game) {
    const cells = Array.from({ length: board.openCells }, (_, cell) => cell);
    this.#stuck = game.stuck;
    this.#policeWinsOnExit = rules.policeOnExit === "wins";
    this.#exits = Int32Array.from(cells.filter((cell) => board.isExit(cell)));
    this.#isExit = Uint8Array.from(cells, (cell) => (board.isExit(cell) ? 1 : 0));
    this.#game = game;
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
    const { starts, targets } = (this.#lists ??= moveLists(this.#game, row.length));
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

/**
 * Returns the thief's moves from all cells of a board with `cells` cells.
 *
 * @throws DragnetError of kind `unsupported` if there are too many for the memory
 */
function moveLists(game: Game, cells: number): MoveLists {
  const starts = new Int32Array(cells + 1);
  for (let cell = 0; cell < cells; cell++) {
    starts[cell + 1] = starts[cell]! + game.thiefTargets(cell).length;
    if (starts[cell + 1]! <= MOST_MOVES) continue;
    const message = `moves of the thief: expected at most ${MOST_MOVES} on the whole board, found more`;
    throw new DragnetError("unsupported", message);
  }
  const targets = new Int32Array(starts[cells]!);
  for (let cell = 0; cell < cells; cell++) targets.set(game.thiefTargets(cell), starts[cell]!);
  return { starts, targets };
}
