import {
  EXIT as EXIT_COLOUR,
  OPEN as OPEN_COLOUR,
  WALL as WALL_COLOUR,
  colourOf,
  isDark,
  tintOf,
} from "../base/palette.js";
import type { Bitmap } from "./bitmap.js";
import { type Camera, type Extent, type Window, windowOf } from "./camera.js";
import { CLOSED, DRAWN, EXIT, NO_VALUE, POLICE_WINS, type Scene, THIEF_WINS, type Values, WALL, letterOf } from "./scene.js";
import type { Theme } from "./theme.js";

/** The smallest cell that has lines around it, and hatching of its own. */
export const TEXTURED_CELL = 8;
/** The size of a letter's badge as a share of its cell, and in pixels: least, with text, most. */
const [BADGE, LEAST_BADGE, BADGE_WITH_TEXT, MOST_BADGE] = [0.42, 5, 9, 20];
/** The signs of one-way squares. */
const SIGNS: Readonly<Record<string, string>> = { ">": "→", "<": "←", "^": "↑", v: "↓" };
/** The smallest cell with a number. */
const NUMBERED_CELL = 20;
const LARGEST_FONT = 16;
const HATCH = 6;
/** Where the bars of a closed door stand, as shares of the width of its cell. */
const BARS = [0.2, 0.8] as const;

/** A picture of the squares and values that are seen, without pieces. */
export class Layer {
  readonly canvas = document.createElement("canvas");
  readonly #context = this.canvas.getContext("2d")!;
  readonly #hatch = hatching(this.#context);

  /** Draws what a camera sees. `ratio` is the number of device pixels in a CSS pixel. */
  draw(bitmap: Bitmap, scene: Scene, camera: Camera, size: Extent, ratio: number, theme: Theme): void {
    const { canvas } = this;
    const [width, height] = [Math.round(size.width * ratio), Math.round(size.height * ratio)];
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    const context = this.#context;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, width, height);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.imageSmoothingEnabled = false;
    const seen = windowOf(camera, scene, size);
    const { scale, left, top } = camera;
    const [rows, columns] = [seen.lastRow - seen.firstRow, seen.lastColumn - seen.firstColumn];
    if (rows <= 0 || columns <= 0) return;
    const [x, y] = [left + seen.firstColumn * scale, top + seen.firstRow * scale];
    context.drawImage(
      bitmap.canvas,
      seen.firstColumn,
      seen.firstRow,
      columns,
      rows,
      x,
      y,
      columns * scale,
      rows * scale,
    );
    if (scale >= TEXTURED_CELL) {
      if (scene.values !== undefined) this.#drawTextures(scene, scene.values, camera, seen);
      this.#drawGrid(camera, seen);
    }
    this.#drawExits(scene, camera, seen);
    this.#drawDoors(scene, camera, seen);
    if (scale >= TEXTURED_CELL) this.#drawLetters(scene, camera, seen);
    if (scale >= NUMBERED_CELL && scene.values !== undefined && !scene.values.onlyOutcomes)
      this.#drawNumbers(scene, scene.values, camera, seen);
    this.#drawBorder(scene, camera, theme);
  }

