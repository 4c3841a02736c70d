import type { Cell, Side } from "dragnet-probe";

export { CLOSED, EXIT, OPEN, WALL, letterOf } from "../model/scenario.js";

/** The outcomes in {@link Values.outcomes}. */
export const NO_VALUE = 0;
export const POLICE_WINS = 1;
export const THIEF_WINS = 2;
export const DRAWN = 3;

/** The values of all squares for one piece, which colour the board. */
export interface Values {
  /** The outcome of each square in reading order. */
  readonly outcomes: Uint8Array;
  /** The distance of each square in plies; without meaning for draws and squares without a value. */
  readonly distances: Uint32Array;
  /** The slowest win of each side among these, which has the palest colour. */
  readonly longest: { readonly police: number; readonly thief: number };
  /** Whether the colours tell outcomes alone and the distances are not shown. */
  readonly onlyOutcomes?: boolean;
}

/** A piece on the board. */
export interface Piece {
  readonly side: Side;
  /** The number of the officer from 0; absent for a thief and for a single officer. */
  readonly officer?: number;
  /** Whether it is a guard, who is no officer. */
  readonly guard?: boolean;
  readonly cell: Cell;
  /** Whether the piece is the one that is moved, which has a ring. */
  readonly selected?: boolean;
}

/** A cell to which a piece can move. */
export interface Mark {
  readonly cell: Cell;
  readonly kind: "best" | "move";
  readonly outcome: "police" | "thief" | "draw";
  /** The text in it, such as the distance. */
  readonly text: string;
}

/** The picture that a board canvas shows. */
export interface Scene {
  readonly height: number;
  readonly width: number;
  /** The kind of each square in reading order. */
  readonly squares: Uint8Array;
  readonly values?: Values | undefined;
  readonly pieces?: readonly Piece[];
  readonly marks?: readonly Mark[];
  /** Moves to point out, one arrow each. */
  readonly arrows?: readonly { readonly side: Side; readonly from: Cell; readonly to: Cell }[];
  /** Ways that pieces take, as a line through the middles of their cells; a wrapped step leaves the board. */
  readonly paths?: readonly { readonly side: Side; readonly cells: readonly Cell[] }[];
  /** Squares to shade, such as those that guards see. */
  readonly shaded?: readonly Cell[];
  /** Squares to outline, such as a rectangle that is being drawn. */
  readonly outline?: readonly Cell[];
  /** Edges of the board that are joined. */
  readonly wrap?: "none" | "horizontal" | "vertical" | "both";
}

/** The listeners of a board canvas. Cells may be walls; `undefined` is off the board. */
export interface BoardEvents {
  /**
   * Called when a button or a finger goes down on a cell. Return `true` to get the drag that follows; else
   * the drag pans the board.
   */
  press?(cell: Cell, event: PointerEvent): boolean;
  /** Called when a drag that was taken reaches another cell. */
  drag?(cell: Cell, event: PointerEvent): void;
  /** Called when a drag that was taken ends; `cancelled` if the system ended it. */
  release?(cell: Cell | undefined, cancelled: boolean): void;
  /** Called when the pointer, without a button, or the keyboard's cursor reaches another cell. */
  hover?(cell: Cell | undefined): void;
  /** Called for a key that the canvas does not use itself. Return `true` if it is used. */
  key?(event: KeyboardEvent, cursor: Cell): boolean;
}

/**
 * A canvas that shows a board. Arrow keys move its cursor; the wheel and + and - zoom; dragging with the
 * middle button, with the space bar or with two fingers pans; 0 shows the whole board.
 */
export interface BoardCanvas {
  /** The element to put into the page; it fills its parent's width and the height that its style gives. */
  readonly element: HTMLElement;
  /** Shows a scene with the next frame. */
  show(scene: Scene): void;
  /** Moves the keyboard's cursor. */
  setCursor(cell: Cell): void;
  /** Stops listening. */
  close(): void;
}
