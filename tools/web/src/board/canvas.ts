import type { Cell } from "dragnet-probe";
import { isSameCell } from "../model/cell.js";
import { html, replace } from "../base/dom.js";
import { type Camera, cellAt, centre, fit, isPartial, pan, reveal, zoom } from "./camera.js";
import { Gestures } from "./gestures.js";
import { overviewOf, overviewPoint } from "./overview.js";
import { Painter } from "./painter.js";
import type { BoardCanvas, BoardEvents, Scene } from "./scene.js";
import { KEYS, describe } from "./words.js";

const ZOOM_STEP = 1.5;
/** The number of cells that the cursor moves with Shift. */
const STRIDE = 8;
/** Boards with more squares than this have buttons to zoom. */
const ZOOMABLE = 150;
const ARROWS: Readonly<Record<string, Cell>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};
const EMPTY: Scene = { height: 1, width: 1, squares: Uint8Array.of(1) };

/** Creates a canvas that shows a board. `label` names it for users of screen readers. */
export function createBoardCanvas(label: string, events: BoardEvents): BoardCanvas {
  return new Canvas(label, events);
}

class Canvas implements BoardCanvas {
  readonly element: HTMLElement;
  readonly #canvas = html("canvas", { tabindex: 0, role: "application", "aria-description": KEYS });
  readonly #painter = new Painter(this.#canvas);
  readonly #words = html("p", {});
  readonly #zooms: HTMLElement;
  readonly #events: BoardEvents;
  readonly #gestures: Gestures;
  readonly #stop = new AbortController();
  readonly #resizes = new ResizeObserver(() => this.#resize());
  #scene = EMPTY;
  #size = { width: 0, height: 0 };
  #camera: Camera = fit(EMPTY, { width: 1, height: 1 });
  #isFitted = true;
  #frame = 0;
  #cursor: Cell = [0, 0];
  #isCursorShown = false;
  #hovered: Cell | undefined;
  #space: "up" | "held" | "used" = "up";

