import type { Cell } from "dragnet-probe";
import {
  EXIT,
  type Guard,
  type Kind,
  MOST_OFFICERS,
  OPEN,
  type Scenario,
  WALL,
  hasPolice,
  isFree,
  letterOf,
  occupied,
  pieceAt,
  squareOf,
} from "../../model/scenario.js";
import { isSameCell } from "../../model/cell.js";
import { line, rectangle, region } from "./shapes.js";

/** The tools, in the order of the toolbar. */
export const TOOLS = ["brush", "eraser", "rectangle", "fill", "exit", "letter", "officer", "thief", "guard", "pick"] as const;
export type Tool = (typeof TOOLS)[number];

/** The end of the stroke before, from which a straight line can be drawn. */
export interface StrokeEnd {
  readonly cell: Cell;
  readonly kind: Kind;
}

/** How a stroke begins. */
export interface StrokeStart {
  readonly tool: Tool;
  /** The character that the tool `letter` draws. */
  readonly letter?: string;
  readonly cell: Cell;
  /** The number of the guard whose round the tool `guard` draws on; a new one if left out. */
  readonly guard?: number | undefined;
  /** Whether Shift is held: a straight line from the stroke before; the frame of a rectangle alone. */
  readonly shift?: boolean;
  /** Whether the right button draws: the eraser then clears a rectangle. */
  readonly right?: boolean;
  readonly last?: StrokeEnd | undefined;
}

/** A stroke that is being drawn. */
export interface Stroke {
  /** The scenario with the stroke so far. */
  readonly scenario: Scenario;
  /** The cells to outline. */
  readonly outline: readonly Cell[];
  /** The end from which a line can go on. */
  readonly end: StrokeEnd | undefined;
  /** Draws on to a cell of the board. */
  moveTo(cell: Cell): void;
  /** Returns the scenario when the button goes up. */
  finish(): Scenario;
}

/** Returns the stroke that begins, `undefined` if the tool does not draw. */
export function beginStroke(scenario: Scenario, start: StrokeStart): Stroke | undefined {
  const { tool, cell } = start;
  const piece = pieceAt(scenario, cell);
  const kind = scenario.squares[squareOf(scenario, cell)]!;
  if (tool === "pick") return undefined;
  if (tool === "eraser" && start.right === true) return new RectangleStroke(scenario, cell, OPEN, false);
  if (tool === "guard") return new GuardStroke(scenario, cell, start.guard);
  if (piece !== undefined && tool !== "rectangle")
    return new PieceStroke(scenario, cell, piece, tool === "officer");
  switch (tool) {
    case "brush":
      return lineFrom(scenario, start, kind === WALL ? OPEN : WALL);
    case "eraser":
      return lineFrom(scenario, start, OPEN);
    case "exit":
      return lineFrom(scenario, start, kind === EXIT ? OPEN : EXIT);
    case "letter": {
      const drawn = start.letter!.charCodeAt(0);
      return lineFrom(scenario, start, kind === drawn ? OPEN : drawn);
    }
    case "rectangle":
      return new RectangleStroke(scenario, cell, kind === WALL ? OPEN : WALL, start.shift === true);
    case "fill":
      return new FillStroke(scenario, cell, kind === WALL ? OPEN : WALL);
    case "officer":
      if (scenario.police.length >= MOST_OFFICERS) return undefined;
      return stamp(scenario, { police: [...scenario.police, cell] }, cell, scenario.police.length);
    case "thief":
      return stamp(scenario, { thief: cell }, cell, "thief");
  }
}

/** Returns the tool that draws what is on a cell, with its letter. */
export function pickedTool(scenario: Scenario, cell: Cell): { readonly tool: Tool; readonly letter?: string } {
  const piece = pieceAt(scenario, cell);
  if (piece !== undefined) return { tool: piece === "thief" ? "thief" : "officer" };
  const kind = scenario.squares[squareOf(scenario, cell)]!;
  const letter = letterOf(kind);
  if (letter !== undefined) return { tool: "letter", letter };
  return { tool: kind === WALL ? "brush" : kind === EXIT ? "exit" : "eraser" };
}

/** Returns a scenario with cells of another kind. Squares on which pieces stand stay open. */
export function painted(scenario: Scenario, cells: readonly Cell[], kind: Kind): Scenario {
  const pieces = occupied(scenario);
  const squares = scenario.squares.slice();
  for (const cell of cells) {
    const square = squareOf(scenario, cell);
    if (!pieces.has(square)) squares[square] = kind;
  }
  return { ...scenario, squares };
}

function lineFrom(scenario: Scenario, { cell, shift, last }: StrokeStart, kind: Kind): Stroke {
  const straight = shift === true && last !== undefined;
  return new LineStroke(scenario, straight ? last.cell : cell, cell, straight ? last.kind : kind);
}

