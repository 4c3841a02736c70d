import type { Cell } from "./board.js";
import { type Outcome, type Value, valueOf } from "./codes.js";
import { Effort } from "./effort.js";
import { refuse } from "./errors.js";
import type { Placement, Successor } from "./game.js";
import type { Header } from "./header.js";
import { type Line, type LineMove, type Move, checkStep, moveTo, refuseStep } from "./line.js";
import type { Position } from "./placing.js";
import { PursuitFile } from "./pursuit-file.js";
import { Rows } from "./rows.js";
import type { Side } from "./rules.js";
import { type Slice, Slicer } from "./slice.js";
import { type Statistics, computeStatistics } from "./statistics.js";
import { type OpenFile, finished } from "./table-file.js";
import { type CheckedSums, checkPursuit } from "./check-sums.js";

/** An open pursuit table, of `N` officers if that is known. */
export class Table<N extends number = number> extends PursuitFile {
  readonly kind = "pursuit";
  readonly #slicer: Slicer;
  #rows: Rows | undefined;

  /** @internal */
  constructor(bytes: OpenFile, header: Header) {
    super(bytes, header, (code) => code);
    this.#slicer = new Slicer(this.places, this.game, this.store, bytes.file, () => this.#prepareRows());
  }

  /**
   * Returns the value of a position.
   *
   * @throws DragnetError of kind `position` if a piece stands where it has no place, or if there is no such
   *   world, or if the number of officers is not the table's; of kind `missing` if the table was opened in
   *   pieces, see {@link TableFile.load}; of kind `work` if the question needs more work than a table may ask
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
    const value = this.value(position);
    let [placement, from]: [Placement, Position] = [start, position];
    let code = this.game.code(start.world, start.police, start.thief, start.turn, Effort.UNLIMITED);
    const moves: LineMove<N>[] = [];
    const seen = new Set<number>();
    for (;;) {
      const ending = this.game.ending(placement.world, placement.police, placement.thief);
      if (ending !== undefined) return { ...value, moves, end: ending };
      const number = this.store.positionNumber(placement);
      if (seen.has(number)) return { ...value, moves, end: "repetition" };
      seen.add(number);
      const next = this.#best(placement);
      if (next === undefined) {
        if (code !== this.game.stuck) refuseStep(code, this.game.stuck);
        return { ...value, moves, end: "stuck" };
      }
      checkStep(code, next.code);
      const move = moveTo(from, next, this.places) as Move<N>;
      moves.push({ side: placement.turn, ...move });
      [placement, from, code] = [next.after, move.position, next.code];
    }
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
    if (piece !== "police") refuse("argument", "piece", "police or thief", piece);
    const { officers } = this.rules;
    if (!Number.isInteger(officer) || officer < 0 || officer >= officers) {
      const expected = officers === 0 ? "a game with officers" : `0 to ${officers - 1}`;
      refuse("argument", "officer", expected, officer);
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
    return finished(this.statisticsInSteps());
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
