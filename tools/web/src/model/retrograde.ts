import type { GameValue } from "dragnet-probe";
import { type Digraph, edgesFrom, edgesInto } from "./digraph.js";

/** The results in {@link Replay.results}, for the player to move. */
export const UNDECIDED = 0;
export const LOST = 1;
export const WON = 2;
export const DRAWN = 3;

/** The result of a vertex; `UNDECIDED` while it is not known. */
export type VertexResult = typeof UNDECIDED | typeof LOST | typeof WON | typeof DRAWN;

/** The result for a player without a move: `loses` in normal play, `wins` in misère play. */
export type Stuck = "loses" | "wins";

/** A step of retrograde analysis. */
export type WaveStep =
  /** A vertex without an edge is decided and enters the queue. */
  | { readonly kind: "seed"; readonly vertex: number; readonly result: typeof LOST | typeof WON }
  /** The first vertex of the queue is taken out, to be worked on. */
  | { readonly kind: "take"; readonly vertex: number }
  /** The vertex at work tells its result to a predecessor, along an edge backwards. */
  | {
      readonly kind: "tell";
      readonly vertex: number;
      readonly predecessor: number;
      readonly edge: number;
      /**
       * The effect on the predecessor: it is `won`, since it can move to a lost vertex; it is `lost`, since
       * its counter reaches 0; its counter is `counted` down; or none, since its result is `known` already.
       */
      readonly effect: "won" | "lost" | "counted" | "known";
      /** The predecessor's counter after the step. */
      readonly left: number;
    }
  /** A vertex that was never decided is drawn. */
  | { readonly kind: "settle"; readonly vertex: number };

/** The whole of a retrograde analysis. */
export interface Wave {
  readonly graph: Digraph;
  readonly stuck: Stuck;
  readonly steps: readonly WaveStep[];
}

/**
 * Analyses a game on a graph, and returns every step. Vertices without an edge are seeded; then the result of
 * each vertex of the queue goes backwards along the edges into it; what is never reached is drawn.
 */
export function analyse(graph: Digraph, stuck: Stuck): Wave {
  const { labels, edges } = graph;
  const into = edgesInto(graph);
  const counters = edgesFrom(graph).map((edges) => edges.length);
  const results = new Uint8Array(labels.length);
  const steps: WaveStep[] = [];
  const queue: number[] = [];
  const decide = (vertex: number, result: VertexResult): void => {
    results[vertex] = result;
    queue.push(vertex);
  };
  const seed = stuck === "loses" ? LOST : WON;
  counters.forEach((counter, vertex) => {
    if (counter > 0) return;
    decide(vertex, seed);
    steps.push({ kind: "seed", vertex, result: seed });
  });
  for (let head = 0; head < queue.length; head++) {
    const vertex = queue[head]!;
    steps.push({ kind: "take", vertex });
    for (const edge of into[vertex]!) {
      const predecessor = edges[edge]![0];
      const isOpen = results[predecessor] === UNDECIDED;
      let effect: "won" | "lost" | "counted" | "known" = "known";
      if (isOpen && results[vertex] === LOST) {
        decide(predecessor, WON);
        effect = "won";
      } else if (isOpen) {
        effect = --counters[predecessor]! === 0 ? "lost" : "counted";
        if (effect === "lost") decide(predecessor, LOST);
      }
      steps.push({ kind: "tell", vertex, predecessor, edge, effect, left: counters[predecessor]! });
    }
  }
  results.forEach((result, vertex) => {
    if (result === UNDECIDED) steps.push({ kind: "settle", vertex });
  });
  return { graph, stuck, steps };
}

/** The state of an analysis after any number of its steps. It goes forwards and backwards step by step. */
export class Replay {
  readonly wave: Wave;
  /** The result of each vertex so far. */
  readonly results: Uint8Array;
  /** The distance to the end in plies of each vertex that is won or lost. */
  readonly distances: Uint32Array;
  /** The open moves of each vertex: its edges, less those that lead to a vertex that the opponent wins. */
  readonly counters: Uint32Array;
  readonly #queue: number[] = [];
  #head = 0;
  #at = 0;

  constructor(wave: Wave) {
    this.wave = wave;
    this.results = new Uint8Array(wave.graph.labels.length);
    this.distances = new Uint32Array(wave.graph.labels.length);
    this.counters = Uint32Array.from(edgesFrom(wave.graph), (edges) => edges.length);
  }

  /** The number of steps that were made. */
  get at(): number {
    return this.#at;
  }

  /** The last step that was made; `undefined` at the beginning. */
  get step(): WaveStep | undefined {
    return this.wave.steps[this.#at - 1];
  }

  /** Returns the value of a vertex so far; `undefined` if it is not decided. */
  valueOf(vertex: number): GameValue | undefined {
    const dtw = this.distances[vertex]!;
    switch (this.results[vertex]) {
      case WON:
        return { result: "won", dtw };
      case LOST:
        return { result: "lost", dtw };
      case DRAWN:
        return { result: "drawn", dtw: null };
      default:
        return undefined;
    }
  }

  /** The vertices that are decided and wait to tell their results, the next one first. */
  get queue(): readonly number[] {
    return this.#queue.slice(this.#head);
  }

  /** The vertex at work; `undefined` before the first is taken and after the last has told its result. */
  get current(): number | undefined {
    const { step } = this;
    return step?.kind === "take" || step?.kind === "tell" ? step.vertex : undefined;
  }

  /** Goes to the state after a number of steps, which is brought within 0 and the number of all steps. */
  goTo(step: number): void {
    const { steps } = this.wave;
    const to = Math.min(Math.max(Math.trunc(step), 0), steps.length);
    while (this.#at < to) this.#make(steps[this.#at++]!);
    while (this.#at > to) this.#undo(steps[--this.#at]!);
  }

  #make(step: WaveStep): void {
    switch (step.kind) {
      case "seed":
        this.#decide(step.vertex, step.result, 0);
        return;
      case "take":
        this.#head++;
        return;
      case "tell":
        this.counters[step.predecessor] = step.left;
        if (step.effect === "won") this.#decide(step.predecessor, WON, this.distances[step.vertex]! + 1);
        if (step.effect === "lost") this.#decide(step.predecessor, LOST, this.distances[step.vertex]! + 1);
        return;
      case "settle":
        this.results[step.vertex] = DRAWN;
    }
  }

  #undo(step: WaveStep): void {
    switch (step.kind) {
      case "seed":
        this.#reopen(step.vertex);
        return;
      case "take":
        this.#head--;
        return;
      case "tell":
        if (step.effect === "won" || step.effect === "lost") this.#reopen(step.predecessor);
        if (step.effect === "lost" || step.effect === "counted") this.counters[step.predecessor]! += 1;
        return;
      case "settle":
        this.results[step.vertex] = UNDECIDED;
    }
  }

  #decide(vertex: number, result: VertexResult, distance: number): void {
    this.results[vertex] = result;
    this.distances[vertex] = distance;
    this.#queue.push(vertex);
  }

  #reopen(vertex: number): void {
    this.results[vertex] = UNDECIDED;
    this.distances[vertex] = 0;
    this.#queue.pop();
  }
}
