import { SLICE_OUTCOMES, type Cell } from "dragnet-probe";
import { isSameCell } from "../../model/cell.js";
import { onLayer, placeOn, squareUnder } from "../../model/layers.js";
import { sentence } from "../../base/text.js";
import type { Frame } from "../view.js";
import { following } from "./choices.js";
import {
  choicesBySquare,
  isHumanToMove,
  marksOf,
  moverOf,
  nameOf,
  nextOfficer,
  openChoices,
  planOf,
} from "./figures.js";
import { type PieceName, type Placement, cellName, cellOf, placed, sideOf, squareName } from "./position.js";
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
    const mark = marksOf(state, this.#session.table.board).find(({ cell }) => isSameCell(cell, hovered));
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
    const { hovered, picked, slice, heat, layers } = state;
    const { table, setting } = this.#session;
    if (picked !== undefined && !state.isDragging) {
      return `${nameOf(picked, state)} is taken up: choose a cell for it, or press Escape.`;
    }
    if (hovered === undefined || slice === undefined || heat === "none" || areValuesHidden(state)) {
      return hovered ? `Cell ${squareName(hovered, setting)}` : HINT;
    }
    const side = placedPiece(heat);
    const cell = onLayer(hovered, layers[side], table.board);
    const at = cell[0] * slice.width + cell[1];
    const outcome = SLICE_OUTCOMES[slice.outcome[at]!]!;
    const piece = side === "thief" ? "thief" : state.officer;
    if (outcome === "wall") {
      const isWall = table.board.square(...hovered) === "wall";
      const what = isWall ? "a wall" : `no place of ${nameOf(piece, state).toLowerCase()}`;
      return `Cell ${isWall ? squareName(hovered, setting) : cellName(cell, side, this.#session)}: ${what}`;
    }
    const value = { outcome, dtw: outcome === "draw" ? null : slice.dtw[at]! };
    return `${nameOf(piece, state)} on ${cellName(cell, side, this.#session)}: ${sentence(value)}`;
  }

  /** Plays the move to a marked square, or plans it for the officer. Returns `false` without a mark there. */
  move(square: Cell): boolean {
    const { state } = this.#session.store;
    if (!isHumanToMove(state)) return false;
    const chosen = choicesBySquare(state, this.#session.table.board).get(square.join());
    if (chosen === undefined) return false;
    const plan = planOf(state, chosen.targets[moverOf(state)]!);
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

  /** Returns the piece on a square, the one to move before the others. */
  pieceAt(square: Cell): PieceName | undefined {
    const { placement, officer } = this.#session.store.state;
    const { board } = this.#session.table;
    const order: PieceName[] = placement.police.length === 0 ? ["thief"] : [officer, ...placement.police.keys(), "thief"];
    if (placement.turn === "thief") order.unshift("thief");
    return order.find((piece) => isSameCell(squareUnder(cellOf(placement, piece), board), square));
  }

  /** Returns whether a piece may be taken up. */
  mayTake(piece: PieceName, { match, placement }: State): boolean {
    if (match === undefined) return true;
    return match.human === placement.turn && (piece === "thief") === (match.human === "thief");
  }

  /** Returns the position with a piece on a square, in the layer that is shown or else in any of its kind. */
  placedOn(piece: PieceName, square: Cell): Placement | undefined {
    const { placement, layers } = this.#session.store.state;
    const side = sideOf(piece);
    const cell = placeOn(this.#session.table, side, cellOf(placement, piece), square, layers[side]);
    return cell && placed(placement, piece, cell);
  }

  #pick(piece: PieceName): void {
    this.#session.store.set({ picked: piece });
    this.#frame.say(this.noteOf(this.#session.store.state));
  }

  #put(piece: PieceName, square: Cell): void {
    const { state } = this.#session.store;
    const placement = this.placedOn(piece, square);
    if (placement === undefined) return;
    if (state.match !== undefined) {
      this.#session.store.set({ picked: undefined });
      this.move(square);
    } else this.#session.place(placement);
  }
}
