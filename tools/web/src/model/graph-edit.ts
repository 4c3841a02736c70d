import type { Digraph } from "./digraph.js";
import { nameTrouble } from "./graph-text.js";

/** Returns the graph with one more vertex behind the others, whose name is the first free number. */
export function addVertex({ labels, edges }: Digraph): Digraph {
  const taken = new Set(labels);
  let number = labels.length;
  while (taken.has(`${number}`)) number++;
  return { labels: [...labels, `${number}`], edges };
}

/** Returns the graph with an edge more; the graph itself if it has this edge already. */
export function addEdge(graph: Digraph, from: number, to: number): Digraph {
  if (graph.edges.some(([first, second]) => first === from && second === to)) return graph;
  return { ...graph, edges: [...graph.edges, [from, to]] };
}

/** Returns the graph without an edge. */
export function removeEdge({ labels, edges }: Digraph, edge: number): Digraph {
  return { labels, edges: edges.filter((_, other) => other !== edge) };
}

/** Returns the graph without a vertex and its edges. Names that are the vertices' numbers stay so. */
export function removeVertex({ labels, edges }: Digraph, vertex: number): Digraph {
  const isNumbered = labels.every((label, number) => label === `${number}`);
  const moved = (other: number): number => (other > vertex ? other - 1 : other);
  const kept = labels.filter((_, other) => other !== vertex);
  return {
    labels: isNumbered ? kept.map((_, number) => `${number}`) : kept,
    edges: edges
      .filter(([from, to]) => from !== vertex && to !== vertex)
      .map(([from, to]) => [moved(from), moved(to)] as const),
  };
}

/** Returns the graph with another name for a vertex. Throws an error if the name is no word, or is taken. */
export function rename({ labels, edges }: Digraph, vertex: number, name: string): Digraph {
  const trouble = nameTrouble(name);
  if (trouble !== undefined) throw new Error(trouble);
  const taken = labels.indexOf(name);
  if (taken >= 0 && taken !== vertex) throw new Error(`a name: expected one that no other vertex has, found ${name}`);
  return { labels: labels.map((label, other) => (other === vertex ? name : label)), edges };
}
