import type { Bitmap } from "./bitmap.js";
import { type Camera, type Extent, isPartial } from "./camera.js";
import type { Theme } from "./theme.js";

const LARGEST = 132;
const SHARE = 0.3;
const GAP = 8;

/** The rectangle of the small picture of the whole board, and the size of a cell in it, in CSS pixels. */
export interface Overview {
  readonly left: number;
  readonly top: number;
  readonly scale: number;
}

/** Returns where the overview stands: in the lower right corner; `undefined` if the whole board is seen. */
export function overviewOf(camera: Camera, board: Extent, canvas: Extent): Overview | undefined {
  if (!isPartial(camera, board, canvas)) return undefined;
  const room = Math.min(LARGEST, Math.min(canvas.width, canvas.height) * SHARE);
  const scale = room / Math.max(board.width, board.height);
  return {
    left: canvas.width - board.width * scale - GAP,
    top: canvas.height - board.height * scale - GAP,
    scale,
  };
}

/** Returns the point of the board, in rows and columns, under a point of the overview. */
export function overviewPoint(
  { left, top, scale }: Overview,
  x: number,
  y: number,
  board: Extent,
): { row: number; column: number } | undefined {
  const [row, column] = [(y - top) / scale, (x - left) / scale];
  return row >= 0 && row < board.height && column >= 0 && column < board.width ? { row, column } : undefined;
}

/** Draws the overview, with a frame around what the camera sees. */
export function drawOverview(
  context: CanvasRenderingContext2D,
  { left, top, scale }: Overview,
  bitmap: Bitmap,
  camera: Camera,
  board: Extent,
  canvas: Extent,
  theme: Theme,
): void {
  const [width, height] = [board.width * scale, board.height * scale];
  context.fillStyle = theme.paper;
  context.fillRect(left - 3, top - 3, width + 6, height + 6);
  context.imageSmoothingEnabled = scale < 1;
  context.drawImage(bitmap.canvas, left, top, width, height);
  context.lineWidth = 1;
  context.strokeStyle = theme.ink;
  context.strokeRect(left - 2.5, top - 2.5, width + 5, height + 5);
  const ratio = scale / camera.scale;
  const frame = (start: number, size: number, room: number): [number, number] => {
    const first = Math.max(-start * ratio, 0);
    return [first, Math.min((room - start) * ratio, size * scale) - first];
  };
  const [x, across] = frame(camera.left, board.width, canvas.width);
  const [y, down] = frame(camera.top, board.height, canvas.height);
  context.lineWidth = 4;
  context.strokeStyle = "#ffffff";
  context.strokeRect(left + x, top + y, across, down);
  context.lineWidth = 2;
  context.strokeStyle = "#d6006e";
  context.strokeRect(left + x, top + y, across, down);
}
