import type { Board, Cell } from "./board.js";
import type { Cache } from "./cache.js";
import { type Code, type Outcome, WON, valueOf } from "./codes.js";
import { Effort } from "./effort.js";
import { DragnetError } from "./errors.js";
import type { FileBytes } from "./file-bytes.js";
import { Game, type Placement, type Stored } from "./game.js";
import { type Edge, edgesOf } from "./graph.js";
import type { Counts } from "./header.js";
import { type FetchOptions, type OpenOptions, type TableBytes, cacheOf, fetchBytes, fileOf } from "./open.js";
import { type Keeps, type PartialHeader, readPartialHeader } from "./partial-header.js";
import { type Position, placementOf } from "./placing.js";
import { RemoteFile, askUntilAnswered } from "./remote-file.js";
import type { Rules, Side } from "./rules.js";
import { Store } from "./store.js";
import { TableFile } from "./table-file.js";
import { type Team, sortedTeam } from "./team-moves.js";
import { type CheckedSums, checkOutcomes, checkPlacements } from "./check-sums.js";

/**
 * An open partial table: small, since it keeps only who wins each position, or only a best move of one side.
 * `dragnet pack --keep` makes it from a pursuit table.
 */
export class PartialTable extends TableFile {
  /** The knowledge that is kept: who wins, or a best move of the police or of the thief. */
  readonly keeps: Keeps;
  /** The board; cells are rows and columns from 0. */
  readonly board: Board;
  /** The edges of the board if it is a graph, vertex by vertex; `null` if the board consists of squares. */
  readonly edges: readonly Edge[] | null;
  /** The rules of the game. */
  readonly rules: Rules;
  /** The number of positions with each outcome, by the side to move. */
  readonly counts: Readonly<Record<Side, Counts>>;
  /** The longest win of each side in plies, with either side to move; 0 for a side that wins no position. */
  readonly longest: Readonly<Record<Side, number>>;
  /** The content digest of the pursuit table from which the table was made. */
  readonly digest: bigint;
  readonly #file: FileBytes;
  readonly #store: Store;
  readonly #game: Game;
  readonly #differences: readonly number[];
  /** The work of the question that is being answered. */
  readonly #effort = new Effort();

  private constructor(file: FileBytes, header: PartialHeader, cache: Cache, remote?: RemoteFile) {
    super(file, remote);
    const store = new Store(file, header, cache);
    this.keeps = header.keeps;
    this.board = header.board;
    this.edges = header.graph === undefined ? null : edgesOf(header.graph);
    this.rules = header.rules;
    this.counts = header.counts;
    this.longest = header.longest;
    this.digest = header.digest;
    this.#file = file;
    this.#store = store;
    this.#differences = header.differences;
    const stored: Stored = (police, thief, effort) => checkedOutcome(store.code(police, thief, effort));
    this.#game = new Game(header, stored, cache.moveLists);
    cache.charge(this, store.byteLength);
  }

  /**
   * Opens a partial table in memory. The bytes are not copied and must not change afterwards. The header is
   * checked now, each block when it is first touched, and each move when it is asked for.
   *
   * @throws DragnetError if the bytes are not a table or are damaged; of kind `unsupported` if they are a
   *   table of another kind
   */
  static fromBytes(bytes: TableBytes, options: OpenOptions = {}): PartialTable {
    const cache = cacheOf(options);
    const file = fileOf(bytes);
    return new PartialTable(file, readPartialHeader(file), cache);
  }

  /**
   * Fetches a whole partial table from an address and opens it.
   *
   * @throws DragnetError of kind `fetch` if the request fails or its status is not a success; otherwise as
   * {@link PartialTable.fromBytes}
   */
  static async fetch(url: string | URL, options: FetchOptions = {}): Promise<PartialTable> {
    const bytes = await fetchBytes(url, options.signal);
    return PartialTable.fromBytes(bytes, options);
  }

  /**
   * Opens a partial table at an address without fetching all of it. Only its beginning is fetched now;
   * {@link PartialTable.load} fetches what questions need. If the server does not send parts of files, the
   * whole table is fetched.
   *
   * @throws DragnetError of kind `fetch` if a request fails or the answer is not the one that HTTP demands;
   *   otherwise as {@link PartialTable.fromBytes}; the reason of the signal if it is aborted
   */
  static async open(url: string | URL, options: FetchOptions = {}): Promise<PartialTable> {
    const cache = cacheOf(options);
    const { file, remote } = await RemoteFile.open(url, options.signal);
    const open = (): PartialTable => new PartialTable(file, readPartialHeader(file), cache, remote);
    return askUntilAnswered(open, file, remote, options.signal);
  }

