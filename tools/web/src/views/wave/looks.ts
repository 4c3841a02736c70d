import { lookOfValue, valueText } from "../../graph/look.js";
import type { GraphScene, VertexLook } from "../../graph/scene.js";
import type { Replay } from "../../model/retrograde.js";

/** Returns a vertex's value at a step for people: "not decided", or such as "won in 3 plies". */
export function knownText(replay: Replay, vertex: number): string {
  const value = replay.valueOf(vertex);
  return value === undefined ? "not decided" : valueText(value);
}

/** Returns the picture of a step of a wave. */
export function sceneOf(replay: Replay): GraphScene {
  const { wave, counters, step, current } = replay;
  const queued = new Set(replay.queue);
  const vertices = wave.graph.labels.map((_, vertex): VertexLook => {
    const value = replay.valueOf(vertex);
    const look: VertexLook = value === undefined ? { shape: "circle", words: "not decided" } : lookOfValue(value);
    const told = step?.kind === "tell" && step.predecessor === vertex;
    const isNew = (step?.kind === "seed" || step?.kind === "settle") && step.vertex === vertex;
    const emphasis = told || isNew ? "told" : vertex === current ? "work" : queued.has(vertex) ? "queued" : undefined;
    const badge = String(counters[vertex]);
    return { ...look, badge, emphasis, words: `${look.words}, ${badge} open moves` };
  });
  const edges = new Map(step?.kind === "tell" ? [[step.edge, "followed" as const]] : []);
  return { graph: wave.graph, vertices, edges };
}
