import type { Cell } from "./board.js";
import type { Cache } from "./cache.js";
import { type Outcome, type Value, valueOf } from "./codes.js";
import { DragnetError } from "./errors.js";
import type { FileBytes } from "./file-bytes.js";
import type { Placement, Successor } from "./game.js";
import { type Header, readHeader } from "./header.js";
import { type Line, type Move, moveTo, playOut } from "./line.js";
import { type FetchOptions, type OpenOptions, type TableBytes, cacheOf, fetchBytes, fileOf } from "./open.js";
import type { Position } from "./placing.js";
import { PursuitFile } from "./pursuit-file.js";
import { RemoteFile, askUntilAnswered } from "./remote-file.js";
import { Rows } from "./rows.js";
import type { Side } from "./rules.js";
import { type Slice, Slicer } from "./slice.js";
import { type Statistics, computeStatistics } from "./statistics.js";
import { type CheckedSums, checkPursuit } from "./check-sums.js";

/** Options for opening a pursuit table that has `N` officers. */
export interface OfficersOption<N extends number> {
  /**
   * The number of officers that the table must have. With 1, the types say that each move leads to a single
   * cell.
   */
  readonly officers?: N | undefined;
}

/** An open pursuit table, of `N` officers if that is known. */
export class Table<N extends number = number> extends PursuitFile {
  readonly #slicer: Slicer;
  #rows: Rows | undefined;

  private constructor(file: FileBytes, header: Header, cache: Cache, remote?: RemoteFile) {
    super(file, header, cache, remote, (code) => code);
    this.#slicer = new Slicer(this.places, this.game, this.store, file, () => this.#prepareRows());
  }

  /**
   * Opens a pursuit table in memory. The bytes are not copied and must not change afterwards. The header,
   * moves and ends are checked now, each block of values when it is first touched, where a move leads when it
   * is asked for, and everything by {@link Table.checkSums}.
   *
   * @throws DragnetError if the bytes are not a table or are damaged; of kind `unsupported` if they are a
   *   table of another kind, or of another number of officers than asked for
   */
  static fromBytes<N extends number = number>(
    bytes: TableBytes,
    options: OpenOptions & OfficersOption<N> = {},
  ): Table<N> {
    const cache = cacheOf(options);
    const file = fileOf(bytes);
    return new Table<N>(file, withOfficers(readHeader(file, "pursuit"), options), cache);
  }

  /**
   * Fetches a whole pursuit table from an address and opens it.
   *
   * @throws DragnetError of kind `fetch` if the request fails or its status is not a success; otherwise as
   * {@link Table.fromBytes}
   */
  static async fetch<N extends number = number>(
    url: string | URL,
    options: FetchOptions & OfficersOption<N> = {},
  ): Promise<Table<N>> {
    const bytes = await fetchBytes(url, options.signal);
    return Table.fromBytes(bytes, options);
  }

  /**
   * Opens a pursuit table at an address without fetching all of it. Its beginning, moves and ends are fetched
   * now; {@link Table.load} fetches what questions need. If the server does not send parts of files, the
   * whole table is fetched.
   *
   * @throws DragnetError of kind `fetch` if a request fails or the answer is not the one that HTTP demands;
   *   otherwise as {@link Table.fromBytes}; the reason of the signal if it is aborted
   */
  static async open<N extends number = number>(
    url: string | URL,
    options: FetchOptions & OfficersOption<N> = {},
  ): Promise<Table<N>> {
    const cache = cacheOf(options);
    const { file, remote } = await RemoteFile.open(url, options.signal);
    const open = (): Table<N> => new Table<N>(file, withOfficers(readHeader(file, "pursuit"), options), cache, remote);
    return askUntilAnswered(open, file, remote, options.signal);
  }

  /**
   * Returns the value of a position.
   *
   * @throws DragnetError of kind `position` if a piece stands where it has no place, or if there is no such
   *   world, or if the number of officers is not the table's; of kind `missing` if the table was opened in
   *   pieces, see {@link Table.load}; of kind `work` if the question needs more work than a table may ask
   *   for; of another kind if the table is damaged
   */
  value(position: Position): Value {
    const { world, police, thief, turn } = this.placement(position);
    this.file.begin();
    const code = this.game.code(world, police, thief, turn, this.effort.begin());
    this.file.settle();
    return valueOf(code, turn);
  }

  /**
   * Returns who wins a position with best play. Play without end counts as the rules say (`undecided`).
   *
   * @throws DragnetError as {@link Table.value}
   */
  outcome(position: Position): Outcome {
    const { outcome } = this.value(position);
    return outcome === "draw" ? this.rules.undecided : outcome;
  }

  /**
   * Returns every legal move with the value of the position after it, best first: quick wins, slow wins,
   * draws, slow losses, quick losses; equally good moves in reading order, then by worlds. The list is empty
   * if the position is terminal or the side to move has no move.
   *
   * @throws DragnetError as {@link Table.value}
   */
  moves(position: Position): Move<N>[] {
    const placement = this.placement(position);
    this.file.begin();
    const choices = this.game.ranked(placement, this.effort.begin());
    this.file.settle();
    return choices.map((successor) => moveTo(position, successor, this.places) as Move<N>);
  }

