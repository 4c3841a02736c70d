import { html, replace } from "../../base/dom.js";
import { createGraphPicture } from "../../graph/picture.js";
import type { GraphPicture, Point } from "../../graph/scene.js";
import type { Digraph } from "../../model/digraph.js";
import { type Place, linkTo } from "../../model/link.js";
import { Replay, type Stuck, analyse } from "../../model/retrograde.js";
import type { Frame } from "../view.js";
import { knownText, sceneOf } from "./looks.js";
import { Player, isWriting } from "./player.js";
import { wordsOf } from "./words.js";

/** The graph whose wave is shown. */
export interface GraphSubject {
  readonly title: string;
  readonly about: string;
  readonly graph: Digraph;
  readonly stuck: Stuck;
  readonly places?: readonly Point[] | undefined;
  /** The link to it without its step and rule. */
  readonly path: readonly string[];
  readonly parameters: Readonly<Record<string, string | undefined>>;
}

/** The wave of retrograde analysis on a graph, a vertex and an edge at a time. */
export class GraphWavePage {
  readonly element: HTMLElement;
  readonly #subject: GraphSubject;
  readonly #frame: Frame;
  readonly #picture: GraphPicture;
  readonly #player: Player;
  readonly #sentence = html("p", { class: "wave-sentence" });
  readonly #queue = html("ol", { class: "wave-queue" });
  readonly #hovered = html("p", { class: "quiet wave-hover" });
  readonly #stuck: HTMLSelectElement;
  #replay: Replay;

  constructor(subject: GraphSubject, frame: Frame, { parameters }: Place) {
    this.#subject = subject;
    this.#frame = frame;
    const rule = parameters.get("stuck");
    if (rule !== null && rule !== "wins" && rule !== "loses") {
      throw new Error(`link, stuck: expected loses or wins, found ${rule}`);
    }
    const stuck = rule ?? subject.stuck;
    this.#replay = new Replay(analyse(subject.graph, stuck));
    this.#picture = createGraphPicture(`The graph ${subject.title}`, {
      hover: (vertex) => this.#hover(vertex),
      key: (event) => this.#player.key(event),
    });
    this.#player = new Player({ unit: "step", go: (step, running) => this.#go(step, running) });
    this.#stuck = html(
      "select",
      { change: () => this.#choose() },
      html("option", { value: "loses", selected: stuck === "loses" }, "loses (normal play)"),
      html("option", { value: "wins", selected: stuck === "wins" }, "wins (misère)"),
    );
    const arrange = html("button", { type: "button", click: () => this.#picture.arrange() }, "Lay out anew");
    this.element = html(
      "div",
      { class: "wave-page", keydown: (event: KeyboardEvent) => this.#key(event) },
      html("p", { class: "quiet" }, subject.about),
      this.#player.element,
      this.#sentence,
      html(
        "div",
        { class: "wave-columns" },
        this.#picture.element,
        html(
          "div",
          { class: "wave-side" },
          html("div", { class: "row" }, html("label", {}, "A player without a move ", this.#stuck), arrange),
          html("h2", {}, "Queue"),
          this.#queue,
          this.#hovered,
          legend(),
        ),
      ),
    );
    this.#player.show(readStep(parameters, "step"), this.#replay.wave.steps.length);
    this.#picture.show(sceneOf(this.#replay), subject.places ?? []);
    this.#draw();
  }

  /** Shows the step of a link. */
  follow({ parameters }: Place): void {
    this.#player.stop();
    this.#player.show(readStep(parameters, "step"), this.#replay.wave.steps.length);
    this.#draw();
  }

  close(): void {
    this.#player.stop();
    this.#picture.close();
  }

  #go(step: number, running: boolean): void {
    this.#draw();
    if (!running) {
      this.#link();
      this.#frame.say(this.#sentence.textContent ?? "");
    }
    void step;
  }

  #choose(): void {
    this.#player.stop();
    const stuck = this.#stuck.value === "wins" ? "wins" : "loses";
    this.#replay = new Replay(analyse(this.#subject.graph, stuck));
    this.#player.show(0, this.#replay.wave.steps.length);
    this.#link();
    this.#draw();
  }

  #link(): void {
    const { path, parameters } = this.#subject;
    const { stuck: chosen } = this.#replay.wave;
    const stuck = chosen === this.#subject.stuck ? undefined : chosen;
    const step = this.#player.at === 0 ? undefined : String(this.#player.at);
    this.#frame.setLink(linkTo(path, { ...parameters, stuck, step }), false);
  }

  #draw(): void {
    this.#replay.goTo(this.#player.at);
    this.#picture.show(sceneOf(this.#replay));
    replace(this.#sentence, wordsOf(this.#replay));
    const { labels } = this.#replay.wave.graph;
    const { queue } = this.#replay;
    const shown = queue.slice(0, 24).map((vertex) => html("li", {}, labels[vertex]!));
    const rest = queue.length - shown.length;
    replace(this.#queue, ...shown, rest > 0 && html("li", {}, `and ${rest} more`), queue.length === 0 && html("li", { class: "quiet" }, "empty"));
  }

  #hover(vertex: number | undefined): void {
    if (vertex === undefined) return;
    const { counters, wave } = this.#replay;
    const value = knownText(this.#replay, vertex);
    replace(this.#hovered, `${wave.graph.labels[vertex]}: ${value}, ${counters[vertex]} open moves`);
  }

  #key(event: KeyboardEvent): void {
    if (!isWriting(event.target) && this.#player.key(event)) event.preventDefault();
  }
}

/** Reads the number of a step or level in a link; 0 if there is none. */
export function readStep(parameters: URLSearchParams, name: string): number {
  const text = parameters.get(name);
  if (text === null) return 0;
  if (!/^\d{1,9}$/.test(text)) throw new Error(`link, ${name}: expected a number from 0, found ${text}`);
  return Number(text);
}

function legend(): HTMLElement {
  return html(
    "ul",
    { class: "wave-legend" },
    html("li", {}, "Round, W: won for the player to move; square, L: lost; hatched diamond, D: drawn"),
    html("li", {}, "The number behind the letter: plies to the end"),
    html("li", {}, "The number in the corner: moves that are still open"),
    html("li", {}, "Thick ring: at work; dashed ring: in the queue; thick line: the edge being followed"),
  );
}
