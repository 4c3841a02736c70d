import type { Cell } from "dragnet-probe";
import { html, replace } from "../../base/dom.js";
import { createBoardCanvas } from "../../board/canvas.js";
import { valuesOf } from "../../board/values.js";
import type { Scene, Values } from "../../board/scene.js";
import { Doors } from "../../model/doors.js";
import { squareUnder } from "../../model/layers.js";
import type { Frame } from "../view.js";
import { type Distance, distanceOn } from "./choices.js";
import { arrowsOf, marksOf, pathsOf, piecesOf } from "./figures.js";
import { Hand } from "./hand.js";
import { legend } from "./legend.js";
import { type PieceName, cellOf } from "./position.js";
import type { Session } from "./session.js";
import { type State, areValuesHidden, placedPiece } from "./state.js";

/** The board of a table, on which pieces are dragged and moves are clicked. */
export class BoardPanel {
  readonly element: HTMLElement;
  readonly #session: Session;
  readonly #hand: Hand;
  readonly #canvas;
  readonly #note = html("p", { class: "board-note", id: "board-note" });
  readonly #doors: Doors;
  readonly #distance: Distance;
  #values: Values | undefined;
  /** The state whose values these are. */
  #shown: Pick<State, "slice" | "heat" | "layers"> | undefined;
  #dragged: PieceName | undefined;
  #frameId = 0;

  constructor(session: Session, frame: Frame) {
    this.#session = session;
    this.#hand = new Hand(session, frame);
    this.#doors = new Doors(session.table);
    this.#distance = distanceOn(session.table, session.setting);
    this.#canvas = createBoardCanvas(`Board of ${session.name}`, {
      press: (cell) => this.#press(cell),
      drag: (cell) => this.#drag(cell),
      release: (cell, cancelled) => this.#release(cell, cancelled),
      hover: (cell) => this.#hand.hover(cell, this.element.contains(document.activeElement)),
      key: (event, cursor) => this.#hand.key(event, cursor),
    });
    this.element = html("div", { class: "table-board" }, this.#canvas.element, this.#note, legend(this.#doors.areThere()));
    const { placement } = session.store.state;
    const mover = cellOf(placement, placement.turn === "thief" ? "thief" : 0);
    this.#canvas.setCursor(squareUnder(mover, session.table.board));
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
      replace(this.#note, this.#hand.noteOf(state));
    });
  }

  #scene(state: State): Scene {
    const { board } = this.#session.table;
    const { slice, heat, layers } = state;
    if (slice !== this.#shown?.slice || heat !== this.#shown?.heat || layers !== this.#shown?.layers) {
      this.#shown = { slice, heat, layers };
      const layer = heat === "none" ? 0 : layers[placedPiece(heat)];
      this.#values = slice && { ...valuesOf(slice, layer, board), onlyOutcomes: heat === "escapes" };
    }
    return {
      height: board.height,
      width: board.width,
      squares: this.#doors.squaresIn(state.placement.world),
      values: areValuesHidden(state) ? undefined : this.#values,
      pieces: piecesOf(state, board),
      marks: state.isDragging ? [] : marksOf(state, board),
      arrows: arrowsOf(state, board),
      paths: pathsOf(state, this.#distance, board),
      wrap: this.#session.setting.rules?.wrap ?? "none",
    };
  }

  #press(cell: Cell): boolean {
    const { state } = this.#session.store;
    if (state.isRunning) return false;
    if (state.picked !== undefined) {
      this.#hand.choose(cell);
      return false;
    }
    const piece = this.#hand.pieceAt(cell);
    if (piece === undefined || !this.#hand.mayTake(piece, state)) return this.#hand.move(cell);
    this.#dragged = piece;
    if (piece !== "thief") this.#session.setOfficer(piece);
    return true;
  }

  #drag(cell: Cell): void {
    const placement = this.#dragged === undefined ? undefined : this.#hand.placedOn(this.#dragged, cell);
    if (placement !== undefined) this.#session.preview(placement);
  }

  #release(cell: Cell | undefined, cancelled: boolean): void {
    const piece = this.#dragged;
    this.#dragged = undefined;
    if (piece === undefined) return;
    const { state } = this.#session.store;
    const kept = state.history[state.at]!.placement;
    if (!state.isDragging) {
      if (!cancelled && cell !== undefined) this.#hand.choose(cell);
      return;
    }
    if (cancelled || cell === undefined) this.#session.place(kept);
    else if (state.match !== undefined) {
      this.#session.place(kept);
      this.#hand.move(squareUnder(cellOf(state.placement, piece), this.#session.table.board));
    } else this.#session.place(state.placement);
  }
}
