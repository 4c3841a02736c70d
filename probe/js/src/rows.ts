import { LOST, MOST_MERIT, WON, codeBefore, merit } from "./codes.js";
import { refuse } from "./errors.js";
import type { Game } from "./game.js";
import type { Team } from "./team-moves.js";
import type { Side } from "./rules.js";

/** The most moves of the thief from all places in all worlds together, a limit on memory. */
const MOST_MOVES = 2 ** 26;

/** The moves of the thief from all places in a world. */
interface MoveLists {
  /** The spots to which they lead, place after place. */
  readonly targets: Int32Array;
  /** The index of each place's first target, and the number of all targets at the end. */
  readonly starts: Int32Array;
  /** The worlds to which they lead. */
  readonly worlds: readonly number[];
}

/**
 * Derives the codes of whole rows. A row has the codes of all positions in a world that differ only in the
 * thief's place, by its number.
 */
export class Rows {
  readonly #escapes: readonly Int32Array[];
  readonly #game: Game;
  readonly #places: number;
  /** The merits of positions with the police to move, by the thief's spot. */
  readonly #merits: Int32Array;
  /** The moves from each world that was asked for. */
  readonly #lists = new Map<number, MoveLists>();
  #moves = 0;

  /** @param places the number of the thief's places */
  constructor(game: Game, places: number) {
    const cells = Array.from({ length: places }, (_, cell) => cell);
    this.#escapes = Array.from({ length: game.worlds }, (_, world) => {
      return Int32Array.from(cells.filter((cell) => game.hasEscaped(world, cell)));
    });
    this.#game = game;
    this.#places = places;
    this.#merits = new Int32Array(game.worlds * places);
  }

  /** Puts the codes of terminal positions into the row of a team in a world. */
  setTerminal(row: Uint32Array, world: number, police: Team, turn: Side): void {
    const [caught, escaped] = turn === "police" ? [WON, LOST] : [LOST, WON];
    // The first rule that applies decides, so that it is applied last.
    if (this.#game.hasArrived(world, police)) row.fill(caught);
    for (const escape of this.#escapes[world]!) row[escape] = escaped;
    for (const officer of police) for (const cell of this.#game.captured(world, officer)) row[cell] = caught;
  }

  /** Returns the worlds to which the thief's moves from a world lead. */
  worldsAfter(world: number): readonly number[] {
    return this.#listsOf(world).worlds;
  }

  /** Keeps the row of a team in a world with the police to move, from which others are derived. */
  keep(row: Uint32Array, world: number): void {
    const first = world * this.#places;
    for (let cell = 0; cell < row.length; cell++) this.#merits[first + cell] = merit(row[cell]!);
  }

  /**
   * Computes the row of a team in a world with the thief to move, from the rows that were kept of the worlds
   * to which the thief's moves lead.
   */
  deriveThiefToMove(derived: Uint32Array, world: number, police: Team): void {
    const merits = this.#merits;
    const { starts, targets } = this.#listsOf(world);
    let at = 0;
    for (let cell = 0; cell < derived.length; cell++) {
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
    this.setTerminal(derived, world, police, "thief");
  }

  /** @throws DragnetError of kind `unsupported` if there are too many moves for the memory */
  #listsOf(world: number): MoveLists {
    let lists = this.#lists.get(world);
    if (lists !== undefined) return lists;
    const cells = this.#places;
    const starts = new Int32Array(cells + 1);
    const found = Array.from({ length: cells }, (_, cell) => {
      const list = this.#game.targets("thief", world, cell);
      starts[cell + 1] = starts[cell]! + list.length;
      if (this.#moves + starts[cell + 1]! <= MOST_MOVES) return list;
      return refuse("unsupported", "moves of the thief", `at most ${MOST_MOVES} from all places`, "more");
    });
    const targets = new Int32Array(starts[cells]!);
    found.forEach((list, cell) => targets.set(list, starts[cell]!));
    this.#moves += targets.length;
    const worlds = new Set<number>();
    for (const spot of targets) worlds.add(this.#game.worldOf("thief", spot));
    this.#lists.set(world, (lists = { starts, targets, worlds: [...worlds] }));
    return lists;
  }
}
