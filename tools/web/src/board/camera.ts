import type { Cell } from "dragnet-probe";

/** A number of rows and columns. */
export interface Extent {
  readonly height: number;
  readonly width: number;
}

/** The part of the board that is seen: where its corner stands, and how large a cell is, in CSS pixels. */
export interface Camera {
  /** The side of a cell. */
  readonly scale: number;
  /** The distance of the board's left edge from that of the canvas. */
  readonly left: number;
  /** The distance of the board's upper edge from that of the canvas. */
  readonly top: number;
}

/** The rows and columns that are at least partly seen; the last ones are not included. */
export interface Window {
  readonly firstRow: number;
  readonly lastRow: number;
  readonly firstColumn: number;
  readonly lastColumn: number;
}

/** The space around a board that is seen as a whole. */
const MARGIN = 8;
/** The largest side of a cell of a board that is seen as a whole. */
const LARGEST_FIT = 112;
/** The largest side of a cell after zooming in. */
const LARGEST = 72;
/** From this side on, cells have whole pixels, so that their edges are sharp. */
const WHOLE = 6;

/** Returns the camera that shows the whole board in the middle of a canvas. */
export function fit(board: Extent, canvas: Extent): Camera {
  const across = (canvas.width - 2 * MARGIN) / board.width;
  const down = (canvas.height - 2 * MARGIN) / board.height;
  const scale = Math.max(Math.min(across, down, LARGEST_FIT), 0.1);
  return settle({ scale: whole(scale), left: 0, top: 0 }, board, canvas);
}

/** Returns the camera after a zoom by a factor that keeps the point at `x` and `y` where it is. */
export function zoom(
  camera: Camera,
  factor: number,
  x: number,
  y: number,
  board: Extent,
  canvas: Extent,
): Camera {
  const smallest = fit(board, canvas).scale;
  const scale = clamp(camera.scale * factor, smallest, Math.max(smallest, LARGEST));
  const ratio = scale / camera.scale;
  const left = x - (x - camera.left) * ratio;
  const top = y - (y - camera.top) * ratio;
  return settle({ scale, left, top }, board, canvas);
}

/** Returns the camera after a move of the board by some pixels. */
export function pan(camera: Camera, x: number, y: number, board: Extent, canvas: Extent): Camera {
  return settle({ scale: camera.scale, left: camera.left + x, top: camera.top + y }, board, canvas);
}

/** Returns the camera with the point of the board at `row` and `column`, in cells, in the middle. */
export function centre(camera: Camera, row: number, column: number, board: Extent, canvas: Extent): Camera {
  const left = canvas.width / 2 - column * camera.scale;
  const top = canvas.height / 2 - row * camera.scale;
  return settle({ scale: camera.scale, left, top }, board, canvas);
}

/** Returns the camera after the smallest move that shows a cell and its neighbours. */
export function reveal(camera: Camera, [row, column]: Cell, board: Extent, canvas: Extent): Camera {
  const { scale } = camera;
  const seen = (start: number, at: number, size: number): number => {
    const first = start + (at - 1) * scale;
    const last = first + 3 * scale;
    if (first < 0) return start - first;
    return last > size ? start - (last - size) : start;
  };
  const left = seen(camera.left, column, canvas.width);
  const top = seen(camera.top, row, canvas.height);
  return settle({ scale, left, top }, board, canvas);
}

/** Returns the cell under a point of the canvas; `undefined` off the board. */
export function cellAt(camera: Camera, x: number, y: number, board: Extent): Cell | undefined {
  const row = Math.floor((y - camera.top) / camera.scale);
  const column = Math.floor((x - camera.left) / camera.scale);
  return row >= 0 && row < board.height && column >= 0 && column < board.width ? [row, column] : undefined;
}

/** Returns what is seen of the board. */
export function windowOf({ scale, left, top }: Camera, board: Extent, canvas: Extent): Window {
  return {
    firstRow: clamp(Math.floor(-top / scale), 0, board.height),
    lastRow: clamp(Math.ceil((canvas.height - top) / scale), 0, board.height),
    firstColumn: clamp(Math.floor(-left / scale), 0, board.width),
    lastColumn: clamp(Math.ceil((canvas.width - left) / scale), 0, board.width),
  };
}

/** Returns whether a part of the board is out of sight. */
export function isPartial(camera: Camera, board: Extent, canvas: Extent): boolean {
  return board.width * camera.scale > canvas.width || board.height * camera.scale > canvas.height;
}

/** Returns the camera so that the board fills the canvas, or stands in its middle where it is smaller. */
function settle({ scale, left, top }: Camera, board: Extent, canvas: Extent): Camera {
  const place = (start: number, size: number, room: number): number => {
    if (size + 2 * MARGIN <= room) return Math.round((room - size) / 2);
    return Math.round(clamp(start, room - size - MARGIN, MARGIN));
  };
  return {
    scale,
    left: place(left, board.width * scale, canvas.width),
    top: place(top, board.height * scale, canvas.height),
  };
}

function whole(scale: number): number {
  return scale >= WHOLE ? Math.floor(scale) : scale;
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}
