import type { Cell } from "dragnet-probe";
import { isSameCell } from "../model/cell.js";
import type { BoardEvents } from "./scene.js";

/** The effects of pointers on a board canvas. Points are CSS pixels from the canvas's corner. */
export interface Stage {
  readonly canvas: HTMLCanvasElement;
  readonly events: BoardEvents;
  /** Returns the cell under a point. */
  cellAt(x: number, y: number): Cell | undefined;
  /** Moves the board. */
  pan(x: number, y: number): void;
  /** Zooms by a factor around a point. */
  zoom(factor: number, x: number, y: number): void;
  /** Shows the place under a point of the overview. Returns `false` if there is no overview at that point. */
  jump(x: number, y: number): boolean;
  /** Points out the cell under the pointer. */
  hover(cell: Cell | undefined): void;
  /** Returns whether the space bar is held, which makes a drag a pan. */
  isSpaceHeld(): boolean;
  /** Says that a pan began while the space bar was held. */
  useSpace(): void;
}

type Mode = "idle" | "drag" | "pan" | "pinch" | "overview";

interface Place {
  readonly x: number;
  readonly y: number;
}

/** Turns the events of mouse, pen and fingers into presses, drags, pans and zooms. */
export class Gestures {
  readonly #stage: Stage;
  readonly #down = new Map<number, Place>();
  readonly #stop = new AbortController();
  #mode: Mode = "idle";
  #cell: Cell | undefined;

  constructor(stage: Stage) {
    this.#stage = stage;
    const { canvas } = stage;
    const { signal } = this.#stop;
    canvas.addEventListener("pointerdown", (event) => this.#press(event), { signal });
    canvas.addEventListener("pointermove", (event) => this.#move(event), { signal });
    canvas.addEventListener("pointerup", (event) => this.#lift(event, false), { signal });
    canvas.addEventListener("pointercancel", (event) => this.#lift(event, true), { signal });
    canvas.addEventListener("pointerleave", () => this.#mode === "idle" && this.#hover(undefined), {
      signal,
    });
    canvas.addEventListener("contextmenu", (event) => event.preventDefault(), { signal });
    canvas.addEventListener("wheel", (event) => this.#wheel(event), { signal, passive: false });
  }

  /** Ends a drag without effect. Returns `false` if there is none. */
  cancel(): boolean {
    if (this.#mode !== "drag") return false;
    this.#mode = "idle";
    this.#stage.events.release?.(undefined, true);
    return true;
  }

  close(): void {
    this.#stop.abort();
  }

  #press(event: PointerEvent): void {
    const { canvas } = this.#stage;
    const place = placeOf(event, canvas);
    canvas.focus({ preventScroll: true });
    if (event.isTrusted) canvas.setPointerCapture(event.pointerId);
    this.#down.set(event.pointerId, place);
    if (this.#down.size > 1) {
      this.cancel();
      this.#mode = "pinch";
      return;
    }
    this.#hover(undefined);
    this.#mode = this.#begin(place, event);
    this.#show();
  }

  /** Returns what a press begins. */
  #begin({ x, y }: Place, event: PointerEvent): Mode {
    const stage = this.#stage;
    if (stage.jump(x, y)) return "overview";
    if (event.button === 1) {
      event.preventDefault();
      return "pan";
    }
    if (stage.isSpaceHeld()) {
      stage.useSpace();
      return "pan";
    }
    const cell = stage.cellAt(x, y);
    this.#cell = cell;
    return cell !== undefined && (stage.events.press?.(cell, event) ?? false) ? "drag" : "pan";
  }

  #move(event: PointerEvent): void {
    const stage = this.#stage;
    const place = placeOf(event, stage.canvas);
    const before = this.#down.get(event.pointerId);
    if (before === undefined) {
      if (this.#down.size === 0) this.#hover(stage.cellAt(place.x, place.y));
      return;
    }
    if (this.#mode === "pinch") this.#pinch(event.pointerId, place);
    this.#down.set(event.pointerId, place);
    if (this.#mode === "pan") stage.pan(place.x - before.x, place.y - before.y);
    else if (this.#mode === "overview") stage.jump(place.x, place.y);
    else if (this.#mode === "drag") {
      const cell = stage.cellAt(place.x, place.y);
      if (cell === undefined || isSameCell(cell, this.#cell)) return;
      this.#cell = cell;
      stage.events.drag?.(cell, event);
    }
  }

  #pinch(moved: number, place: Place): void {
    const other = [...this.#down].find(([pointer]) => pointer !== moved)?.[1];
    const before = this.#down.get(moved);
    if (other === undefined || before === undefined) return;
    const distance = (a: Place, b: Place): number => Math.max(Math.hypot(a.x - b.x, a.y - b.y), 1);
    this.#stage.pan((place.x - before.x) / 2, (place.y - before.y) / 2);
    const [x, y] = [(place.x + other.x) / 2, (place.y + other.y) / 2];
    this.#stage.zoom(distance(place, other) / distance(before, other), x, y);
  }

  #lift(event: PointerEvent, cancelled: boolean): void {
    if (!this.#down.delete(event.pointerId)) return;
    const { x, y } = placeOf(event, this.#stage.canvas);
    if (this.#mode === "drag") {
      this.#mode = "idle";
      this.#stage.events.release?.(cancelled ? undefined : this.#stage.cellAt(x, y), cancelled);
    }
    // The finger that is left after a pinch does nothing until it is lifted, too.
    this.#mode = this.#down.size > 0 ? "pinch" : "idle";
    if (this.#mode === "idle" && event.pointerType === "mouse") this.#hover(this.#stage.cellAt(x, y));
    this.#show();
  }

  #wheel(event: WheelEvent): void {
    event.preventDefault();
    const { x, y } = placeOf(event, this.#stage.canvas);
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY / 100 : event.deltaY / 3;
    this.#stage.zoom(1.25 ** -Math.max(Math.min(lines, 4), -4), x, y);
  }

  #hover(cell: Cell | undefined): void {
    this.#stage.hover(cell);
  }

  /** Says by the cursor's shape what a drag does. */
  #show(): void {
    this.#stage.canvas.dataset["mode"] = this.#mode;
  }
}

function placeOf(event: MouseEvent, canvas: HTMLCanvasElement): Place {
  const { left, top } = canvas.getBoundingClientRect();
  return { x: event.clientX - left, y: event.clientY - top };
}
