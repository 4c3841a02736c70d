import type { Cell, Slice } from "dragnet-probe";
import { html, replace } from "../../base/dom.js";
import { sentence } from "../../base/text.js";
import { createBoardCanvas } from "../../board/canvas.js";
import { type Scene, type Values, WALL } from "../../board/scene.js";
import type { Frame } from "../view.js";
import { type Distance, distanceOn, following } from "./choices.js";
import {
  arrowsOf,
  isHumanToMove,
  marksOf,
  moverOf,
  nameOf,
  nextOfficer,
  openChoices,
  pathsOf,
  piecesOf,
  planOf,
  squaresOf,
} from "./figures.js";
import { legend } from "./legend.js";
import { type PieceName, cellOf, cellText, isSame, placed } from "./position.js";
import type { Session } from "./session.js";
import type { State } from "./state.js";

const OUTCOMES = [undefined, "police", "thief", "draw"] as const;

/** The board of a table, on which pieces are dragged and moves are clicked. */
export class BoardPanel {
  readonly element: HTMLElement;
  readonly #session: Session;
  readonly #frame: Frame;
  readonly #canvas;
  readonly #note = html("p", { class: "board-note", id: "board-note" });
  readonly #squares: Uint8Array;
  readonly #distance: Distance;
  #values: Values | undefined;
  #slice: Slice | undefined;
  #dragged: PieceName | undefined;
  #frameId = 0;

