import type { Digraph } from "../model/digraph.js";
import type { Point } from "./scene.js";

/** The length of an edge that pulls and pushes nothing. */
const EDGE = 110;
/** The distance from which vertices that no path joins do not push each other. */
const APART = 2 * EDGE;
/** The least distance of the middles of two vertices. */
const LEAST = 74;
/** The golden angle, by which vertices turn at the start, so that no two lie on a line with the middle. */
const TURN = Math.PI * (3 - Math.sqrt(5));

/**
 * Returns a place for each vertex, the same ones for the same input. Vertices with a known place stay there.
 * Others are laid out as bodies that push each other away and are pulled together by edges.
 */
export function layOut(graph: Digraph, known: readonly (Point | undefined)[] = []): Point[] {
  const vertices = graph.labels.length;
  const x = new Float64Array(vertices);
  const y = new Float64Array(vertices);
  const isFree = Array.from({ length: vertices }, (_, vertex) => known[vertex] === undefined);
  const [middleX, middleY] = middle(known);
  const { order, part } = startingOrder(graph);
  order.forEach((vertex, at) => {
    const radius = EDGE * 0.6 * Math.sqrt(at);
    x[vertex] = known[vertex]?.[0] ?? middleX + radius * Math.cos(at * TURN);
    y[vertex] = known[vertex]?.[1] ?? middleY + radius * Math.sin(at * TURN);
  });
  if (isFree.includes(true)) {
    relax(graph, { x, y, isFree, part, middleX, middleY });
    for (let round = 0; round < 60; round++) if (!separate(x, y, isFree)) break;
  }
  return Array.from(x, (x, vertex): Point => [Math.round(x), Math.round(y[vertex]!)]);
}

interface Bodies {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly isFree: readonly boolean[];
  /** The number of the part of the graph to which each vertex belongs. */
  readonly part: Int32Array;
  readonly middleX: number;
  readonly middleY: number;
}

/** Moves the free vertices until the forces have nearly settled. */
function relax({ edges }: Digraph, { x, y, isFree, part, middleX, middleY }: Bodies): void {
  const vertices = x.length;
  const pushX = new Float64Array(vertices);
  const pushY = new Float64Array(vertices);
  const rounds = vertices > 100 ? 220 : 400;
  for (let round = 0; round < rounds; round++) {
    const most = EDGE * (1 - round / rounds);
    for (let a = 0; a < vertices; a++) {
      // A weak pull to the middle, stronger from above and below, keeps the parts together in a wide picture.
      pushX[a]! += (middleX - x[a]!) * 0.04;
      pushY[a]! += (middleY - y[a]!) * 0.07;
      for (let b = 0; b < a; b++) {
        const dx = x[a]! - x[b]! || 0.1;
        const dy = y[a]! - y[b]!;
        const square = dx * dx + dy * dy + 1;
        if (part[a] !== part[b] && square > APART ** 2) continue;
        const force = Math.min(EDGE ** 2 / square, EDGE);
        pushX[a]! += dx * force;
        pushX[b]! -= dx * force;
        pushY[a]! += dy * force;
        pushY[b]! -= dy * force;
      }
    }
    for (const [from, to] of edges) {
      if (from === to) continue;
      const dx = x[to]! - x[from]!;
      const dy = y[to]! - y[from]!;
      const force = Math.sqrt(dx * dx + dy * dy) / EDGE;
      pushX[from]! += dx * force;
      pushX[to]! -= dx * force;
      pushY[from]! += dy * force;
      pushY[to]! -= dy * force;
    }
    for (let vertex = 0; vertex < vertices; vertex++) {
      const length = Math.hypot(pushX[vertex]!, pushY[vertex]!) || 1;
      const share = isFree[vertex] ? Math.min(length, most) / length : 0;
      x[vertex]! += pushX[vertex]! * share;
      y[vertex]! += pushY[vertex]! * share;
      pushX[vertex] = 0;
      pushY[vertex] = 0;
    }
  }
}

/** Moves free vertices apart that are too near. Returns whether there were any. */
function separate(x: Float64Array, y: Float64Array, isFree: readonly boolean[]): boolean {
  let isMoved = false;
  for (let a = 0; a < x.length; a++) {
    for (let b = 0; b < a; b++) {
      if (!isFree[a] && !isFree[b]) continue;
      const dx = x[a]! - x[b]! || 0.5;
      const dy = y[a]! - y[b]!;
      const distance = Math.hypot(dx, dy);
      if (distance >= LEAST - 0.5) continue;
      isMoved = true;
      const share = (LEAST - distance) / distance / (isFree[a] && isFree[b] ? 2 : 1);
      if (isFree[a]) {
        x[a]! += dx * share;
        y[a]! += dy * share;
      }
      if (isFree[b]) {
        x[b]! -= dx * share;
        y[b]! -= dy * share;
      }
    }
  }
  return isMoved;
}

/** Returns the vertices so that neighbours follow each other, and the part of the graph of each vertex. */
function startingOrder({ labels, edges }: Digraph): { order: number[]; part: Int32Array } {
  const neighbours: number[][] = labels.map(() => []);
  for (const [from, to] of edges) {
    neighbours[from]!.push(to);
    neighbours[to]!.push(from);
  }
  const order: number[] = [];
  const part = new Int32Array(labels.length).fill(-1);
  for (let first = 0; first < labels.length; first++) {
    if (part[first] !== -1) continue;
    part[first] = first;
    let at = order.push(first) - 1;
    for (; at < order.length; at++) {
      for (const neighbour of neighbours[order[at]!]!) {
        if (part[neighbour] !== -1) continue;
        part[neighbour] = first;
        order.push(neighbour);
      }
    }
  }
  return { order, part };
}

function middle(known: readonly (Point | undefined)[]): Point {
  const places = known.filter((place) => place !== undefined);
  if (places.length === 0) return [0, 0];
  const sum = places.reduce(([x, y], [ownX, ownY]): Point => [x + ownX, y + ownY], [0, 0]);
  return [sum[0] / places.length, sum[1] / places.length];
}
