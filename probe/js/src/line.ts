import type { Board, Cell } from "./board.js";
import { type Code, DRAW, type Value, isLost, opponent, plies, valueOf } from "./codes.js";
import { DragnetError } from "./errors.js";
import type { Game } from "./game.js";
import type { Side } from "./rules.js";

/** A move of a line. */
export interface LineMove extends Value {
  /** Who moves. */
  readonly side: Side;
  /** Where the piece goes; its own cell if it stays. The value is that after the move. */
  readonly to: Cell;
}

/** Optimal play from a position; the value is that of the position. */
export interface Line extends Value {
  readonly moves: readonly LineMove[];
  /**
   * How it ends: the police catches the thief, the thief reaches an exit, the side to move cannot move, or a position
   * comes up again.
   */
  readonly end: "caught" | "escaped" | "stuck" | "repetition";
}

type Best = (police: number, thief: number, turn: Side) => { target: number; code: Code } | undefined;

/** Plays the best moves from a position to the end. Each value must be what the value before it promises. */
export function playOut(
  start: { police: number; thief: number; turn: Side },
  board: Board,
  game: Game,
  best: Best,
): Line {
  let { police, thief, turn } = start;
  let code = game.code(police, thief, turn);
  const value = valueOf(code, turn);
  const moves: LineMove[] = [];
  const seen = new Set<number>();
  const place = (): number => (police * board.openCells + thief) * 2 + (turn === "police" ? 0 : 1);
  for (;;) {
    if (game.isOver(police, thief)) return { ...value, moves, end: police === thief ? "caught" : "escaped" };
    if (seen.has(place())) return { ...value, moves, end: "repetition" };
    seen.add(place());
    const next = best(police, thief, turn);
    if (next === undefined) {
      if (code !== game.stuck) disagree(code, game.stuck);
      return { ...value, moves, end: "stuck" };
    }
    if (!follows(code, next.code)) disagree(code, next.code);
    moves.push({ side: turn, to: board.cellOf(next.target), ...valueOf(next.code, opponent(turn)) });
    if (turn === "police") police = next.target;
    else thief = next.target;
    turn = opponent(turn);
    code = next.code;
  }
}

/** Whether the best move of a position with a code can lead to another code: the outcome stays, a ply is gone. */
function follows(code: Code, after: Code): boolean {
  if (code === DRAW || after === DRAW) return code === after;
  return isLost(code) !== isLost(after) && plies(code) === plies(after) + 1;
}

function disagree(code: Code, after: Code): never {
  throw new DragnetError(
    "contents",
    `expected the best move to lead on from code ${code}, found that it leads to ${after}`,
  );
}
