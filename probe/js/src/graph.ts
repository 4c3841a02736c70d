import type { Board } from "./board.js";
import type { Cursor } from "./cursor.js";
import { DragnetError } from "./errors.js";

/** A directed edge of a graph, from one vertex to another. */
export type Edge = readonly [from: number, to: number];

/** The adjacency lists of a board that is a graph: for each vertex its successors in ascending order. */
export type Graph = readonly Int32Array[];

/** Reads the edges of the board; returns `undefined` if the board consists of squares. */
export function readGraph(header: Cursor, board: Board): Graph | undefined {
  if (!header.bool("edges")) return undefined;
  const vertices = board.width;
  if (board.height !== 1 || board.openCells !== vertices) {
    throw new DragnetError("header", "header, edges: expected a board of one row without walls, found another");
  }
  const degrees = readList(header, "degrees", vertices);
  if (degrees.length !== vertices) {
    throw new DragnetError("header", `header, degrees: expected ${vertices}, found ${degrees.length}`);
  }
  const sum = degrees.reduce((sum, degree) => sum + degree, 0);
  const targets = readList(header, "targets", sum);
  if (targets.length !== sum) {
    throw new DragnetError("header", `header, targets: expected ${sum}, found ${targets.length}`);
  }
  let start = 0;
  return Array.from(degrees, (degree, from) => {
    const edges = targets.slice(start, (start += degree));
    edges.forEach((to, k) => {
      if (to >= vertices || to === from || (k > 0 && to <= edges[k - 1]!)) {
        throw new DragnetError("header", `header, targets of vertex ${from}: expected rising vertices, found ${to}`);
      }
    });
    return edges;
  });
}

/** Returns all edges of a graph, vertex by vertex. */
export function edgesOf(graph: Graph): Edge[] {
  return graph.flatMap((targets, from) => Array.from(targets, (to) => [from, to] as const));
}

function readList(header: Cursor, field: string, most: number): Int32Array {
  const count = header.boundedU64(field, Math.min(most, header.left));
  const list = new Int32Array(count);
  for (let k = 0; k < count; k++) list[k] = header.u16(field);
  return list;
}
