import type { Cache } from "./cache.js";
import { type Outcome, type Value, opponent, valueOf } from "./codes.js";
import { Effort } from "./effort.js";
import { DragnetError } from "./errors.js";
import type { FileBytes } from "./file-bytes.js";
import type { Placement, Successor } from "./game.js";
import { GivenGame } from "./given-game.js";
import { type GivenHeader, type GivenRules, type Kind, SECTIONS, readGivenHeader } from "./given-header.js";
import type { Counts } from "./header.js";
import { cellsOf } from "./line.js";
import { type FetchOptions, type OpenOptions, type TableBytes, cacheOf, fetchBytes, fileOf } from "./open.js";
import { type Position, placementOf } from "./placing.js";
import { RemoteFile, askUntilAnswered } from "./remote-file.js";
import type { Side } from "./rules.js";
import { Store } from "./store.js";
import type { Move } from "./table.js";
import { TableFile } from "./table-file.js";
import { type CheckedSums, checkPursuit } from "./check-sums.js";

/** Places whose lists are checked in one step. */
const PLACES_AT_A_TIME = 4096;

/**
 * An open table of a game that a program gave by its places, moves and ends. It knows no board and no rules:
 * all that it needs stands in the file.
 *
 * The cells of a position are squares of the grid of the piece's kind, whose layers stand one below the
 * other: row r of layer l is row l · n + r, with n the rows of a layer.
 */
export class GivenTable extends TableFile {
  /** The officers and the thief, with their layers and places. */
  readonly kinds: Readonly<Record<Side, Kind>>;
  /** How many officers there are, how a turn goes, and what it means to be stuck or not to win. */
  readonly rules: GivenRules;
  /** The number of positions with each outcome, by the side to move. */
  readonly counts: Readonly<Record<Side, Counts>>;
  /** The longest win of each side in plies, with either side to move; 0 for a side that wins no position. */
  readonly longest: Readonly<Record<Side, number>>;
  /** The content digest: equal for all tables with the same values. */
  readonly digest: bigint;
  readonly #file: FileBytes;
  readonly #store: Store;
  readonly #game: GivenGame;
  /** The work of the question that is being answered. */
  readonly #effort = new Effort();

  private constructor(file: FileBytes, header: GivenHeader, cache: Cache, remote?: RemoteFile) {
    super(file, remote);
    const store = new Store(file, header, cache);
    this.kinds = header.kinds;
    this.rules = header.rules;
    this.counts = header.counts;
    this.longest = header.longest;
    this.digest = header.digest;
    this.#file = file;
    this.#store = store;
    file.begin();
    const sections = header.sections.slice(0, SECTIONS.source).map((_, number) => store.section(number));
    file.settle();
    this.#game = new GivenGame(
      header,
      (number) => sections[number]!,
      (police, thief, effort) => store.code(police, thief, effort),
    );
    cache.charge(this, store.byteLength + this.#game.byteLength);
  }

  /**
   * Opens the table of a given game in memory. The bytes are not copied and must not change afterwards. The
   * header, moves and ends are checked now, each block of values when it is first touched, where a move leads
   * when it is asked for, and everything by {@link GivenTable.checkSums}.
   *
   * @throws DragnetError if the bytes are not a table or are damaged; of kind `unsupported` if they are a
   *   table of another kind, or their game has several worlds or kinds of officers
   */
  static fromBytes(bytes: TableBytes, options: OpenOptions = {}): GivenTable {
    const cache = cacheOf(options);
    const file = fileOf(bytes);
    return new GivenTable(file, readGivenHeader(file), cache);
  }

  /**
   * Fetches a whole table from an address and opens it.
   *
   * @throws DragnetError of kind `fetch` if the request fails or its status is not a success; otherwise as
   *   {@link GivenTable.fromBytes}
   */
  static async fetch(url: string | URL, options: FetchOptions = {}): Promise<GivenTable> {
    const bytes = await fetchBytes(url, options.signal);
    return GivenTable.fromBytes(bytes, options);
  }