  constructor(label: string, events: BoardEvents) {
    this.#events = events;
    const canvas = this.#canvas;
    canvas.setAttribute("aria-label", label);
    canvas.append(this.#words);
    const button = (text: string, name: string, click: () => void): HTMLElement =>
      html("button", { type: "button", "aria-label": name, title: name, click }, text);
    this.#zooms = html(
      "div",
      { class: "board-zoom", hidden: true },
      button("+", "Zoom in", () => this.#zoomMiddle(ZOOM_STEP)),
      button("−", "Zoom out", () => this.#zoomMiddle(1 / ZOOM_STEP)),
      button("Fit", "Show the whole board", () => this.#fit()),
    );
    this.element = html("div", { class: "board" }, canvas, this.#zooms);
    const { signal } = this.#stop;
    canvas.addEventListener("keydown", (event) => this.#key(event), { signal });
    canvas.addEventListener("keyup", (event) => this.#keyUp(event), { signal });
    canvas.addEventListener("focus", () => this.#enter(), { signal });
    canvas.addEventListener("blur", () => this.#leave(), { signal });
    for (const query of ["(prefers-color-scheme: dark)", "(prefers-contrast: more)"]) {
      matchMedia(query).addEventListener("change", () => this.#retheme(), { signal });
    }
    this.#gestures = new Gestures({
      canvas,
      events,
      cellAt: (x, y) => cellAt(this.#camera, x, y, this.#scene),
      pan: (x, y) => this.#look(pan(this.#camera, x, y, this.#scene, this.#size)),
      zoom: (factor, x, y) => this.#look(zoom(this.#camera, factor, x, y, this.#scene, this.#size)),
      jump: (x, y) => this.#jump(x, y),
      hover: (cell) => this.#hover(cell),
      isSpaceHeld: () => this.#space !== "up",
      useSpace: () => (this.#space = "used"),
    });
    this.#resizes.observe(canvas);
  }

  show(scene: Scene): void {
    const before = this.#scene;
    this.#scene = scene;
    if (before.height !== scene.height || before.width !== scene.width) {
      this.#cursor = [
        Math.min(this.#cursor[0], scene.height - 1),
        Math.min(this.#cursor[1], scene.width - 1),
      ];
      this.element.style.setProperty("--board-ratio", `${scene.width} / ${scene.height}`);
      this.#zooms.hidden = scene.height * scene.width <= ZOOMABLE;
      this.#fit();
    }
    replace(this.#words, describe(scene));
    this.#draw();
  }

  setCursor(cell: Cell): void {
    this.#cursor = cell;
    this.#draw();
  }

  close(): void {
    this.#stop.abort();
    this.#resizes.disconnect();
    this.#gestures.close();
    cancelAnimationFrame(this.#frame);
  }

  #fit(): void {
    this.#look(fit(this.#scene, this.#size));
    this.#isFitted = true;
  }

  #zoomMiddle(factor: number): void {
    const { width, height } = this.#size;
    this.#look(zoom(this.#camera, factor, width / 2, height / 2, this.#scene, this.#size));
  }

  /** Shows the place under a point of the overview. */
  #jump(x: number, y: number): boolean {
    const overview = overviewOf(this.#camera, this.#scene, this.#size);
    const point = overview && overviewPoint(overview, x, y, this.#scene);
    if (point === undefined) return false;
    this.#look(centre(this.#camera, point.row, point.column, this.#scene, this.#size));
    return true;
  }

  #look(camera: Camera): void {
    this.#camera = camera;
    this.#isFitted = !isPartial(camera, this.#scene, this.#size);
    this.#draw();
  }

  #resize(): void {
    const { clientWidth: width, clientHeight: height } = this.#canvas;
    this.#size = { width, height };
    if (this.#isFitted) this.#fit();
    else this.#look(pan(this.#camera, 0, 0, this.#scene, this.#size));
  }

  #retheme(): void {
    this.#painter.forgetTheme();
    this.#draw();
  }

  #hover(cell: Cell | undefined): void {
    if (isSameCell(cell, this.#hovered)) return;
    this.#hovered = cell;
    this.#isCursorShown = false;
    this.#events.hover?.(cell);
    this.#draw();
  }

  #key(event: KeyboardEvent): void {
    if (this.#useKey(event) || (this.#events.key?.(event, this.#cursor) ?? false)) event.preventDefault();
  }

  #useKey(event: KeyboardEvent): boolean {
    const { key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const step = ARROWS[key];
    if (step !== undefined) this.#moveCursor(step, event.shiftKey ? STRIDE : 1);
    else if (key === "+" || key === "=") this.#zoomMiddle(ZOOM_STEP);
    else if (key === "-") this.#zoomMiddle(1 / ZOOM_STEP);
    else if (key === "0") this.#fit();
    else if (key === " ") this.#space = this.#space === "up" ? "held" : this.#space;
    else if (key === "Escape") return this.#gestures.cancel();
    else return false;
    return true;
  }

  /** Passes a space bar on that was pressed alone, without a pan. */
  #keyUp(event: KeyboardEvent): void {
    if (event.key !== " ") return;
    event.preventDefault();
    const wasHeld = this.#space === "held";
    this.#space = "up";
    if (wasHeld) this.#events.key?.(event, this.#cursor);
  }

  #moveCursor([down, right]: Cell, stride: number): void {
    const { height, width } = this.#scene;
    const along = (at: number, by: number, size: number): number => Math.min(Math.max(at + by, 0), size - 1);
    if (this.#isCursorShown) {
      const [row, column] = this.#cursor;
      this.#cursor = [along(row, down * stride, height), along(column, right * stride, width)];
    }
    this.#isCursorShown = true;
    this.#hovered = this.#cursor;
    this.#events.hover?.(this.#cursor);
    this.#camera = reveal(this.#camera, this.#cursor, this.#scene, this.#size);
    this.#draw();
  }

  /** Shows the cursor if the focus came by the keyboard. */
  #enter(): void {
    if (!this.#canvas.matches(":focus-visible")) return;
    this.#isCursorShown = true;
    this.#draw();
  }

  #leave(): void {
    this.#space = "up";
    if (!this.#isCursorShown) return;
    this.#isCursorShown = false;
    this.#hovered = undefined;
    this.#events.hover?.(undefined);
    this.#draw();
  }

  #draw(): void {
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#painter.paint({
        scene: this.#scene,
        camera: this.#camera,
        size: this.#size,
        hovered: this.#hovered,
        cursor: this.#isCursorShown ? this.#cursor : undefined,
      });
    });
  }
}