  constructor(session: Session, frame: Frame) {
    this.#session = session;
    this.#frame = frame;
    this.#squares = squaresOf(session.table);
    this.#distance = distanceOn(session.table);
    this.#canvas = createBoardCanvas(`Board of ${session.name}`, {
      press: (cell) => this.#press(cell),
      drag: (cell) => this.#drag(cell),
      release: (cell, cancelled) => this.#release(cell, cancelled),
      hover: (cell) => this.#hover(cell),
      key: (event, cursor) => this.#key(event, cursor),
    });
    this.element = html("div", { class: "table-board" }, this.#canvas.element, this.#note, legend());
    const { placement } = session.store.state;
    this.#canvas.setCursor(cellOf(placement, placement.turn === "thief" ? "thief" : 0));
    session.store.listen(() => this.#draw());
    this.#draw();
  }

  close(): void {
    cancelAnimationFrame(this.#frameId);
    this.#canvas.close();
  }

  /** Draws with the next frame, once for all changes before it. */
  #draw(): void {
    if (this.#frameId !== 0) return;
    this.#frameId = requestAnimationFrame(() => {
      this.#frameId = 0;
      const { state } = this.#session.store;
      this.#canvas.show(this.#scene(state));
      replace(this.#note, this.#noteOf(state));
    });
  }

  #scene(state: State): Scene {
    const { board, rules } = this.#session.table;
    const { slice } = state;
    if (slice !== this.#slice) {
      this.#slice = slice;
      this.#values = slice && { outcomes: slice.outcome, distances: slice.dtw, longest: slice.longest };
    }
    const areHidden = state.match !== undefined && !state.match.hints;
    return {
      height: board.height,
      width: board.width,
      squares: this.#squares,
      values: areHidden ? undefined : this.#values,
      pieces: piecesOf(state),
      marks: state.isDragging ? [] : marksOf(state),
      arrows: arrowsOf(state),
      paths: pathsOf(state, this.#distance),
      wrap: rules.wrap,
    };
  }

  #noteOf(state: State): string {
    const { hovered, picked, slice, heat, match } = state;
    if (picked !== undefined && !state.isDragging) {
      return `${nameOf(picked, state)} is taken up: choose a cell for it, or press Escape.`;
    }
    if (hovered === undefined || slice === undefined || heat === "none" || (match && !match.hints)) {
      return hovered ? `Cell ${cellText(hovered)}` : HINT;
    }
    const square = hovered[0] * slice.width + hovered[1];
    const outcome = OUTCOMES[slice.outcome[square]!];
    if (outcome === undefined) return `Cell ${cellText(hovered)}: a wall`;
    const piece = heat === "thief" ? "thief" : state.officer;
    const value = { outcome, dtw: outcome === "draw" ? null : slice.dtw[square]! };
    return `${nameOf(piece, state)} on ${cellText(hovered)}: ${sentence(value)}`;
  }

  #hover(hovered: Cell | undefined): void {
    this.#session.store.set({ hovered });
    if (hovered === undefined || !this.element.contains(document.activeElement)) return;
    const { state } = this.#session.store;
    const mark = marksOf(state).find(({ cell }) => isSame(cell, hovered));
    const piece = this.#pieceAt(hovered);
    const here = [
      piece === undefined ? "" : nameOf(piece, state),
      mark === undefined ? "" : mark.kind === "best" ? "a best move" : "a move",
    ];
    const words = here.filter((text) => text !== "").join(", ");
    this.#frame.say(`${this.#noteOf(state)}${words === "" ? "" : `; ${words}`}`);
  }

  #press(cell: Cell): boolean {
    const { state } = this.#session.store;
    if (state.isRunning) return false;
    if (state.picked !== undefined) return this.#put(state.picked, cell);
    const piece = this.#pieceAt(cell);
    if (piece === undefined || !this.#mayTake(piece, state)) return this.#move(cell);
    this.#dragged = piece;
    if (piece !== "thief") this.#session.setOfficer(piece);
    return true;
  }

  #drag(cell: Cell): void {
    if (this.#dragged === undefined || !this.#isOpen(cell)) return;
    const { placement } = this.#session.store.state;
    this.#session.preview(placed(placement, this.#dragged, cell));
  }

  #release(cell: Cell | undefined, cancelled: boolean): void {
    const piece = this.#dragged;
    this.#dragged = undefined;
    if (piece === undefined) return;
    const { state } = this.#session.store;
    const kept = state.history[state.at]!.placement;
    if (!state.isDragging) {
      if (!cancelled && cell !== undefined) this.#choose(cell);
      return;
    }
    if (cancelled || cell === undefined) this.#session.place(kept);
    else if (state.match !== undefined) {
      this.#session.place(kept);
      this.#move(cellOf(state.placement, piece));
    } else this.#session.place(state.placement);
  }

  #key(event: KeyboardEvent, cursor: Cell): boolean {
    const { state } = this.#session.store;
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    if (event.key === "Enter" || event.key === " ") {
      if (state.picked !== undefined) this.#put(state.picked, cursor);
      else this.#choose(cursor);
      return true;
    }
    if (event.key === "Escape" && (state.picked !== undefined || state.plan.length > 0)) {
      this.#session.store.set({ picked: undefined, plan: [] });
      return true;
    }
    const digit = /^[1-9]$/.test(event.key) ? Number(event.key) : 0;
    if (digit === 0 || digit > this.#session.table.rules.officers) return false;
    this.#session.setOfficer(digit - 1);
    this.#canvas.setCursor(state.placement.police[digit - 1]!);
    this.#frame.say(`Officer ${digit}`);
    return true;
  }

  /**
   * Does what a click on a cell does: the side to move goes there if it may, unless the cell has a piece of
   * its own, which is taken up. A match takes up nothing, so that a piece stays by a click.
   */
  #choose(cell: Cell): void {
    const { state } = this.#session.store;
    const piece = this.#pieceAt(cell);
    const isOwn = piece !== undefined && (piece === "thief") === (state.placement.turn === "thief");
    if (isOwn && state.match === undefined) this.#pick(piece);
    else if (!this.#move(cell) && piece !== undefined && this.#mayTake(piece, state)) this.#pick(piece);
  }

  #pick(piece: PieceName): void {
    this.#session.store.set({ picked: piece });
    this.#frame.say(this.#noteOf(this.#session.store.state));
  }

  #put(piece: PieceName, cell: Cell): boolean {
    const { state } = this.#session.store;
    if (!this.#isOpen(cell)) return false;
    if (state.match !== undefined) {
      this.#session.store.set({ picked: undefined });
      this.#move(cell);
    } else this.#session.place(placed(state.placement, piece, cell));
    return false;
  }

  /** Plays the move to a marked cell, or plans it for the officer. Returns `false` without a mark there. */
  #move(cell: Cell): boolean {
    const { state } = this.#session.store;
    if (!isHumanToMove(state)) return false;
    const open = openChoices(state).filter(({ targets }) => isSame(targets[moverOf(state)], cell));
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

  #pieceAt(cell: Cell): PieceName | undefined {
    const { placement, officer } = this.#session.store.state;
    const order: PieceName[] = [officer, ...placement.police.keys(), "thief"];
    if (placement.turn === "thief") order.unshift("thief");
    return order.find((piece) => isSame(cellOf(placement, piece), cell));
  }

  #mayTake(piece: PieceName, { match, placement }: State): boolean {
    if (match === undefined) return true;
    return match.human === placement.turn && (piece === "thief") === (match.human === "thief");
  }

  #isOpen([row, column]: Cell): boolean {
    return this.#squares[row * this.#session.table.board.width + column] !== WALL;
  }
}

const HINT = "Click a marked cell to move. Drag a piece, or click it and then a cell, to put it elsewhere.";
