import type { Side } from "dragnet-probe";
import { SCALES } from "../base/palette.js";
import type { Camera } from "./camera.js";
import type { Scene } from "./scene.js";
import { type Point, runsOf, segmentsOf } from "./steps.js";

const COLOURS: Readonly<Record<Side, string>> = { police: SCALES.police[1]!, thief: SCALES.thief[2]! };
/** How far each side's way is from the middles of cells, so that ways on the same cells are both seen. */
const ASIDE: Readonly<Record<Side, number>> = { police: -0.12, thief: 0.12 };

/** Draws the ways that pieces take: a full line for the police, a dashed one for the thief. */
export function drawPaths(context: CanvasRenderingContext2D, scene: Scene, camera: Camera): void {
  const width = Math.max(Math.min(camera.scale * 0.12, 5), 2);
  for (const { side, cells } of scene.paths ?? []) {
    const runs = runsOf(cells, scene);
    const dash = side === "thief" ? [width * 2.5, width * 1.6] : [];
    context.beginPath();
    for (const run of runs) {
      for (const [k, point] of run.entries()) {
        const [x, y] = place(point, camera, ASIDE[side]);
        if (k === 0) context.moveTo(x, y);
        else context.lineTo(x, y);
      }
    }
    stroke(context, COLOURS[side], width, dash);
    const last = runs.at(-1);
    if (last === undefined) continue;
    drawHead(context, last.at(-2)!, last.at(-1)!, camera, COLOURS[side], ASIDE[side]);
  }
}

/** Draws an arrow for each move that is pointed out. */
export function drawArrows(context: CanvasRenderingContext2D, scene: Scene, camera: Camera): void {
  const width = Math.max(Math.min(camera.scale * 0.16, 7), 3);
  for (const { side, from, to } of scene.arrows ?? []) {
    const segments = segmentsOf(from, to, scene);
    const last = segments.at(-1);
    if (last === undefined) {
      const [x, y] = place({ row: to[0] + 0.5, column: to[1] + 0.5 }, camera, 0);
      context.beginPath();
      context.arc(x, y, Math.max(camera.scale * 0.55, 12), 0, 2 * Math.PI);
      stroke(context, COLOURS[side], width, []);
      continue;
    }
    context.beginPath();
    for (const segment of segments) {
      context.moveTo(...place(segment.from, camera, 0));
      context.lineTo(...place(segment.to, camera, 0));
    }
    stroke(context, COLOURS[side], width, []);
    drawHead(context, last.from, last.to, camera, COLOURS[side], 0);
  }
}

function drawHead(
  context: CanvasRenderingContext2D,
  from: Point,
  to: Point,
  camera: Camera,
  colour: string,
  aside: number,
): void {
  const [x, y] = place(to, camera, aside);
  const angle = Math.atan2(to.row - from.row, to.column - from.column);
  const size = Math.max(Math.min(camera.scale * 0.34, 16), 8);
  context.beginPath();
  context.moveTo(x + Math.cos(angle) * size * 0.5, y + Math.sin(angle) * size * 0.5);
  for (const turn of [2.5, -2.5])
    context.lineTo(x + Math.cos(angle + turn) * size, y + Math.sin(angle + turn) * size);
  context.closePath();
  context.lineWidth = 3;
  context.strokeStyle = "#ffffff";
  context.stroke();
  context.fillStyle = colour;
  context.fill();
}

function stroke(context: CanvasRenderingContext2D, colour: string, width: number, dash: number[]): void {
  context.lineJoin = context.lineCap = "round";
  context.lineWidth = width + 3;
  context.strokeStyle = "rgba(255, 255, 255, 0.9)";
  context.stroke();
  context.setLineDash(dash);
  context.lineWidth = width;
  context.strokeStyle = colour;
  context.stroke();
  context.setLineDash([]);
}

function place({ row, column }: Point, { scale, left, top }: Camera, aside: number): [x: number, y: number] {
  return [left + (column + aside) * scale, top + (row + aside) * scale];
}
