import type { Digraph } from "../model/digraph.js";
import type { Point } from "./scene.js";

/** How the line of an edge runs. */
export interface EdgeCourse {
  /** How far it bends, in widths of a bend; 0 is straight. */
  readonly bend: number;
  /** Whether it has an arrowhead. */
  readonly headed: boolean;
  /** Whether another edge's line stands for it. */
  readonly hidden: boolean;
}

/** The strings of a line and of its arrowhead for the attribute `d` of a path. */
export interface EdgePaths {
  readonly line: string;
  readonly head: string;
}

const BEND = 22;
const HEAD = 9;

/** Returns how the lines of all edges run, so that no two lie on each other. */
export function courses({ edges }: Digraph, joined: boolean): EdgeCourse[] {
  const pairs = new Map<string, number>();
  const key = (from: number, to: number): string => `${from} ${to}`;
  for (const [from, to] of edges) pairs.set(key(from, to), (pairs.get(key(from, to)) ?? 0) + 1);
  const seen = new Map<string, number>();
  return edges.map(([from, to]) => {
    const isPair = from !== to && pairs.has(key(to, from));
    const earlier = seen.get(key(from, to)) ?? 0;
    seen.set(key(from, to), earlier + 1);
    if (joined && isPair) return { bend: 0, headed: false, hidden: from > to || earlier > 0 };
    return { bend: from === to ? earlier : earlier + (isPair ? 1 : 0), headed: true, hidden: false };
  });
}

/** Returns the paths of an edge between the rims of two vertices. `around` is the space around the ends. */
export function edgePaths(from: Point, to: Point, { bend, headed }: EdgeCourse, around: readonly [number, number]): EdgePaths {
  if (from === to) return loopPaths(from, bend, around[0], headed);
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(dx, dy) || 1;
  const side = 2 * BEND * bend;
  const control: Point = [
    (from[0] + to[0]) / 2 - (dy / length) * side,
    (from[1] + to[1]) / 2 + (dx / length) * side,
  ];
  const start = towards(from, control, around[0]);
  const tip = towards(to, control, around[1]);
  const end = headed ? towards(tip, control, HEAD - 2) : tip;
  const line = bend === 0 ? `M${text(start)}L${text(end)}` : `M${text(start)}Q${text(control)} ${text(end)}`;
  return { line, head: headed ? headPath(tip, control) : "" };
}

function loopPaths([x, y]: Point, earlier: number, radius: number, headed: boolean): EdgePaths {
  const size = radius + 26 + 12 * earlier;
  const start: Point = [x - radius * 0.6, y - radius * 0.8];
  const tip: Point = [x + radius * 0.6, y - radius * 0.8];
  const control: Point = [x + size * 0.8, y - radius - size];
  const line = `M${text(start)}C${text([x - size * 0.8, y - radius - size])} ${text(control)} ${text(tip)}`;
  return { line, head: headed ? headPath(tip, control) : "" };
}

function headPath(tip: Point, from: Point): string {
  const length = Math.hypot(tip[0] - from[0], tip[1] - from[1]) || 1;
  const [dx, dy] = [(tip[0] - from[0]) / length, (tip[1] - from[1]) / length];
  const corner = (side: number): Point => [
    tip[0] - dx * HEAD - dy * side * HEAD * 0.45,
    tip[1] - dy * HEAD + dx * side * HEAD * 0.45,
  ];
  return `M${text(tip)}L${text(corner(1))}L${text(corner(-1))}Z`;
}

/** Returns the point at a distance from `from` on the way to another. */
function towards(from: Point, to: Point, distance: number): Point {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
  const share = Math.min(distance / length, 0.9);
  return [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share];
}

function text([x, y]: Point): string {
  return `${x.toFixed(1)} ${y.toFixed(1)}`;
}
