import type { Game } from "../../model/share.js";
import type { Scenario } from "../../model/scenario.js";

/** The squares before and after a change: single squares, or whole boards. */
type Squares =
  | { readonly at: Uint32Array; readonly before: Uint8Array; readonly after: Uint8Array }
  | { readonly wholeBefore: Uint8Array; readonly wholeAfter: Uint8Array };

/** A game without its squares. */
type Rest = Omit<Game, "scenario"> & { readonly scenario: Omit<Scenario, "squares"> };

interface Change {
  readonly squares: Squares;
  readonly before: Rest;
  readonly after: Rest;
  /** The memory that it takes, in bytes. */
  readonly size: number;
}

/** The memory after which the oldest changes are forgotten, in bytes. */
const MOST_BYTES = 64 * 2 ** 20;
/** The memory that a change takes beside its squares, in bytes. */
const REST_BYTES = 512;

/** The changes that can be undone, and those that can be done again. */
export class History {
  readonly #limit: number;
  #done: Change[] = [];
  #undone: Change[] = [];
  #size = 0;

  constructor(limit = MOST_BYTES) {
    this.#limit = limit;
  }

  /** Whether {@link undo} has something to undo. */
  get canUndo(): boolean {
    return this.#done.length > 0;
  }

  /** Whether {@link redo} has something to do again. */
  get canRedo(): boolean {
    return this.#undone.length > 0;
  }

  /** Notes a change. Changes that were undone before cannot be done again after it. */
  add(before: Game, after: Game): void {
    const change = changeOf(before, after);
    for (const { size } of this.#undone) this.#size -= size;
    this.#undone = [];
    this.#done.push(change);
    this.#size += change.size;
    while (this.#size > this.#limit && this.#done.length > 1) this.#size -= this.#done.shift()!.size;
  }

  /** Returns the game before the last change, which led to `game`. */
  undo(game: Game): Game | undefined {
    const change = this.#done.pop();
    if (change === undefined) return undefined;
    this.#undone.push(change);
    return restored(game, change.squares, change.before, false);
  }

  /** Returns the game after the change that was undone last, before which it was `game`. */
  redo(game: Game): Game | undefined {
    const change = this.#undone.pop();
    if (change === undefined) return undefined;
    this.#done.push(change);
    return restored(game, change.squares, change.after, true);
  }

  /** Forgets everything. */
  clear(): void {
    this.#done = [];
    this.#undone = [];
    this.#size = 0;
  }
}

function changeOf(before: Game, after: Game): Change {
  const squares = squaresOf(before.scenario, after.scenario);
  const size = REST_BYTES + ("at" in squares ? 6 * squares.at.length : 2 * squares.wholeAfter.length);
  return { squares, before: restOf(before), after: restOf(after), size };
}

function squaresOf(before: Scenario, after: Scenario): Squares {
  const resized = before.height !== after.height || before.width !== after.width;
  const at: number[] = [];
  if (!resized && before.squares !== after.squares) {
    for (let square = 0; square < after.squares.length; square++) {
      if (before.squares[square] !== after.squares[square]) at.push(square);
    }
  }
  if (resized || 6 * at.length > 2 * after.squares.length) {
    return { wholeBefore: before.squares, wholeAfter: after.squares };
  }
  const kinds = ({ squares }: Scenario): Uint8Array => Uint8Array.from(at, (square) => squares[square]!);
  return { at: Uint32Array.from(at), before: kinds(before), after: kinds(after) };
}

function restOf({ scenario: { squares: _, ...scenario }, ...game }: Game): Rest {
  return { ...game, scenario };
}

function restored(game: Game, change: Squares, rest: Rest, after: boolean): Game {
  let squares: Uint8Array;
  if ("at" in change) {
    squares = game.scenario.squares.slice();
    const kinds = after ? change.after : change.before;
    change.at.forEach((square, k) => {
      squares[square] = kinds[k]!;
    });
  } else {
    squares = after ? change.wholeAfter : change.wholeBefore;
  }
  return { ...rest, scenario: { ...rest.scenario, squares } };
}
