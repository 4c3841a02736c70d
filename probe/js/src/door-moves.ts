import type { Board } from "./board.js";
import type { Effort } from "./effort.js";
import type { BoardRules, Side, SideRules, Step } from "./rules.js";

const ORTHOGONAL: readonly Step[] = [[-1, 0], [0, -1], [0, 1], [1, 0]];
const DIAGONAL: readonly Step[] = [[-1, -1], [-1, 1], [1, -1], [1, 1]];
const KNIGHT: readonly Step[] = [[-2, -1], [-2, 1], [-1, -2], [-1, 2], [1, -2], [1, 2], [2, -1], [2, 1]];

/** The cells that are in the list that is being computed. All boards use it in turn. */
class Marks {
  /** For each cell, the number of the list in which it was found last. */
  #lists = new Float64Array(0);
  #list = 0;

  /** Makes room for a board with so many cells. */
  cover(cells: number): void {
    if (cells > this.#lists.length) this.#lists = new Float64Array(cells);
  }

  /** Begins a list, in which no cell is so far. */
  begin(): void {
    this.#list++;
  }

  /** Puts a cell into the list. Returns whether it was not there. */
  set(cell: number): boolean {
    if (this.#lists[cell] === this.#list) return false;
    this.#lists[cell] = this.#list;
    return true;
  }
}

const marks = new Marks();

/** The moves of a single piece of one side, while some doors are closed. */
export class DoorMoves {
  readonly #board: Board;
  readonly #rules: BoardRules;
  readonly #side: SideRules;
  readonly #offsets: readonly Step[];
  /** Whether the side may not step on exits. */
  readonly #barred: boolean;
  /** Whether each cell is closed, by cell number. */
  readonly #closed: Uint8Array;
  /** The cell whose list was computed last. */
  #lastCell = -1;
  #lastList: Int32Array = new Int32Array();

  /** @param closed for each cell, by its number, 1 if it is a wall for all moves */
  constructor(board: Board, rules: BoardRules, side: Side, closed: Uint8Array) {
    this.#board = board;
    this.#rules = rules;
    this.#side = rules[side];
    this.#offsets = offsetsOf(rules[side]);
    this.#barred = side === "police" && rules.policeOnExit === "barred";
    this.#closed = closed;
    marks.cover(board.openCells);
  }

  /**
   * Returns the cell numbers that the piece can move to from `cell`, without duplicates, in reading order, as
   * part of a question that may need `effort`.
   */
  from(cell: number, effort: Effort): Int32Array {
    if (cell !== this.#lastCell) {
      this.#lastList = this.#list(cell, effort);
      this.#lastCell = cell;
    }
    return this.#lastList;
  }

  #list(cell: number, effort: Effort): Int32Array {
    marks.begin();
    marks.set(cell);
    const found = [cell];
    for (let step = 0, next = 0; step < this.#side.steps && next < found.length; step++) {
      for (const end = found.length; next < end; next++) {
        effort.takeSteps(this.#addSlides(found[next]!, found));
      }
    }
    return Int32Array.from(this.#side.mayPass ? found : found.slice(1)).sort();
  }

  /**
   * Adds the cell numbers at the end of one step with any reach that are not marked yet. Returns the number
   * of steps tried.
   */
  #addSlides(cell: number, found: number[]): number {
    let tried = 0;
    for (const offset of this.#offsets) {
      let here = cell;
      for (let k = 0; k < this.#side.reach; k++) {
        tried++;
        here = this.#target(here, offset);
        if (here < 0 || here === cell || !this.#mayStand(here)) break;
        if (marks.set(here)) found.push(here);
      }
    }
    return tried;
  }

  #mayStand(cell: number): boolean {
    return !(this.#barred && this.#board.isExit(cell));
  }

  /** Returns the cell number after one step of reach 1, or -1 if the step is not legal. */
  #target(cell: number, step: Step): number {
    const down = step[0];
    const right = step[1];
    const { height, width } = this.#board;
    const { wrap, cornerCutting } = this.#rules;
    const square = this.#board.squareOf(cell);
    const column = square % width;
    const row = (square - column) / width;
    let newRow = row + down;
    let newColumn = column + right;
    if (wrap === "vertical" || wrap === "both") newRow = modulo(newRow, height);
    if (wrap === "horizontal" || wrap === "both") newColumn = modulo(newColumn, width);
    if (!this.#isOpen(newRow, newColumn)) return -1;
    const diagonal = Math.abs(down) === 1 && Math.abs(right) === 1;
    if (diagonal && !cornerCutting && !(this.#isOpen(row, newColumn) && this.#isOpen(newRow, column))) return -1;
    return this.#board.numberAt(newRow, newColumn);
  }

  #isOpen(row: number, column: number): boolean {
    if (!this.#board.has(row, column)) return false;
    const cell = this.#board.numberAt(row, column);
    return cell >= 0 && this.#closed[cell] !== 1;
  }
}

function offsetsOf({ moves }: SideRules): readonly Step[] {
  switch (moves) {
    case "king":
      return [...ORTHOGONAL, ...DIAGONAL];
    case "orthogonal":
      return ORTHOGONAL;
    case "diagonal":
      return DIAGONAL;
    case "knight":
      return KNIGHT;
    default:
      return moves.offsets;
  }
}

function modulo(value: number, size: number): number {
  return ((value % size) + size) % size;
}
