import type { Board, Cell } from "./board.js";
import type { Code } from "./codes.js";
import { Effort } from "./effort.js";
import { refuse } from "./errors.js";
import { Game, type Placement } from "./game.js";
import { type Counts, type Header, SECTIONS_OF_KIND } from "./header.js";
import { type Kinds, type Places, boardOf } from "./kind.js";
import { type Destination, type Position, placementOf, worldOf } from "./placing.js";
import type { Rules, Side } from "./rules.js";
import { Store } from "./store.js";
import { type OpenFile, TableFile } from "./table-file.js";

/** Places in a world whose lists are checked in one step. */
const SPOTS_AT_A_TIME = 4096;

/**
 * The file of an open table that holds a pursuit game.
 *
 * The cells of a position are squares of the grid of the piece's side, on which the layers of all its kinds
 * stand one below the other: row r of layer l is row l · n + r, with n the rows of the board. With one layer
 * they are squares of the board.
 */
export abstract class PursuitFile extends TableFile {
  /**
   * The board; cells are rows and columns from 0. A square is open if any piece has a place there, in any
   * layer, and an exit if the thief escapes there in any world.
   */
  readonly board: Board;
  /**
   * The number of worlds, 1 to 4096. A world is what a door's key or a clock changes about the whole board:
   * moves, captures and ends may differ from world to world, and a move may lead to another one.
   */
  readonly worlds: number;
  /** The kinds of officers, and the thief, with their layers. */
  readonly kinds: Kinds;
  /** The places of both sides. */
  readonly places: Places;
  /** The rules that are not in moves and ends. */
  readonly rules: Rules;
  /** The number of positions with each outcome, by the side to move. */
  readonly counts: Readonly<Record<Side, Counts>>;
  /** The longest win of each side in plies, with either side to move; 0 for a side that wins no position. */
  readonly longest: Readonly<Record<Side, number>>;
  /**
   * The moves and ends.
   *
   * @internal
   */
  readonly game: Game;
  /**
   * The codes of positions, and the sections.
   *
   * @internal
   */
  protected readonly store: Store;
  /**
   * The work of the question that is being answered.
   *
   * @internal
   */
  protected readonly effort = new Effort();
  /** The number of the section of the source. */
  readonly #source: number;

  /**
   * @param checked returns a code that the table stores, or throws if it is none of a value
   * @internal
   */
  protected constructor(bytes: OpenFile, header: Header, checked: (code: Code) => Code) {
    super(bytes, header.digest);
    const { file, cache } = bytes;
    const store = new Store(file, header, cache);
    file.begin();
    this.#source = SECTIONS_OF_KIND * (header.kinds.police.length + 1);
    const sections = Array.from({ length: this.#source }, (_, section) => store.section(section));
    file.settle();
    this.game = new Game(header, sections, (world, police, thief, effort) => {
      return checked(store.code(world, police, thief, effort));
    });
    this.board = boardOf(header, sections.at(-1)!);
    this.worlds = header.worlds;
    this.kinds = header.kinds;
    this.places = header.places;
    this.rules = header.rules;
    this.counts = header.counts;
    this.longest = header.longest;
    this.store = store;
    cache.charge(this, store.byteLength + this.game.byteLength + this.board.byteLength);
  }

  /**
   * Returns the text from which the game was made; empty if there is none.
   *
   * @throws DragnetError of kind `missing` if the table was opened in pieces, see {@link TableFile.load}; of
   *   another kind if the table is damaged
   */
  source(): string {
    this.file.begin();
    const bytes = this.store.section(this.#source);
    this.file.settle();
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch (cause) {
      refuse("block", "the source", "UTF-8", "other bytes", cause);
    }
  }

  /**
   * Returns the side that has won a terminal position, whichever side is to move; `undefined` if the game
   * goes on.
   *
   * @throws DragnetError of kind `position` if the position does not exist in the table
   */
  winner(position: Position): Side | undefined {
    const { world, police, thief } = this.placement(position);
    return this.game.winner(world, police, thief);
  }

  /**
   * Returns where a single piece of a side may move from a cell, by worlds and in reading order, wherever
   * other pieces are.
   *
   * @throws DragnetError of kind `argument` if there is no such side; of kind `position` if the piece has no
   *   place there, or if there is no such world; of kind `work` if there are more moves than a question may
   *   need; of another kind if the table is damaged
   */
  pieceMoves(side: Side, from: Cell, world = 0): Destination[] {
    if (side !== "police" && side !== "thief") refuse("argument", "side", "police or thief", side);
    const { game } = this;
    const places = this.places[side];
    const cell = places.numberOf(from, side);
    const spots = game.targets(side, worldOf(world, this.worlds), cell, this.effort.begin());
    return Array.from(spots, (spot) => {
      return { world: game.worldOf(side, spot), cell: places.cellOf(game.cellOf(side, spot)) };
    });
  }

  /** @internal */
  protected placement(position: Position): Placement {
    return placementOf(position, this);
  }

  /**
   * Checks in steps where moves and captures lead, and that the source is a text.
   *
   * @internal
   */
  protected *checkGame(): Generator<number> {
    let spots = 0;
    for (const _ of this.game.checkLists(this.rules.officers)) if (++spots % SPOTS_AT_A_TIME === 0) yield 0;
    this.source();
  }
}
