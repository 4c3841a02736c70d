import { DRAW, SCALES } from "../../base/palette.js";
import type { GraphScene, VertexLook } from "../../graph/scene.js";
import { DRAWN, LOST, type Replay, WON } from "../../model/retrograde.js";
import { resultText } from "./words.js";

/** Returns the looks of a vertex with a value: a colour, a shape and a letter with the distance. */
export function lookOf(result: number, distance: number): VertexLook {
  const words = resultText(result, distance);
  if (result === WON) return { fill: SCALES.police[2]!, shape: "circle", caption: `W ${distance}`, words };
  if (result === LOST) return { fill: SCALES.thief[2]!, shape: "square", caption: `L ${distance}`, words };
  if (result === DRAWN) return { fill: DRAW, shape: "diamond", hatched: true, caption: "D", words };
  return { shape: "circle", words };
}

/** Returns the picture of a step of a wave. */
export function sceneOf(replay: Replay): GraphScene {
  const { wave, results, distances, counters, step, current } = replay;
  const queued = new Set(replay.queue);
  const vertices = wave.graph.labels.map((_, vertex): VertexLook => {
    const look = lookOf(results[vertex]!, distances[vertex]!);
    const told = step?.kind === "tell" && step.predecessor === vertex;
    const isNew = (step?.kind === "seed" || step?.kind === "settle") && step.vertex === vertex;
    const emphasis = told || isNew ? "told" : vertex === current ? "work" : queued.has(vertex) ? "queued" : undefined;
    const badge = String(counters[vertex]);
    return { ...look, badge, emphasis, words: `${look.words}, ${badge} open moves` };
  });
  const edges = new Map(step?.kind === "tell" ? [[step.edge, "followed" as const]] : []);
  return { graph: wave.graph, vertices, edges };
}
