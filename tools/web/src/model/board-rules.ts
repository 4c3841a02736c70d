import type { Rules } from "dragnet-probe";

/** The rules of a rules file in JSON: the keys of the file. */
export type RulesObject = { readonly [key: string]: RulesValue };
export type RulesValue = string | number | boolean | RulesObject | readonly RulesValue[];

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
  /** The other keys of the side in a rules file, such as `look`. */
  readonly more: RulesObject;
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
  /** The other keys of a rules file, such as `ground` and `capture`. */
  readonly more: RulesObject;
}

/** Returns whether rules have no key beside those that have a name here. */
export function isPlain({ more, police, thief }: BoardRules): boolean {
  return [more, police.more, thief.more].every((keys) => Object.keys(keys).length === 0);
}