  /**
   * Returns the best move, the first of {@link Table.moves}, without keeping the others; `undefined` if the
   * position is terminal or the side to move has no move.
   *
   * @throws DragnetError as {@link Table.value}
   */
  bestMove(position: Position): Move<N> | undefined {
    const best = this.#best(this.placement(position));
    return best && (moveTo(position, best, this.places) as Move<N>);
  }

  /**
   * Returns the values of many positions, in their order.
   *
   * @throws DragnetError as {@link Table.value}
   */
  values(positions: Iterable<Position>): Value[] {
    const placements = Array.from(positions, (position) => this.placement(position));
    this.file.begin();
    const codes = placements.map(({ world, police, thief, turn }) =>
      this.game.code(world, police, thief, turn, this.effort.begin()),
    );
    this.file.settle();
    return codes.map((code, k) => valueOf(code, placements[k]!.turn));
  }

  /**
   * Returns whether the police captures the thief within some plies, if both sides play perfectly: for a game
   * in which somebody must get away for some time, or be caught in time.
   *
   * @throws DragnetError as {@link Table.value}
   */
  isCaughtWithin(position: Position, plies: number): boolean {
    const { outcome, dtw } = this.value(position);
    return outcome === "police" && dtw! <= plies;
  }

  /**
   * Returns a number that is unique to a position within this table.
   *
   * @throws DragnetError of kind `position` if the position does not exist in the table
   * @internal
   */
  numberOf(position: Position): number {
    return this.store.positionNumber(this.placement(position));
  }

  /**
   * Returns optimal play to the end: the winner wins as quickly and the loser loses as slowly as possible; of
   * equally good moves the first in reading order is played. A draw is played until a position occurs again.
   *
   * @throws DragnetError as {@link Table.value}, and of kind `contents` if the values along the line
   *   contradict each other
   */
  line(position: Position): Line<N> {
    const start = this.placement(position);
    // Without the blocks that the first value needs, its contradiction to the next one would be an error.
    this.value(position);
    const numberOf = (placement: Placement): number => this.store.positionNumber(placement);
    return playOut(start, position, this, (from) => this.#best(from), numberOf) as Line<N>;
  }

  /**
   * Returns the values of all positions that differ from `position` only in the cell of one piece, and so are
   * in the same world, for a heat map. It is far quicker than to ask for each value. The piece's own cell may
   * be any.
   *
   * @param officer the index in `position.police` of the officer whose cell varies, if there are several
   * @throws DragnetError of kind `argument` if there is no such piece; otherwise as {@link Table.value}
   */
  slice(position: Position, piece: Side, officer = 0): Slice {
    const placement = this.placement(position);
    if (piece === "thief") return this.#slicer.thief(placement);
    if (piece !== "police") {
      throw new DragnetError("argument", `piece: expected police or thief, found ${String(piece)}`);
    }
    const { officers } = this.rules;
    if (!Number.isInteger(officer) || officer < 0 || officer >= officers) {
      const expected = officers === 0 ? "a game with officers" : `0 to ${officers - 1}`;
      throw new DragnetError("argument", `officer: expected ${expected}, found ${String(officer)}`);
    }
    if (officers === 1) return this.#slicer.police(placement, 0);
    // The team of the placement is sorted, so that the officer has another index there.
    const cell = this.places.police.numberOf((position.police as readonly Cell[])[officer]!, "police");
    return this.#slicer.police(placement, placement.police.indexOf(cell));
  }

  /**
   * Returns counts, histograms and the longest wins, from the values of all positions. It blocks the thread
   * until it is done.
   *
   * @throws DragnetError of kind `missing` unless the whole file is in memory; of another kind if the table
   *   is damaged
   */
  statistics(): Statistics {
    const steps = this.statisticsInSteps();
    for (;;) {
      const { value, done } = steps.next();
      if (done === true) return value;
    }
  }

  /**
   * Returns what {@link Table.statistics} returns, computed in steps, between which a page can do other
   * things. Each step yields the share that is done, from 0 to 1.
   *
   * ```ts
   * const steps = table.statisticsInSteps();
   * let step = steps.next();
   * for (; !step.done; step = steps.next()) await pause(step.value);
   * show(step.value);
   * ```
   *
   * @throws DragnetError as {@link Table.statistics}, from the first or a later step
   */
  *statisticsInSteps(): Generator<number, Statistics> {
    this.file.need(0, this.byteLength);
    return yield* computeStatistics(this, this.store, this.#prepareRows());
  }

  *checkSumsInSteps(): Generator<number, CheckedSums> {
    this.file.need(0, this.byteLength);
    yield* this.checkGame();
    return yield* checkPursuit(this.store, this.game, this);
  }

  #prepareRows(): Rows {
    return (this.#rows ??= new Rows(this.game, this.places.thief.openCells));
  }

  /** Returns the best successor of a position. */
  #best(from: Placement): Successor | undefined {
    this.file.begin();
    const best = this.game.best(from, this.effort.begin());
    this.file.settle();
    return best;
  }
}

/** Returns the header if the table has the number of officers that was asked for. */
function withOfficers(header: Header, { officers }: OfficersOption<number>): Header {
  const found = header.rules.officers;
  if (officers === undefined || officers === found) return header;
  throw new DragnetError("unsupported", `expected a table of ${officers} officers, found one of ${found}`);
}
