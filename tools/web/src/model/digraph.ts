/** A directed edge, from one vertex to another. */
export type Arc = readonly [from: number, to: number];

/** A directed graph whose vertices are numbered from 0. It must not be changed in place. */
export interface Digraph {
  /** The name of each vertex. */
  readonly labels: readonly string[];
  /** The edges; loops and parallel edges are allowed. */
  readonly edges: readonly Arc[];
}

/** Returns the numbers of the edges that leave each vertex, in their order. */
export function edgesFrom({ labels, edges }: Digraph): number[][] {
  return grouped(labels.length, edges, ([from]) => from);
}

/** Returns the numbers of the edges that enter each vertex, in their order. */
export function edgesInto({ labels, edges }: Digraph): number[][] {
  return grouped(labels.length, edges, ([, to]) => to);
}

function grouped(vertices: number, edges: readonly Arc[], vertexOf: (arc: Arc) => number): number[][] {
  const groups: number[][] = Array.from({ length: vertices }, () => []);
  edges.forEach((arc, edge) => groups[vertexOf(arc)]!.push(edge));
  return groups;
}
