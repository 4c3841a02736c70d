import type { Cell, Line, Side, Slice, Value } from "dragnet-probe";
import { linkTo } from "../../model/link.js";
import type { Choice } from "./choices.js";
import type { Match } from "./match.js";
import { type PieceName, type Placement, keyOf, teamText } from "./position.js";

/**
 * The values that colour the cells of the heat map: those of a piece on each cell, or only who wins with the
 * thief on it (`escapes`: from where he gets away).
 */
export type Heat = Side | "escapes" | "none";

/** The value and the moves of a position. */
export interface Answer {
  readonly value: Value;
  readonly choices: readonly Choice[];
}

/** A position that was visited, and what the table says of it once that is known. */
export interface Entry {
  readonly placement: Placement;
  /** Whether a move led here from the entry before; otherwise pieces were placed. */
  readonly byMove: boolean;
  readonly answer?: Answer;
}

/** All that the view of a table shows. */
export interface State {
  readonly placement: Placement;
  readonly heat: Heat;
  /** The layer of each side that the board shows, and in which its pieces are put. */
  readonly layers: Readonly<Record<Side, number>>;
  /** The officer that is moved, and whose cells the heat map colours. */
  readonly officer: number;
  /** The cells that are chosen already for officers in a turn in which all move. */
  readonly plan: readonly (Cell | undefined)[];
  /** The answer for the placement; `undefined` until it is known. */
  readonly answer: Answer | undefined;
  readonly slice: Slice | undefined;
  readonly history: readonly Entry[];
  /** The index of the placement in the history. */
  readonly at: number;
  /** A piece that is taken up and will be put on the next cell that is chosen. */
  readonly picked: PieceName | undefined;
  /** Whether a piece is dragged right now. */
  readonly isDragging: boolean;
  /** The move that is pointed at. */
  readonly pointed: Choice | undefined;
  readonly hovered: Cell | undefined;
  readonly line: Line | undefined;
  readonly match: Match | undefined;
  /** Whether best moves are played one after the other. */
  readonly isRunning: boolean;
}

/** Returns the link to a position of a table. */
export function linkOf(name: string, { world, police, thief, turn }: Placement, heat: Heat): string {
  const pieces = { police: teamText(police), thief: thief.join(), turn, heat };
  return linkTo(["table", name], world === 0 ? pieces : { world: String(world), ...pieces });
}

/** Reads what the heat map shows from a link: the thief if it says nothing. */
export function readHeat(parameters: URLSearchParams): Heat {
  const heat = parameters.get("heat") ?? "thief";
  if (heat === "police" || heat === "thief" || heat === "escapes" || heat === "none") return heat;
  throw new Error(`link, heat: expected police, thief, escapes or none, found ${heat}`);
}

/** Returns the piece that a heat map places on each cell. */
export function placedPiece(heat: Exclude<Heat, "none">): Side {
  return heat === "police" ? "police" : "thief";
}

/** Returns a text that tells slices apart: they do not depend on the cell of their own piece. */
export function sliceKey(placement: Placement, heat: Heat, officer: number): string {
  if (heat === "none") return heat;
  if (placedPiece(heat) === "thief") return `thief|${keyOf({ ...placement, thief: [0, 0] })}`;
  const police = placement.police.map((cell, k): Cell => (k === officer ? [0, 0] : cell));
  return `police|${officer}|${keyOf({ ...placement, police })}`;
}

/** Returns whether a match without hints hides what the table says. */
export function areValuesHidden({ match }: State): boolean {
  return match !== undefined && !match.hints;
}
