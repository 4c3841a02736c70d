import type { Cursor } from "./cursor.js";
import { DragnetError } from "./errors.js";

/** One of the two sides. */
export type Side = "police" | "thief";

/** A step by rows down and columns to the right. */
export type Step = readonly [down: number, right: number];

/** The steps of a piece: a named set or a list of offsets. */
export type MoveSet = "king" | "orthogonal" | "diagonal" | "knight" | { readonly offsets: readonly Step[] };

/** The rules by which one side moves. */
export interface SideRules {
  /** The steps of each piece. */
  readonly moves: MoveSet;
  /** Whether a piece may stay where it is. */
  readonly mayPass: boolean;
  /**
   * The most steps in a turn. Pieces do not block each other, and only the last cell counts for catch and
   * escape.
   */
  readonly steps: number;
  /** The most times that a single step may be repeated in its direction, over open cells. */
  readonly reach: number;
}

/** The rules of a pursuit game that are not in the moves of its pieces and in its ends. */
export interface Rules {
  /** The number of police officers on the board, 1 to 6. */
  readonly officers: number;
  /** Whether all officers move in a turn of the police, or one of them. */
  readonly team: "all" | "one";
  /** Whether a side to move that has no move loses or wins. */
  readonly stuck: "loses" | "wins";
  /**
   * The side that is said to win a draw. Values do not depend on it: the outcome of a draw is always `draw`.
   */
  readonly undecided: "draw" | Side;
}

/** All rules of a pursuit game on a board of squares. */
export interface BoardRules extends Rules {
  /** The rules by which each officer moves. */
  readonly police: SideRules;
  /** The rules by which the thief moves. */
  readonly thief: SideRules;
  /** Whether a diagonal step may pass the corner of a wall. */
  readonly cornerCutting: boolean;
  /** The pairs of opposite board edges that are joined: `horizontal` joins the left and the right edge. */
  readonly wrap: "none" | "horizontal" | "vertical" | "both";
  /** The meaning of exits for officers: `allowed` cells, `barred` cells, or cells where an officer `wins`. */
  readonly policeOnExit: "allowed" | "barred" | "wins";
}

const MOST_OFFICERS = 6;
const MOST_OFFSETS = 255;
const NAMED = ["king", "orthogonal", "diagonal", "knight", "offsets"] as const;

/** Reads the rules before the doors of a board, with defaults for those of {@link readExtendedRules}. */
export function readRules(header: Cursor): BoardRules {
  const officers = header.u8("officers");
  if (officers === 0 || officers > MOST_OFFICERS) {
    throw new DragnetError("header", `header, officers: expected 1 to ${MOST_OFFICERS}, found ${officers}`);
  }
  const police = readSide(header, "police");
  const thief = readSide(header, "thief");
  const cornerCutting = header.bool("corner cutting");
  const wrap = header.enumeration("wrap", ["none", "horizontal", "vertical", "both"] as const);
  const stuck = header.enumeration("stuck", ["loses", "wins"] as const);
  const team = header.enumeration("team", ["all", "one"] as const);
  const plain = { policeOnExit: "allowed", undecided: "draw" } as const;
  return { officers, police, thief, cornerCutting, wrap, stuck, team, ...plain };
}

/** Reads the other rules, which come later in the header, and returns `rules` with them. */
export function readExtendedRules(header: Cursor, rules: BoardRules): BoardRules {
  const police = { ...rules.police, ...readPace(header, "police") };
  const thief = { ...rules.thief, ...readPace(header, "thief") };
  const policeOnExit = header.enumeration("police on exit", ["allowed", "barred", "wins"] as const);
  const undecided = header.enumeration("undecided", ["draw", "police", "thief"] as const);
  return { ...rules, police, thief, policeOnExit, undecided };
}

function readPace(header: Cursor, side: Side): { steps: number; reach: number } {
  const [steps, reach] = [header.u8(`${side} steps`), header.u8(`${side} reach`)];
  if (steps === 0 || reach === 0) {
    const field = `header, ${side} steps and reach`;
    throw new DragnetError("header", `${field}: expected at least 1, found ${steps} and ${reach}`);
  }
  return { steps, reach };
}

function readSide(header: Cursor, side: Side): SideRules {
  const named = header.enumeration(`${side} moves`, NAMED);
  const moves = named === "offsets" ? { offsets: readOffsets(header, `${side} offsets`) } : named;
  return { moves, mayPass: header.bool(`${side} may pass`), steps: 1, reach: 1 };
}

function readOffsets(header: Cursor, field: string): Step[] {
  const count = header.boundedU64(field, MOST_OFFSETS);
  const offsets: Step[] = [];
  const seen = new Set<string>();
  for (let k = 0; k < count; k++) {
    const offset: Step = [header.i16(field), header.i16(field)];
    const name = offset.join();
    if (name === "0,0" || seen.has(name)) {
      throw new DragnetError("header", `header, ${field}: expected different steps other than 0,0, found ${name}`);
    }
    seen.add(name);
    offsets.push(offset);
  }
  return offsets;
}
