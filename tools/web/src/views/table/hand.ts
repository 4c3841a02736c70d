import { SLICE_OUTCOMES, type Cell } from "dragnet-probe";
import { isSameCell } from "../../model/cell.js";
import { sentence } from "../../base/text.js";
import type { Frame } from "../view.js";
import { following } from "./choices.js";
import { isHumanToMove, marksOf, moverOf, nameOf, nextOfficer, openChoices, planOf } from "./figures.js";
import { type PieceName, cellOf, cellName, placed } from "./position.js";
import type { Session } from "./session.js";
import { type State, areValuesHidden, placedPiece } from "./state.js";

const HINT = "Click a marked cell to move. Drag a piece, or click it and then a cell, to put it elsewhere.";

/** The hand of the user: clicks and keys on cells that move pieces, or put them elsewhere. */
export class Hand {
  readonly #session: Session;
  readonly #frame: Frame;

  constructor(session: Session, frame: Frame) {
    this.#session = session;
    this.#frame = frame;
  }

  /**
   * Does what a click on a cell does: the side to move goes there if it may, unless the cell has a piece of
   * its own, which is taken up. A match takes up nothing, so that a piece stays by a click.
   */
  choose(cell: Cell): void {
    const { state } = this.#session.store;
    if (state.isRunning) return;
    if (state.picked !== undefined) {
      this.#put(state.picked, cell);
      return;
    }
    const piece = this.pieceAt(cell);
    const isOwn = piece !== undefined && (piece === "thief") === (state.placement.turn === "thief");
    if (isOwn && state.match === undefined) this.#pick(piece);
    else if (!this.move(cell) && piece !== undefined && this.mayTake(piece, state)) this.#pick(piece);
  }

  /** Does what a key on a cell does. Returns `false` for a key without use. */
  key(event: KeyboardEvent, cursor: Cell): boolean {
    const { state } = this.#session.store;
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    if (event.key === "Enter" || event.key === " ") {
      this.choose(cursor);
      return true;
    }
    if (event.key === "Escape" && (state.picked !== undefined || state.plan.length > 0)) {
      this.#session.store.set({ picked: undefined, plan: [] });
      return true;
    }
    const digit = /^[1-9]$/.test(event.key) ? Number(event.key) : 0;
    if (digit === 0 || digit > this.#session.table.rules.officers) return false;
    this.#session.setOfficer(digit - 1);
    this.#frame.say(`Officer ${digit}`);
    return true;
  }

  /** Notes the cell under the pointer or the cursor; has it read aloud if the cursor is there. */
  hover(hovered: Cell | undefined, isSpoken: boolean): void {
    this.#session.store.set({ hovered });
    if (hovered === undefined || !isSpoken) return;
    const { state } = this.#session.store;
    const mark = marksOf(state).find(({ cell }) => isSameCell(cell, hovered));
    const piece = this.pieceAt(hovered);
    const here = [
      piece === undefined ? "" : nameOf(piece, state),
      mark === undefined ? "" : mark.kind === "best" ? "a best move" : "a move",
    ];
    const words = here.filter((text) => text !== "").join(", ");
    this.#frame.say(`${this.noteOf(state)}${words === "" ? "" : `; ${words}`}`);
  }

  /** Returns a sentence about the cell under the pointer, or about what can be done. */
  noteOf(state: State): string {
    const { hovered, picked, slice, heat } = state;
    if (picked !== undefined && !state.isDragging) {
      return `${nameOf(picked, state)} is taken up: choose a cell for it, or press Escape.`;
    }
    if (hovered === undefined || slice === undefined || heat === "none" || areValuesHidden(state)) {
      return hovered ? `Cell ${cellName(hovered, this.#session.setting)}` : HINT;
    }
    const square = hovered[0] * slice.width + hovered[1];
    const outcome = SLICE_OUTCOMES[slice.outcome[square]!]!;
    if (outcome === "wall") return `Cell ${cellName(hovered, this.#session.setting)}: a wall`;
    const piece = placedPiece(heat) === "thief" ? "thief" : state.officer;
    const value = { outcome, dtw: outcome === "draw" ? null : slice.dtw[square]! };
    return `${nameOf(piece, state)} on ${cellName(hovered, this.#session.setting)}: ${sentence(value)}`;
  }

  /** Plays the move to a marked cell, or plans it for the officer. Returns `false` without a mark there. */
  move(cell: Cell): boolean {
    const { state } = this.#session.store;
    if (!isHumanToMove(state)) return false;
    const open = openChoices(state).filter(({ targets }) => isSameCell(targets[moverOf(state)], cell));
    if (open.length === 0) return false;
    const plan = planOf(state, cell);
    const followed = following(openChoices(state), plan);
    const next = nextOfficer(state, followed, plan);
    if (next === undefined) {
      this.#session.play(followed[0]!);
      return true;
    }
    this.#session.store.set({ plan, pointed: undefined });
    this.#session.setOfficer(next);
    this.#frame.say(`Officer ${next + 1} moves next`);
    return true;
  }

  /** Returns the piece on a cell, the one to move before the others. */
  pieceAt(cell: Cell): PieceName | undefined {
    const { placement, officer } = this.#session.store.state;
    const order: PieceName[] = [officer, ...placement.police.keys(), "thief"];
    if (placement.turn === "thief") order.unshift("thief");
    return order.find((piece) => isSameCell(cellOf(placement, piece), cell));
  }

  /** Returns whether a piece may be taken up. */
  mayTake(piece: PieceName, { match, placement }: State): boolean {
    if (match === undefined) return true;
    return match.human === placement.turn && (piece === "thief") === (match.human === "thief");
  }

  /** Returns whether pieces can stand on a cell. */
  isOpen([row, column]: Cell): boolean {
    return this.#session.table.board.square(row, column) !== "wall";
  }

  #pick(piece: PieceName): void {
    this.#session.store.set({ picked: piece });
    this.#frame.say(this.noteOf(this.#session.store.state));
  }

  #put(piece: PieceName, cell: Cell): void {
    const { state } = this.#session.store;
    if (!this.isOpen(cell)) return;
    if (state.match !== undefined) {
      this.#session.store.set({ picked: undefined });
      this.move(cell);
    } else this.#session.place(placed(state.placement, piece, cell));
  }
}
