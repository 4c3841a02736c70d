import { html, replace } from "../../base/dom.js";
import { count } from "../../base/text.js";
import { resultLook } from "../../graph/looks.js";
import { createGraphPicture } from "../../graph/picture.js";
import type { Point, VertexLook } from "../../graph/scene.js";
import type { Digraph } from "../../model/digraph.js";
import { DRAWN, LOST, Replay, type Stuck, UNDECIDED, type VertexResult, WON, analyse } from "../../model/retrograde.js";
import { Player } from "./player.js";
import { sentenceOf } from "./sentences.js";

/** The services that a wave needs. */
export interface WaveHost {
  say(sentence: string): void;
  /** Called when another step is shown. */
  reached(step: number): void;
}

/** The wave on a graph: the graph, the queue, a sentence for each step, and the controls. */
export class GraphWave {
  readonly element: HTMLElement;
  readonly #host: WaveHost;
  readonly #picture = createGraphPicture("Graph", {});
  readonly #player = new Player({ unit: "Step", go: (step) => this.#go(step) });
  readonly #sentence = html("p", { class: "wave-sentence" });
  readonly #queue = html("ol", { class: "wave-queue", "aria-label": "Queue" });
  readonly #tally = html("p", { class: "quiet wave-tally" });
  #replay: Replay | undefined;

  constructor(host: WaveHost) {
    this.#host = host;
    this.element = html(
      "div",
      { class: "wave" },
      html("div", { class: "wave-picture" }, this.#picture.element),
      html(
        "div",
        { class: "wave-side" },
        this.#player.element,
        html("div", { class: "panel" }, this.#sentence, html("h2", {}, "Queue"), this.#queue, this.#tally),
        legend(),
      ),
    );
    this.element.addEventListener("keydown", (event) => {
      const isOnVertex = event.target instanceof SVGElement && event.key.startsWith("Arrow");
      if (!event.defaultPrevented && !isOnVertex && this.#player.key(event)) event.preventDefault();
    });
  }

  /** Shows the wave of a graph at a step. */
  begin(graph: Digraph, stuck: Stuck, step: number, places?: readonly Point[]): void {
    this.#replay = new Replay(analyse(graph, stuck));
    this.#picture.show({ graph }, places ?? []);
    this.#player.begin(this.#replay.wave.steps.length, step);
  }

  close(): void {
    this.#player.pause();
    this.#picture.close();
  }

  #go(at: number): void {
    const replay = this.#replay;
    if (replay === undefined) return;
    replay.goTo(at);
    const { step, queue, current, wave } = replay;
    const { labels } = wave.graph;
    const waiting = new Set(queue);
    const told = step?.kind === "tell" ? step.predecessor : step?.kind === "seed" || step?.kind === "settle" ? step.vertex : undefined;
    const vertices = labels.map((_, vertex): VertexLook => {
      const look = resultLook(replay.results[vertex] as VertexResult, replay.distances[vertex]!);
      const counter = replay.counters[vertex]!;
      const emphasis = vertex === told ? "told" : vertex === current ? "work" : waiting.has(vertex) ? "queued" : undefined;
      const words = `${look.words}, counter ${counter}${emphasis === undefined ? "" : `, ${EMPHASES[emphasis]}`}`;
      return { ...look, badge: `${counter}`, emphasis, words };
    });
    const edges = step?.kind === "tell" ? new Map([[step.edge, "followed" as const]]) : new Map();
    this.#picture.show({ graph: wave.graph, vertices, edges });
    const sentence = sentenceOf(replay);
    replace(this.#sentence, sentence);
    replace(
      this.#queue,
      ...(queue.length === 0
        ? [html("li", { class: "quiet" }, "empty")]
        : queue.map((vertex) => html("li", {}, labels[vertex]!))),
    );
    replace(this.#tally, tally(replay));
    this.#host.say(sentence);
    this.#host.reached(at);
  }
}

const EMPHASES = { told: "just told", work: "at work", queued: "in the queue" } as const;

function tally({ results }: Replay): string {
  const of = (result: VertexResult): string => count(results.filter((other) => other === result).length);
  return `${of(WON)} won, ${of(LOST)} lost, ${of(DRAWN)} drawn, ${of(UNDECIDED)} undecided`;
}

function legend(): HTMLElement {
  return html(
    "p",
    { class: "quiet wave-legend" },
    "Blue circles (W) are won for the player to move, orange squares (L) lost, grey hatched diamonds (D) drawn; the number " +
      "beside the letter is the distance in plies, the one in the corner the counter of open moves. Keys: n and b step, space runs.",
  );
}
