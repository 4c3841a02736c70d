import { DRAW, SCALES, isDark } from "../base/palette.js";
import type { Camera } from "./camera.js";
import type { Mark, Piece } from "./scene.js";

/** The least radius of a piece, which may be larger than a small cell. */
const LEAST_RADIUS = 9;
const COLOURS = { police: SCALES.police[1]!, thief: SCALES.thief[2]!, draw: DRAW };

/** Draws the pieces: officers are round, the thief is square. Pieces that share a cell stand side by side. */
export function drawPieces(
  context: CanvasRenderingContext2D,
  pieces: readonly Piece[],
  camera: Camera,
): void {
  const sharing = new Map<string, number>();
  for (const { cell } of pieces) sharing.set(cell.join(), (sharing.get(cell.join()) ?? 0) + 1);
  const placed = new Map<string, number>();
  for (const piece of pieces) {
    const key = piece.cell.join();
    const at = placed.get(key) ?? 0;
    placed.set(key, at + 1);
    drawPiece(context, piece, camera, at, sharing.get(key)!);
  }
}

/** Draws the cells to which a piece can move: diamonds for the best moves, circles for the others. */
export function drawMarks(context: CanvasRenderingContext2D, marks: readonly Mark[], camera: Camera): void {
  const { scale, left, top } = camera;
  for (const { cell, kind, outcome, text } of marks) {
    const [x, y] = [left + (cell[1] + 0.5) * scale, top + (cell[0] + 0.5) * scale];
    const radius = Math.max(scale * (kind === "best" ? 0.46 : 0.36), kind === "best" ? 6 : 4.5);
    const colour = COLOURS[outcome];
    context.beginPath();
    if (kind === "best") diamond(context, x, y, radius);
    else context.arc(x, y, radius, 0, 2 * Math.PI);
    context.fillStyle = colour;
    context.fill();
    outline(context, Math.max(Math.min(scale * 0.08, 3), 1.5));
    if (scale < 20) continue;
    context.fillStyle = isDark(colour) ? "#ffffff" : "#000000";
    write(context, text, x, y, Math.min(scale * 0.36, 15, (radius * 1.5) / Math.max(text.length * 0.6, 1)));
  }
}

function drawPiece(
  context: CanvasRenderingContext2D,
  { side, officer, guard, cell, selected }: Piece,
  { scale, left, top }: Camera,
  at: number,
  sharing: number,
): void {
  const radius = Math.max(scale * (sharing > 1 ? 0.28 : 0.38), LEAST_RADIUS);
  const angle = (2 * Math.PI * at) / sharing - (3 * Math.PI) / 4;
  const shift = sharing > 1 ? Math.max(scale * 0.2, LEAST_RADIUS * 0.6) : 0;
  const x = left + (cell[1] + 0.5) * scale + shift * Math.cos(angle);
  const y = top + (cell[0] + 0.5) * scale + shift * Math.sin(angle);
  if (selected) {
    context.beginPath();
    context.arc(x, y, radius + Math.max(4, scale * 0.1), 0, 2 * Math.PI);
    context.fillStyle = "rgba(255, 214, 10, 0.9)";
    context.fill();
  }
  context.beginPath();
  if (side === "police") context.arc(x, y, radius, 0, 2 * Math.PI);
  else context.roundRect(x - radius * 0.88, y - radius * 0.88, radius * 1.76, radius * 1.76, radius * 0.3);
  context.fillStyle = COLOURS[side];
  context.fill();
  outline(context, Math.max(Math.min(scale * 0.07, 3), 1.5));
  context.fillStyle = "#ffffff";
  const letter = guard ? "G" : side === "thief" ? "T" : officer === undefined ? "P" : String(officer + 1);
  write(context, letter, x, y, radius * 1.05, "bold");
}

/** Draws a white line with a thin dark one around it, which is seen on every colour. */
function outline(context: CanvasRenderingContext2D, width: number): void {
  context.lineJoin = "round";
  context.lineWidth = width + 2;
  context.strokeStyle = "rgba(0, 0, 0, 0.75)";
  context.stroke();
  context.lineWidth = width;
  context.strokeStyle = "#ffffff";
  context.stroke();
}

function diamond(context: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  context.moveTo(x, y - radius);
  context.lineTo(x + radius, y);
  context.lineTo(x, y + radius);
  context.lineTo(x - radius, y);
  context.closePath();
}

function write(
  context: CanvasRenderingContext2D,
  text: string,
  x: number,
  y: number,
  size: number,
  weight = "",
): void {
  context.font = `${weight} ${Math.floor(size)}px system-ui, sans-serif`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(text, x, y + size * 0.06);
}
