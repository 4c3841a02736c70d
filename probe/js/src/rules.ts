/** One of the two sides. */
export type Side = "police" | "thief";

/** The rules of a pursuit game that are not in the moves of its pieces and in its ends. */
export interface Rules {
  /** The number of police officers of all kinds, 0 to 6. */
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