function stamp(scenario: Scenario, pieces: Partial<Scenario>, cell: Cell, piece: number | "thief"): Stroke {
  const opened = isFree(scenario.squares[squareOf(scenario, cell)]!) ? scenario : painted(scenario, [cell], OPEN);
  return new PieceStroke({ ...opened, ...pieces }, cell, piece, false);
}

/** A stroke that paints the cells under the pointer. */
class LineStroke implements Stroke {
  readonly outline = [];
  scenario: Scenario;
  end: StrokeEnd;

  constructor(scenario: Scenario, from: Cell, to: Cell, kind: Kind) {
    this.scenario = painted(scenario, line(from, to), kind);
    this.end = { cell: to, kind };
  }

  moveTo(cell: Cell): void {
    this.scenario = painted(this.scenario, line(this.end.cell, cell), this.end.kind);
    this.end = { cell, kind: this.end.kind };
  }

  finish(): Scenario {
    return this.scenario;
  }
}

/** A stroke between two corners of a rectangle. */
class RectangleStroke implements Stroke {
  readonly end = undefined;
  scenario: Scenario;
  outline: readonly Cell[] = [];
  readonly #before: Scenario;
  readonly #from: Cell;
  readonly #kind: Kind;
  readonly #frame: boolean;

  constructor(before: Scenario, from: Cell, kind: Kind, frame: boolean) {
    this.#before = before;
    this.#from = from;
    this.#kind = kind;
    this.#frame = frame;
    this.scenario = before;
    this.moveTo(from);
  }

  moveTo(cell: Cell): void {
    this.outline = rectangle(this.#from, cell, true);
    this.scenario = painted(this.#before, rectangle(this.#from, cell, this.#frame), this.#kind);
  }

  finish(): Scenario {
    return this.scenario;
  }
}

/** A stroke that fills a region at once. */
class FillStroke implements Stroke {
  readonly end = undefined;
  readonly outline = [];
  readonly scenario: Scenario;

  constructor(scenario: Scenario, from: Cell, kind: Kind) {
    this.scenario = painted(scenario, region(scenario, from), kind);
  }

  moveTo(): void {}

  finish(): Scenario {
    return this.scenario;
  }
}

/** A stroke that moves a piece to open squares; one that stays may be removed. */
class PieceStroke implements Stroke {
  readonly end = undefined;
  outline: readonly Cell[];
  scenario: Scenario;
  readonly #piece: number | "thief";
  #removes: boolean;

  constructor(scenario: Scenario, cell: Cell, piece: number | "thief", removes: boolean) {
    this.scenario = scenario;
    this.outline = [cell];
    this.#piece = piece;
    this.#removes = removes && piece !== "thief" && hasPolice({ ...scenario, police: scenario.police.slice(1) });
  }

  moveTo(cell: Cell): void {
    const { scenario } = this;
    this.#removes = false;
    if (!isFree(scenario.squares[squareOf(scenario, cell)]!) || pieceAt(scenario, cell) !== undefined) return;
    this.outline = [cell];
    this.scenario = withPiece(scenario, this.#piece, cell);
  }

  finish(): Scenario {
    const { police } = this.scenario;
    return this.#removes
      ? { ...this.scenario, police: police.filter((_, officer) => officer !== this.#piece) }
      : this.scenario;
  }
}

/** The guard that a first click makes: who goes there and back can always walk the round. */
const NEW_GUARD = { back: true, sight: 4 } as const;

/** A stroke that leads a guard's round to the cell where it begins, and on to the cell where it ends. */
class GuardStroke implements Stroke {
  readonly end = undefined;
  readonly outline = [];
  scenario: Scenario;
  readonly #before: Scenario;
  readonly #number: number;
  readonly #round: readonly Cell[];

  constructor(before: Scenario, cell: Cell, number = before.guards.length) {
    this.#before = before;
    this.#number = number;
    const round = before.guards[number]?.round ?? [];
    this.#round = isSameCell(round.at(-1), cell) ? round : [...round, cell];
    this.scenario = this.#with(this.#round);
  }

  moveTo(cell: Cell): void {
    const round = this.#round;
    this.scenario = this.#with(isSameCell(round.at(-1), cell) ? round : [...round, cell]);
  }

  finish(): Scenario {
    return this.scenario;
  }

  #with(round: readonly Cell[]): Scenario {
    const { guards } = this.#before;
    const guard: Guard = { ...(guards[this.#number] ?? NEW_GUARD), round };
    return { ...this.#before, guards: [...guards.slice(0, this.#number), guard, ...guards.slice(this.#number + 1)] };
  }
}

/** Returns a scenario in which a piece stands on another cell. */
export function withPiece(scenario: Scenario, piece: number | "thief", cell: Cell): Scenario {
  if (piece === "thief") return { ...scenario, thief: cell };
  return { ...scenario, police: scenario.police.map((other, officer) => (officer === piece ? cell : other)) };
}
