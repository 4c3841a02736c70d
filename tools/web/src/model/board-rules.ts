import type { Rules } from "dragnet-probe";

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
