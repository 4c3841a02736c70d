import { LOST, MOST_MERIT, WON, codeBefore, merit } from "./codes.js";
import { DragnetError } from "./errors.js";
import type { Game } from "./game.js";
import type { Team } from "./team-moves.js";
import type { Side } from "./rules.js";

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
 * Derives the codes of whole rows. A row has the codes of all positions that differ only in the thief's
 * place, by its number.
 */
export class Rows {
  readonly #escapes: Int32Array;
  readonly #game: Game;
  readonly #merits: Int32Array;
  #lists: MoveLists | undefined;

  /** @param places the number of the thief's places */
  constructor(game: Game, places: number) {
    const cells = Array.from({ length: places }, (_, cell) => cell);
    this.#escapes = Int32Array.from(cells.filter((cell) => game.hasEscaped(cell)));
    this.#game = game;
    this.#merits = new Int32Array(places);
  }

  /** Puts the codes of terminal positions into the row of a team. */
  setTerminal(row: Uint32Array, police: Team, turn: Side): void {
    const [caught, escaped] = turn === "police" ? [WON, LOST] : [LOST, WON];
    // The first rule that applies decides, so that it is applied last.
    if (this.#game.hasArrived(police)) row.fill(caught);
    for (const escape of this.#escapes) row[escape] = escaped;
    for (const officer of police) for (const cell of this.#game.captured(officer)) row[cell] = caught;
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
        derived[cell] = this.#game.stuck;
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
 * Returns the thief's moves from all of so many places.
 *
 * @throws DragnetError of kind `unsupported` if there are too many for the memory
 */
function moveLists(game: Game, cells: number): MoveLists {
  const starts = new Int32Array(cells + 1);
  for (let cell = 0; cell < cells; cell++) {
    starts[cell + 1] = starts[cell]! + game.targets("thief", cell).length;
    if (starts[cell + 1]! <= MOST_MOVES) continue;
    const message = `moves of the thief: expected at most ${MOST_MOVES} from all places, found more`;
    throw new DragnetError("unsupported", message);
  }
  const targets = new Int32Array(starts[cells]!);
  for (let cell = 0; cell < cells; cell++) targets.set(game.targets("thief", cell), starts[cell]!);
  return { starts, targets };
}
