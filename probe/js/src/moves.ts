import type { Board } from "./board.js";
import type { Graph } from "./graph.js";
import type { Rules, Side, SideRules, Step } from "./rules.js";

const ORTHOGONAL: readonly Step[] = [[-1, 0], [0, -1], [0, 1], [1, 0]];
const DIAGONAL: readonly Step[] = [[-1, -1], [-1, 1], [1, -1], [1, 1]];
const KNIGHT: readonly Step[] = [[-2, -1], [-2, 1], [-1, -2], [-1, 2], [1, -2], [1, 2], [2, -1], [2, 1]];

/** The moves of a single piece of one side. The list of a cell is computed when it is first needed. */
export class Moves {
  readonly #board: Board;
  readonly #graph: Graph | undefined;
  readonly #rules: Rules;
  readonly #side: SideRules;
  readonly #offsets: readonly Step[];
  /** Whether the side may not step on exits. */
  readonly #barred: boolean;
  readonly #lists: (Int32Array | undefined)[];
  /** For each cell, the number of the list in which it was found last. */
  readonly #marks: Uint32Array;
  /** The number of the list that is being computed. */
  #mark = 0;

  constructor(board: Board, graph: Graph | undefined, rules: Rules, side: Side) {
    this.#board = board;
    this.#graph = graph;
    this.#rules = rules;
    this.#side = rules[side];
    this.#offsets = offsetsOf(rules[side]);
    this.#barred = side === "police" && rules.policeOnExit === "barred";
    this.#lists = new Array<Int32Array | undefined>(board.openCells);
    this.#marks = new Uint32Array(board.openCells);
  }

  /**
   * Returns the cell numbers that the piece can move to from `cell`, without duplicates, in reading order.
   */
  from(cell: number): Int32Array {
    return (this.#lists[cell] ??= this.#list(cell));
  }

  #list(cell: number): Int32Array {
    this.#mark++;
    this.#marks[cell] = this.#mark;
    const found = [cell];
    for (let step = 0, next = 0; step < this.#side.steps && next < found.length; step++) {
      for (const end = found.length; next < end; next++) this.#addSlides(found[next]!, found);
    }
    return Int32Array.from(this.#side.mayPass ? found : found.slice(1)).sort();
  }

  /** Adds the cell numbers at the end of one step with any reach, or of one edge, that are not marked yet. */
  #addSlides(cell: number, found: number[]): void {
    if (this.#graph !== undefined) {
      for (const target of this.#graph[cell]!) if (this.#mayStand(target)) this.#add(target, found);
      return;
    }
    for (const offset of this.#offsets) {
      let here = cell;
      for (let k = 0; k < this.#side.reach; k++) {
        here = this.#target(here, offset);
        if (here < 0 || here === cell || !this.#mayStand(here)) break;
        this.#add(here, found);
      }
    }
  }

  #add(target: number, found: number[]): void {
    if (this.#marks[target] === this.#mark) return;
    this.#marks[target] = this.#mark;
    found.push(target);
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
    if (!this.#board.has(newRow, newColumn)) return -1;
    const diagonal = Math.abs(down) === 1 && Math.abs(right) === 1;
    if (diagonal && !cornerCutting && !(this.#isOpen(row, newColumn) && this.#isOpen(newRow, column))) return -1;
    return this.#board.numberAt(newRow, newColumn);
  }

  #isOpen(row: number, column: number): boolean {
    return this.#board.numberAt(row, column) >= 0;
  }
}

/** The cell numbers of all officers in ascending order. Officers are interchangeable and may share a cell. */
export type Team = readonly number[];

/**
 * Returns the teams after one turn of the police, without duplicates, in reading order.
 *
 * @param turn whether every officer moves in a turn, or one of them
 */
export function teamMoves(moves: Moves, team: Team, turn: Rules["team"]): Team[] {
  if (team.length === 1) return Array.from(moves.from(team[0]!), (cell) => [cell]);
  const found = new Map<string, Team>();
  const add = (cells: readonly number[]): void => {
    const sorted = sortedTeam(cells);
    found.set(sorted.join(), sorted);
  };
  if (turn === "one") {
    team.forEach((from, officer) => {
      for (const to of moves.from(from)) add([...team.slice(0, officer), to, ...team.slice(officer + 1)]);
    });
  } else {
    // Officers may reach the same cells in many ways, so that duplicates are dropped after each officer.
    found.set("", []);
    for (const from of team) {
      const before = [...found.values()];
      found.clear();
      for (const cells of before) for (const to of moves.from(from)) add([...cells, to]);
    }
  }
  return [...found.values()].sort(compareTeams);
}

/** Returns the team of officers on the given cell numbers. */
export function sortedTeam(cells: readonly number[]): Team {
  return cells.length === 1 ? cells : [...cells].sort((a, b) => a - b);
}

function compareTeams(a: Team, b: Team): number {
  const k = a.findIndex((cell, officer) => cell !== b[officer]);
  return k < 0 ? 0 : a[k]! - b[k]!;
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
    case "edges":
      return [];
    default:
      return moves.offsets;
  }
}

function modulo(value: number, size: number): number {
  return ((value % size) + size) % size;
}