  /**
   * Returns who wins a position with best play, with either side to move. Play without end counts as the
   * rules say (`undecided`).
   *
   * @throws DragnetError of kind `not-kept` unless the table keeps outcomes; of kind `position` if the
   *   position does not exist in the table; of kind `missing` if the table was opened in pieces, see
   *   {@link PartialTable.load}; of kind `work` if the question needs more work than a table may ask for; of
   *   another kind if the table is damaged
   */
  outcome(position: Position): Outcome {
    this.#require("outcomes");
    const { police, thief, turn } = placementOf(position, this.board, this.rules.officers);
    this.#file.begin();
    const code = this.#game.code(police, thief, turn, this.#effort.begin());
    this.#file.settle();
    const { outcome } = valueOf(code, turn);
    return outcome === "draw" ? this.rules.undecided : outcome;
  }

  /**
   * Returns the cells to which the side to move best goes: the cell of the thief or of a single officer, or
   * the cells of all officers in reading order; `undefined` if the position is terminal or there is no move.
   * A move that the table keeps is checked to be legal.
   *
   * @throws DragnetError of kind `not-kept` unless the table keeps the moves of the side to move; of kind
   *   `contents` if the move that it keeps is not legal; otherwise as {@link PartialTable.outcome}
   */
  bestMove(position: Position): Cell | Cell[] | undefined {
    const from = placementOf(position, this.board, this.rules.officers);
    this.#require(`${from.turn}-moves`);
    if (this.#game.ending(from.police, from.thief) !== undefined) return undefined;
    const effort = this.#effort.begin();
    this.#file.begin();
    const code = this.#store.code(from.police, from.thief, effort);
    this.#file.settle();
    const after = this.#after(from, code, effort);
    if (after === undefined) return undefined;
    const cells = sortedTeam(after).map((cell): Cell => this.board.cellOf(cell));
    return cells.length === 1 ? cells[0] : cells;
  }

  *checkSumsInSteps(): Generator<number, CheckedSums> {
    this.#file.need(0, this.byteLength);
    if (this.keeps === "outcomes") {
      return yield* checkOutcomes(this.#store, this, (police, thief) => {
        // The slot is read even if the position is terminal, since its palette index must be valid.
        const stored = this.#store.code(police, thief);
        return this.#game.terminalCode(police, thief, "police") ?? checkedOutcome(stored);
      });
    }
    const turn: Side = this.keeps === "police-moves" ? "police" : "thief";
    const check = (police: Team, thief: number): void => {
      const code = this.#store.code(police, thief);
      if (this.#game.ending(police, thief) === undefined) this.#after({ police, thief, turn }, code, Effort.UNLIMITED);
    };
    return yield* checkPlacements(this.#store, check);
  }

  #require(asked: Keeps): void {
    if (asked === this.keeps) return;
    throw new DragnetError("not-kept", `expected a table that keeps ${asked}, found one that keeps ${this.keeps}`);
  }

  /** Returns the cell numbers of the pieces after the move with a code, `undefined` if there is no move. */
  #after({ police, thief, turn }: Placement, code: number, effort: Effort): number[] | undefined {
    const pieces = turn === "police" ? police : [thief];
    const lists = pieces.map((cell) => this.#game.targets(turn, cell, effort));
    const alone = this.rules.team === "one";
    if (code === 0) {
      // If one officer moves in a turn, nobody can; if all do, somebody cannot.
      const isStuck = (list: Int32Array): boolean => list.length === 0;
      if (alone ? lists.every(isStuck) : lists.some(isStuck)) return undefined;
      throw illegal("no move where there is one");
    }
    const targets = this.#targets(pieces, code);
    const reaches = (k: number): boolean => lists[k]!.includes(targets[k]!);
    const moved = [...pieces.keys()].filter((k) => pieces[k] !== targets[k]);
    if (alone) {
      const stays = moved.length === 0 && pieces.some((cell, k) => lists[k]!.includes(cell));
      if (!stays && !(moved.length === 1 && reaches(moved[0]!))) throw illegal(`code ${code}`);
    } else if (![...pieces.keys()].every(reaches)) {
      throw illegal(`code ${code}`);
    }
    return targets;
  }

  /** Returns the cell number to which each piece goes by a code, -1 if there is no such cell. */
  #targets(pieces: readonly number[], code: number): number[] {
    const { width } = this.board;
    const count = this.#differences.length;
    let rest = code - 1;
    const targets = pieces.map((cell) => {
      const square = this.board.squareOf(cell) + this.#differences[rest % count]!;
      rest = Math.floor(rest / count);
      const [row, column] = [Math.floor(square / width), ((square % width) + width) % width];
      return this.board.has(row, column) ? this.board.numberAt(row, column) : -1;
    });
    if (rest === 0) return targets;
    throw new DragnetError("block", `a code of a move: expected at most ${count ** pieces.length}, found ${code}`);
  }
}

/** Returns the code of an outcome that a table stores, if it is one. */
function checkedOutcome(code: Code): Code {
  if (code <= WON) return code;
  throw new DragnetError("block", `a code of an outcome: expected 0 to ${WON}, found ${code}`);
}

function illegal(found: string): DragnetError {
  return new DragnetError("contents", `a kept move: expected a legal one, found ${found}`);
}
