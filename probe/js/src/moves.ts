import type { Board } from "./board.js";
import type { Rules, SideRules, Step } from "./rules.js";

const ORTHOGONAL: readonly Step[] = [[-1, 0], [0, -1], [0, 1], [1, 0]];
const DIAGONAL: readonly Step[] = [[-1, -1], [-1, 1], [1, -1], [1, 1]];
const KNIGHT: readonly Step[] = [[-2, -1], [-2, 1], [-1, -2], [-1, 2], [1, -2], [1, 2], [2, -1], [2, 1]];

/** Where a side can go from each cell. Lists are made when they are first asked for. */
export class Moves {
  readonly #board: Board;
  readonly #rules: Rules;
  readonly #steps: readonly Step[];
  readonly #mayPass: boolean;
  readonly #lists: (Int32Array | undefined)[];

  constructor(board: Board, rules: Rules, side: SideRules) {
    this.#board = board;
    this.#rules = rules;
    this.#steps = stepsOf(side);
    this.#mayPass = side.mayPass;
    this.#lists = new Array<Int32Array | undefined>(board.openCells);
  }

  /** The cell numbers that can be reached from a cell number, each once, rising: in reading order. */
  from(cell: number): Int32Array {
    return (this.#lists[cell] ??= this.#list(cell));
  }

  #list(cell: number): Int32Array {
    const targets = new Set<number>();
    const [row, column] = this.#board.cellOf(cell);
    for (const step of this.#steps) {
      const target = this.#target(row, column, step);
      if (target >= 0 && target !== cell) targets.add(target);
    }
    if (this.#mayPass) targets.add(cell);
    return Int32Array.from(targets).sort();
  }

  /** The cell number to which a step leads, -1 if it leads nowhere. */
  #target(row: number, column: number, [down, right]: Step): number {
    const { height, width } = this.#board;
    const { wrap, cornerCutting } = this.#rules;
    let newRow = row + down;
    let newColumn = column + right;
    if (wrap === "vertical" || wrap === "both") newRow = modulo(newRow, height);
    if (wrap === "horizontal" || wrap === "both") newColumn = modulo(newColumn, width);
    if (!this.#board.has(newRow, newColumn)) return -1;
    const diagonal = Math.abs(down) === 1 && Math.abs(right) === 1;
    if (diagonal && !cornerCutting && !(this.#isOpen(row, newColumn) && this.#isOpen(newRow, column))) return -1;
    return this.#board.numberAt(newRow, newColumn);
  }

  #isOpen(row: number, column: number): boolean {
    return this.#board.numberAt(row, column) >= 0;
  }
}

function stepsOf({ moves }: SideRules): readonly Step[] {
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
