import type { Cell } from "dragnet-probe";
import { Bitmap } from "./bitmap.js";
import type { Camera, Extent } from "./camera.js";
import { Layer, TEXTURED_CELL } from "./layer.js";
import { drawOverview, overviewOf } from "./overview.js";
import { drawMarks, drawPieces } from "./pieces.js";
import type { Scene } from "./scene.js";
import { type Theme, readTheme } from "./theme.js";
import { drawArrows, drawPaths } from "./ways.js";

/** How far lines may stand out of the board, in CSS pixels. */
const BORDER = 8;
const CURSOR = "#d6006e";
/** The colours of squares that are seen. */
const [SHADE, SHADE_LINE] = ["rgba(255, 213, 0, 0.22)", "rgba(150, 110, 0, 0.9)"];

/** The content of a canvas at one moment. */
export interface Picture {
  readonly scene: Scene;
  readonly camera: Camera;
  /** The size of the canvas in CSS pixels. */
  readonly size: Extent;
  /** The cell under the pointer. */
  readonly hovered: Cell | undefined;
  /** The cell of the keyboard's cursor, if it is shown. */
  readonly cursor: Cell | undefined;
}

/** Paints pictures of a board; squares and values only when they or the camera have changed. */
export class Painter {
  readonly #canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D;
  readonly #bitmap = new Bitmap();
  readonly #layer = new Layer();
  #theme: Theme | undefined;
  #ratio = 1;
  #camera: Camera | undefined;
  #wrap: Scene["wrap"];

  constructor(canvas: HTMLCanvasElement) {
    this.#canvas = canvas;
    this.#context = canvas.getContext("2d")!;
  }

  /** Forgets the colours of the page, which are read again with the next picture. */
  forgetTheme(): void {
    this.#theme = undefined;
  }

  /** Paints a picture. */
  paint({ scene, camera, size, hovered, cursor }: Picture): void {
    const { width, height } = size;
    if (width === 0 || height === 0) return;
    const context = this.#context;
    const ratio = devicePixelRatio || 1;
    const [across, down] = [Math.round(width * ratio), Math.round(height * ratio)];
    let isStale = this.#theme === undefined || camera !== this.#camera || scene.wrap !== this.#wrap;
    if (this.#canvas.width !== across || this.#canvas.height !== down || this.#ratio !== ratio) {
      [this.#canvas.width, this.#canvas.height] = [across, down];
      this.#ratio = ratio;
      isStale = true;
    }
    const theme = (this.#theme ??= readTheme(this.#canvas));
    if (this.#bitmap.draw(scene, camera.scale < TEXTURED_CELL) || isStale) {
      this.#layer.draw(this.#bitmap, scene, camera, size, ratio, theme);
      this.#camera = camera;
      this.#wrap = scene.wrap;
    }
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, across, down);
    context.drawImage(this.#layer.canvas, 0, 0);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.#shade(scene, camera);
    this.#clipped(scene, camera, () => drawPaths(context, scene, camera));
    drawMarks(context, scene.marks ?? [], camera);
    drawPieces(context, scene.pieces ?? [], camera);
    this.#clipped(scene, camera, () => drawArrows(context, scene, camera));
    for (const cell of scene.outline ?? []) this.#frameCell(cell, camera, theme.accent, 2);
    if (hovered !== undefined && cursor === undefined) this.#frameCell(hovered, camera, theme.ink, 1.5);
    if (cursor !== undefined) this.#frameCell(cursor, camera, CURSOR, 3);
    const overview = overviewOf(camera, scene, size);
    if (overview) drawOverview(context, overview, this.#bitmap, camera, scene, size, theme);
  }

  /** Shades squares faintly, so that the colours below can be told, each in a frame. */
  #shade({ shaded = [] }: Scene, { scale, left, top }: Camera): void {
    const context = this.#context;
    context.beginPath();
    for (const [row, column] of shaded) context.rect(left + column * scale + 1, top + row * scale + 1, scale - 2, scale - 2);
    context.fillStyle = SHADE;
    context.fill();
    context.strokeStyle = SHADE_LINE;
    context.lineWidth = Math.max(Math.min(scale * 0.06, 2.5), 1);
    context.stroke();
  }

  /** Draws something that must not go far beyond the edges of the board. */
  #clipped({ height, width }: Scene, { scale, left, top }: Camera, draw: () => void): void {
    const context = this.#context;
    context.save();
    context.beginPath();
    context.rect(left - BORDER, top - BORDER, width * scale + 2 * BORDER, height * scale + 2 * BORDER);
    context.clip();
    draw();
    context.restore();
  }

  #frameCell([row, column]: Cell, { scale, left, top }: Camera, colour: string, width: number): void {
    const side = Math.max(scale, 6);
    const [x, y] = [left + (column + 0.5) * scale - side / 2, top + (row + 0.5) * scale - side / 2];
    const context = this.#context;
    const lines = [
      [width + 2, "#ffffff"],
      [width, colour],
    ] as const;
    for (const [line, stroke] of lines) {
      context.lineWidth = line;
      context.strokeStyle = stroke;
      context.strokeRect(x, y, side, side);
    }
  }
}