  /** Hatches draws, and gives the thief's wins a corner. */
  #drawTextures(scene: Scene, { outcomes }: Values, { scale, left, top }: Camera, seen: Window): void {
    const context = this.#context;
    const corner = Math.max(scale * 0.2, 3);
    const draws = new Path2D();
    const corners = new Path2D();
    for (let row = seen.firstRow; row < seen.lastRow; row++) {
      const y = top + row * scale;
      for (let column = seen.firstColumn; column < seen.lastColumn; column++) {
        const square = row * scene.width + column;
        if (scene.squares[square] === WALL) continue;
        const x = left + column * scale;
        if (outcomes[square] === DRAWN) draws.rect(x, y, scale, scale);
        else if (outcomes[square] === THIEF_WINS) {
          corners.moveTo(x, y);
          corners.lineTo(x + corner, y);
          corners.lineTo(x, y + corner);
        }
      }
    }
    context.fillStyle = this.#hatch;
    context.fill(draws);
    context.fillStyle = "rgba(255, 255, 255, 0.75)";
    context.fill(corners);
  }

  #drawGrid({ scale, left, top }: Camera, seen: Window): void {
    const context = this.#context;
    context.beginPath();
    for (let row = seen.firstRow; row <= seen.lastRow; row++) {
      context.moveTo(left + seen.firstColumn * scale, top + row * scale);
      context.lineTo(left + seen.lastColumn * scale, top + row * scale);
    }
    for (let column = seen.firstColumn; column <= seen.lastColumn; column++) {
      context.moveTo(left + column * scale, top + seen.firstRow * scale);
      context.lineTo(left + column * scale, top + seen.lastRow * scale);
    }
    context.strokeStyle = "rgba(110, 120, 130, 0.35)";
    context.lineWidth = 1;
    context.stroke();
  }

  #drawExits(scene: Scene, { scale, left, top }: Camera, seen: Window): void {
    const context = this.#context;
    const line = Math.max(Math.min(scale * 0.1, 4), 1.25);
    for (let row = seen.firstRow; row < seen.lastRow; row++) {
      for (let column = seen.firstColumn; column < seen.lastColumn; column++) {
        if (scene.squares[row * scene.width + column] !== EXIT) continue;
        const [x, y] = [left + column * scale, top + row * scale];
        context.lineWidth = line + 2;
        context.strokeStyle = OPEN_COLOUR;
        const inset = line / 2 + 1;
        const side = scale - 2 * inset;
        if (side > 2) context.strokeRect(x + inset, y + inset, side, side);
        context.lineWidth = line;
        context.strokeStyle = EXIT_COLOUR;
        if (side > 2) context.strokeRect(x + inset, y + inset, side, side);
        else {
          context.fillStyle = EXIT_COLOUR;
          context.fillRect(x, y, Math.max(scale, 2), Math.max(scale, 2));
        }
      }
    }
  }

  /** Draws a frame with bars on each closed door. */
  #drawDoors(scene: Scene, { scale, left, top }: Camera, seen: Window): void {
    const context = this.#context;
    const line = Math.max(Math.min(scale * 0.08, 5), 1);
    context.beginPath();
    for (let row = seen.firstRow; row < seen.lastRow; row++) {
      for (let column = seen.firstColumn; column < seen.lastColumn; column++) {
        if (scene.squares[row * scene.width + column] !== CLOSED) continue;
        const [x, y] = [left + column * scale, top + row * scale];
        context.rect(x + line / 2, y + line / 2, scale - line, scale - line);
        for (const share of BARS) {
          context.moveTo(x + share * scale, y);
          context.lineTo(x + share * scale, y + scale);
        }
      }
    }
    context.lineWidth = line;
    context.strokeStyle = WALL_COLOUR;
    context.stroke();
  }

  /** Draws the letter or the arrow of a square into its lower right corner, on its tint. */
  #drawLetters(scene: Scene, { scale, left, top }: Camera, seen: Window): void {
    const context = this.#context;
    const size = Math.min(Math.max(scale * BADGE, LEAST_BADGE), MOST_BADGE);
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.font = `600 ${Math.floor(size * 0.85)}px system-ui, sans-serif`;
    context.lineWidth = 1;
    context.strokeStyle = "rgba(0, 0, 0, 0.45)";
    for (let row = seen.firstRow; row < seen.lastRow; row++) {
      for (let column = seen.firstColumn; column < seen.lastColumn; column++) {
        const letter = letterOf(scene.squares[row * scene.width + column]!);
        if (letter === undefined) continue;
        const [x, y] = [left + (column + 1) * scale - size - 1, top + (row + 1) * scale - size - 1];
        context.fillStyle = tintOf(letter);
        context.fillRect(x, y, size, size);
        context.strokeRect(x, y, size, size);
        if (size < BADGE_WITH_TEXT) continue;
        context.fillStyle = "#000000";
        context.fillText(SIGNS[letter] ?? letter, x + size / 2, y + size * 0.54);
      }
    }
  }

  #drawNumbers(scene: Scene, values: Values, { scale, left, top }: Camera, seen: Window): void {
    const context = this.#context;
    const inks = { police: new Map<number, boolean>(), thief: new Map<number, boolean>() };
    context.textAlign = "center";
    context.textBaseline = "middle";
    let font = "";
    for (let row = seen.firstRow; row < seen.lastRow; row++) {
      for (let column = seen.firstColumn; column < seen.lastColumn; column++) {
        const square = row * scene.width + column;
        const outcome = values.outcomes[square]!;
        if (scene.squares[square] === WALL || outcome === NO_VALUE || outcome === DRAWN) continue;
        const side = outcome === POLICE_WINS ? "police" : "thief";
        const dtw = values.distances[square]!;
        let dark = inks[side].get(dtw);
        if (dark === undefined) inks[side].set(dtw, (dark = isDark(colourOf(side, dtw, values.longest))));
        const text = String(dtw);
        const wanted = numberFont(text, scale);
        if (wanted !== font) context.font = font = wanted;
        context.fillStyle = dark ? "#ffffff" : "#000000";
        context.fillText(text, left + (column + 0.5) * scale, top + (row + 0.53) * scale);
      }
    }
  }

  /** Draws the edge of the board; joined edges are dashed. */
  #drawBorder(scene: Scene, { scale, left, top }: Camera, theme: Theme): void {
    const context = this.#context;
    const [right, bottom] = [left + scene.width * scale, top + scene.height * scale];
    const wrap = scene.wrap ?? "none";
    const sides = [
      {
        joined: wrap === "vertical" || wrap === "both",
        lines: [
          [left, top, right, top],
          [left, bottom, right, bottom],
        ],
      },
      {
        joined: wrap === "horizontal" || wrap === "both",
        lines: [
          [left, top, left, bottom],
          [right, top, right, bottom],
        ],
      },
    ];
    for (const { joined, lines } of sides) {
      context.strokeStyle = joined ? theme.accent : theme.line;
      context.lineWidth = joined ? 3 : 1;
      context.setLineDash(joined ? [7, 5] : []);
      context.beginPath();
      for (const [fromX, fromY, toX, toY] of lines) {
        context.moveTo(fromX!, fromY!);
        context.lineTo(toX!, toY!);
      }
      context.stroke();
    }
    context.setLineDash([]);
  }
}

/** Returns the font for a number in a cell; longer numbers are smaller. */
function numberFont(text: string, scale: number): string {
  const room = (scale - 4) / (text.length * 0.6);
  return `${Math.floor(Math.min(room, scale * 0.42, LARGEST_FONT))}px system-ui, sans-serif`;
}

/** Returns a pattern of thin diagonal lines. */
function hatching(context: CanvasRenderingContext2D): CanvasPattern {
  const tile = document.createElement("canvas");
  tile.width = tile.height = HATCH;
  const lines = tile.getContext("2d")!;
  lines.strokeStyle = "rgba(0, 0, 0, 0.42)";
  lines.lineWidth = 1.2;
  lines.beginPath();
  for (const shift of [-HATCH, 0, HATCH]) {
    lines.moveTo(shift - 1, HATCH + 1);
    lines.lineTo(shift + HATCH + 1, -1);
  }
  lines.stroke();
  return context.createPattern(tile, "repeat")!;
}