  /**
   * Opens a table at an address without fetching all of it. Its beginning, moves and ends are fetched now;
   * {@link GivenTable.load} fetches what questions need. If the server does not send parts of files, the
   * whole table is fetched.
   *
   * @throws DragnetError of kind `fetch` if a request fails or the answer is not the one that HTTP demands;
   *   otherwise as {@link GivenTable.fromBytes}; the reason of the signal if it is aborted
   */
  static async open(url: string | URL, options: FetchOptions = {}): Promise<GivenTable> {
    const cache = cacheOf(options);
    const { file, remote } = await RemoteFile.open(url, options.signal);
    const open = (): GivenTable => new GivenTable(file, readGivenHeader(file), cache, remote);
    return askUntilAnswered(open, file, remote, options.signal);
  }

  /**
   * Returns the value of a position.
   *
   * @throws DragnetError of kind `position` if a piece stands where it has no place, or if the number of
   *   officers is not the table's; of kind `missing` if the table was opened in pieces, see
   *   {@link GivenTable.load}; of kind `work` if the question needs more work than a table may ask for; of
   *   another kind if the table is damaged
   */
  value(position: Position): Value {
    const { police, thief, turn } = this.#placement(position);
    this.#file.begin();
    const code = this.#game.code(police, thief, turn, this.#effort.begin());
    this.#file.settle();
    return valueOf(code, turn);
  }

  /**
   * Returns who wins a position with best play. Play without end counts as the rules say (`undecided`).
   *
   * @throws DragnetError as {@link GivenTable.value}
   */
  outcome(position: Position): Outcome {
    const { outcome } = this.value(position);
    return outcome === "draw" ? this.rules.undecided : outcome;
  }

  /**
   * Returns the side that has won a terminal position, whichever side is to move; `undefined` if the game
   * goes on.
   *
   * @throws DragnetError of kind `position` if the position does not exist in the table
   */
  winner(position: Position): Side | undefined {
    const { police, thief } = this.#placement(position);
    return this.#game.winner(police, thief);
  }

  /**
   * Returns every move with the value of the position after it, best first: quick wins, slow wins, draws,
   * slow losses, quick losses; equally good moves in reading order. The list is empty if the position is
   * terminal or the side to move has no move.
   *
   * @throws DragnetError as {@link GivenTable.value}
   */
  moves(position: Position): Move[] {
    const placement = this.#placement(position);
    this.#file.begin();
    const choices = this.#game.ranked(placement, this.#effort.begin());
    this.#file.settle();
    return choices.map((successor) => this.#move(successor, placement.turn));
  }

  /**
   * Returns the best move, the first of {@link GivenTable.moves}; `undefined` if there is none.
   *
   * @throws DragnetError as {@link GivenTable.value}
   */
  bestMove(position: Position): Move | undefined {
    const placement = this.#placement(position);
    this.#file.begin();
    const best = this.#game.best(placement, this.#effort.begin());
    this.#file.settle();
    return best && this.#move(best, placement.turn);
  }

  /**
   * Returns the text from which the game was made; empty if there is none.
   *
   * @throws DragnetError of kind `missing` if the table was opened in pieces, see {@link GivenTable.load}; of
   *   another kind if the table is damaged
   */
  source(): string {
    this.#file.begin();
    const bytes = this.#store.section(SECTIONS.source);
    this.#file.settle();
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch (cause) {
      throw new DragnetError("block", "the source: expected UTF-8, found other bytes", { cause });
    }
  }

  *checkSumsInSteps(): Generator<number, CheckedSums> {
    this.#file.need(0, this.byteLength);
    let places = 0;
    for (const _ of this.#game.checkLists()) if (++places % PLACES_AT_A_TIME === 0) yield 0;
    const checked = yield* checkPursuit(this.#store, this.#game, this);
    this.source();
    this.#store.section(SECTIONS.points);
    return checked;
  }

  #placement(position: Position): Placement {
    const { police, thief } = this.kinds;
    return placementOf(position, police.places, police.pieces, thief.places);
  }

  #move({ after, code }: Successor, side: Side): Move {
    return { to: cellsOf(after, side, this.kinds[side].places), ...valueOf(code, opponent(side)) };
  }
}
