import { type GameValue, open } from "dragnet-probe";
import { Engine } from "../../engine/client.js";
import type { CopsFacts, GraphGameFacts, GraphText } from "../../engine/protocol.js";
import type { Digraph } from "../../model/digraph.js";
import { isNumbered, writeGraphText } from "../../model/graph-text.js";
import type { Stuck } from "../../model/retrograde.js";

/** The solution of a game on a graph. */
export interface GraphSolution {
  readonly facts: GraphGameFacts;
  readonly bytes: Uint8Array;
  /** The value of each vertex for the player to move. */
  readonly values: readonly GameValue[];
  /** The edge of a best move of each vertex; `undefined` if it has no move. */
  readonly best: readonly (number | undefined)[];
}

/** Solves a game on a graph. */
export async function solveGraph(engine: Engine, graph: Digraph, stuck: Stuck, signal: AbortSignal): Promise<GraphSolution> {
  const { facts, table } = await engine.solveGraph({ graph: textOf(graph), stuck }, { signal });
  const game = open(table).game();
  const values = graph.labels.map((_, vertex) => game.value(vertex));
  return { facts, bytes: table, values, best: bestEdges(graph, values) };
}

/** Finds how many officers catch a thief on a graph whose edges can be used both ways. */
export function searchCops(engine: Engine, graph: Digraph, bound: number, signal: AbortSignal): Promise<CopsFacts> {
  return engine.cops({ ground: { graph: { ...textOf(graph), directed: false } }, bound }, { signal });
}

function textOf(graph: Digraph): GraphText {
  return { text: writeGraphText(graph), form: "edges", names: !isNumbered(graph) };
}

function bestEdges({ labels, edges }: Digraph, values: readonly GameValue[]): (number | undefined)[] {
  const best: (number | undefined)[] = labels.map(() => undefined);
  edges.forEach(([from, to], edge) => {
    const before = best[from];
    if (before === undefined || merit(values[to]!) > merit(values[edges[before]![1]]!)) best[from] = edge;
  });
  return best;
}

/** Returns how good a vertex is for the opponent of its player: quick losses are best, quick wins worst. */
function merit({ result, dtw }: GameValue): number {
  if (result === "drawn") return 0;
  return result === "lost" ? 1e9 - dtw! : dtw! - 1e9;
}
