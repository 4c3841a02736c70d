import { html, replace } from "../../base/dom.js";
import { capital, count, messageOf, plies } from "../../base/text.js";
import { Engine } from "../../engine/client.js";
import type { CopsFacts } from "../../engine/protocol.js";
import { lookOfValue } from "../../graph/look.js";
import { createGraphPicture } from "../../graph/picture.js";
import type { Point, VertexLook } from "../../graph/scene.js";
import type { Digraph } from "../../model/digraph.js";
import { addEdge, addVertex, removeEdge, removeVertex, rename } from "../../model/graph-edit.js";
import { isDrawable, writeGraphText } from "../../model/graph-text.js";
import { linkTo } from "../../model/link.js";
import type { Stuck } from "../../model/retrograde.js";
import { type SharedGraph, shareGraph } from "../../model/share-graph.js";
import { copyAddress } from "../../base/clipboard.js";
import { download } from "../../base/download.js";
import type { Frame } from "../view.js";
import { type GraphSolution, searchCops, solveGraph } from "./answers.js";
import { CopsPanel } from "./cops-panel.js";
import { TextPanel } from "./text-panel.js";
import { VertexList } from "./vertex-list.js";

const TOOLS = ["Move", "Vertex", "Edge", "Delete"] as const;
type Tool = (typeof TOOLS)[number];

/** The page on which a graph is drawn, and its games are solved. */
export class GraphPage {
  readonly element: HTMLElement;
  readonly #frame: Frame;
  readonly #engine = new Engine({ worker: "worker.js", wasm: "engine.wasm" });
  readonly #picture;
  readonly #list = new VertexList((vertex) => this.#choose(vertex));
  readonly #verdict = html("p", { class: "graph-verdict", role: "status" });
  readonly #text = new TextPanel((graph) => this.#change(graph, this.#rule, []));
  readonly #cops = new CopsPanel((most) => this.#searchCops(most), () => this.#draw());
  readonly #name = html("input", { type: "text", "aria-label": "Name of the chosen vertex", change: () => this.#rename() });
  readonly #tools = new Map<Tool, HTMLButtonElement>();
  readonly #undo = html("button", { type: "button", click: () => this.#travel(this.#past, this.#future) }, "Undo");
  readonly #redo = html("button", { type: "button", click: () => this.#travel(this.#future, this.#past) }, "Redo");
  readonly #stuck: HTMLSelectElement;
  readonly #wave = html("a", { class: "button" }, "Show the wave");
  readonly #large = html("p", { class: "quiet", hidden: true });
  readonly #past: SharedGraph[] = [];
  readonly #future: SharedGraph[] = [];
  #graph: Digraph;
  #rule: Stuck;
  #tool: Tool = "Move";
  #chosen: number | undefined;
  #edgeFrom: number | undefined;
  #solution: GraphSolution | undefined;
  #running = new AbortController();
  #link = "";

  constructor({ graph, stuck, places }: SharedGraph, frame: Frame) {
    this.#frame = frame;
    this.#graph = graph;
    this.#rule = stuck;
    this.#picture = createGraphPicture("The graph", {
      choose: (vertex) => this.#use(vertex),
      chooseEdge: (edge) => this.#tool === "Delete" && this.#edit(removeEdge(this.#graph, edge)),
      chooseGround: (place) => this.#tool === "Vertex" && this.#edit(addVertex(this.#graph), place),
      moved: () => void this.#share(),
      links: () => this.#tool === "Edge",
      link: (from, to) => this.#edit(addEdge(this.#graph, from, to)),
      key: (event, vertex) => this.#key(event, vertex),
    });
    for (const tool of TOOLS) {
      this.#tools.set(tool, html("button", { type: "button", click: () => this.#take(tool) }, tool));
    }
    this.#stuck = html(
      "select",
      { change: () => this.#changeRule() },
      html("option", { value: "loses", selected: stuck === "loses" }, "loses (normal play)"),
      html("option", { value: "wins", selected: stuck === "wins" }, "wins (misère)"),
    );
    const button = (text: string, click: () => void): HTMLElement => html("button", { type: "button", click }, text);
    this.element = html(
      "div",
      { class: "graph-page" },
      html(
        "div",
        { class: "row", role: "toolbar", "aria-label": "Tools" },
        ...this.#tools.values(),
        this.#undo,
        this.#redo,
        button("Lay out anew", () => this.#picture.arrange()),
        button("New", () => this.#edit({ labels: [], edges: [] })),
        html("label", { class: "row" }, "Name", this.#name),
        html("label", { class: "row" }, "A player without a move", this.#stuck),
      ),
      this.#verdict,
      html(
        "div",
        { class: "graph-columns" },
        html(
          "div",
          {},
          this.#picture.element,
          this.#large,
          html("p", { class: "quiet" }, "Keys on a vertex: A adds a vertex with an edge to it, E begins and ends an edge, Delete removes, arrows go on, with Shift they move."),
        ),
        html(
          "div",
          { class: "graph-side" },
          html("div", { class: "row" }, this.#wave, button("Save text", () => this.#saveText()), button("Save table", () => this.#saveTable()), button("Copy link", () => void this.#copy())),
          this.#list.element,
          this.#text.element,
          this.#cops.element,
        ),
      ),
    );
    this.#take("Move");
    this.#showAll(places ?? []);
  }

  /** The data of the link to what is shown. */
  get link(): string {
    return this.#link;
  }

  close(): void {
    this.#running.abort();
    this.#engine.close();
    this.#picture.close();
  }

  #take(tool: Tool): void {
    this.#tool = tool;
    this.#edgeFrom = undefined;
    for (const [name, button] of this.#tools) button.setAttribute("aria-pressed", String(name === tool));
  }

  #use(vertex: number): void {
    if (this.#tool === "Delete") this.#edit(removeVertex(this.#graph, vertex), undefined, vertex);
    else if (this.#tool === "Edge") this.#connect(vertex);
    else this.#choose(vertex);
  }

  #choose(vertex: number): void {
    this.#chosen = vertex;
    this.#name.value = this.#graph.labels[vertex] ?? "";
    this.#draw();
  }

  #connect(vertex: number): void {
    if (this.#edgeFrom === undefined) {
      this.#edgeFrom = vertex;
      this.#choose(vertex);
      this.#frame.say(`An edge from ${this.#graph.labels[vertex]}: choose where it leads.`);
      return;
    }
    const from = this.#edgeFrom;
    this.#edgeFrom = undefined;
    this.#edit(addEdge(this.#graph, from, vertex));
  }

  #key({ key, ctrlKey, metaKey, shiftKey }: KeyboardEvent, vertex: number): boolean {
    if (ctrlKey || metaKey) {
      if (key.toLowerCase() === "z") this.#travel(...(shiftKey ? ([this.#future, this.#past] as const) : ([this.#past, this.#future] as const)));
      else if (key === "y") this.#travel(this.#future, this.#past);
      else return false;
      return true;
    }
    if (key === "a") {
      const more = addVertex(this.#graph);
      this.#edit(addEdge(more, vertex, more.labels.length - 1));
    } else if (key === "e") this.#connect(vertex);
    else if (key === "Delete" || key === "Backspace") this.#edit(removeVertex(this.#graph, vertex), undefined, vertex);
    else return false;
    return true;
  }

  /** Replaces the graph. `place` is that of its new vertex, `removed` the vertex that it lacks. */
  #edit(graph: Digraph, place?: Point, removed?: number): void {
    if (graph === this.#graph) return;
    const places: (Point | undefined)[] = this.#picture.places.filter((_, vertex) => vertex !== removed);
    if (place !== undefined) places.push([Math.round(place[0]), Math.round(place[1])]);
    this.#change(graph, this.#rule, places);
  }

  /** Replaces the game as one change that can be undone, after which nothing can be redone. */
  #change(graph: Digraph, rule: Stuck, places: readonly (Point | undefined)[] | undefined): void {
    this.#remember(this.#past);
    this.#future.length = 0;
    this.#set(graph, rule, places);
  }

  #set(graph: Digraph, rule: Stuck, places: readonly (Point | undefined)[] | undefined): void {
    this.#graph = graph;
    this.#rule = rule;
    this.#stuck.value = rule;
    this.#edgeFrom = undefined;
    // Another rule leaves the vertices as they are, and one of them chosen.
    if (places !== undefined) this.#chosen = undefined;
    this.#showAll(places);
  }

  #remember(into: SharedGraph[]): void {
    into.push({ graph: this.#graph, stuck: this.#rule, places: this.#picture.places });
  }

  #travel(from: SharedGraph[], to: SharedGraph[]): void {
    const state = from.pop();
    if (state === undefined) return;
    this.#remember(to);
    this.#set(state.graph, state.stuck, state.places ?? []);
  }

  #changeRule(): void {
    this.#change(this.#graph, this.#stuck.value === "wins" ? "wins" : "loses", undefined);
  }

  #rename(): void {
    if (this.#chosen === undefined) return;
    const chosen = this.#chosen;
    this.#text.attempt(() => {
      this.#edit(rename(this.#graph, chosen, this.#name.value.trim()));
      this.#choose(chosen);
    });
  }

  get #isDrawn(): boolean {
    return isDrawable(this.#graph);
  }

  /** Shows another graph and solves it. `places` are where its vertices are; without it they stay. */
  #showAll(places: readonly (Point | undefined)[] | undefined): void {
    const { labels, edges } = this.#graph;
    this.#running.abort();
    this.#running = new AbortController();
    this.#solution = undefined;
    this.#cops.reset();
    this.#undo.disabled = this.#past.length === 0;
    this.#redo.disabled = this.#future.length === 0;
    this.#picture.element.hidden = !this.#isDrawn;
    this.#large.hidden = this.#isDrawn;
    replace(this.#large, `${count(labels.length)} vertices and ${count(edges.length)} edges are too many for a picture; the list has them all.`);
    if (this.#isDrawn && places !== undefined) this.#picture.show({ graph: this.#graph }, places);
    this.#text.show(this.#graph);
    this.#draw();
    void this.#solve(this.#running.signal);
    void this.#share();
  }

  async #solve(signal: AbortSignal): Promise<void> {
    if (this.#graph.labels.length === 0) {
      replace(this.#verdict, "Choose Vertex and click, or write an edge list, to begin a graph.");
      return;
    }
    replace(this.#verdict, "Solving…");
    try {
      const solution = await solveGraph(this.#engine, this.#graph, this.#rule, signal);
      if (signal.aborted) return;
      this.#solution = solution;
      const { won, lost, drawn, longest_win } = solution.facts;
      const longest = won > 0 ? `; the longest win takes ${plies(longest_win)}` : "";
      replace(this.#verdict, `${count(won)} won, ${count(lost)} lost, ${count(drawn)} drawn for the player to move${longest}.`);
      this.#draw();
    } catch (error) {
      if (!signal.aborted) replace(this.#verdict, capital(messageOf(error)));
    }
  }

  async #searchCops(most: number): Promise<CopsFacts | undefined> {
    const { signal } = this.#running;
    try {
      const facts = await searchCops(this.#engine, this.#graph, most, signal);
      return signal.aborted ? undefined : facts;
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  }

  #draw(): void {
    this.#list.show(this.#graph, this.#solution);
    if (!this.#isDrawn) return;
    const { labels } = this.#graph;
    let officer = 0;
    const values = this.#solution?.values;
    const vertices = labels.map((label, vertex): VertexLook => ({
      ...(values === undefined ? { words: "not solved" } : lookOfValue(values[vertex]!)),
      emphasis: vertex === this.#chosen ? "chosen" : undefined,
      ...(this.#cops.placement.has(label) ? { pieces: [{ side: "police", officer: officer++ }] } : {}),
    }));
    const best = this.#chosen === undefined ? undefined : this.#solution?.best[this.#chosen];
    this.#picture.show({ graph: this.#graph, vertices, edges: new Map(best === undefined ? [] : [[best, "best"]]) });
  }

  async #share(): Promise<void> {
    const { signal } = this.#running;
    try {
      const places = this.#isDrawn && this.#picture.places.length === this.#graph.labels.length ? this.#picture.places : undefined;
      const data = await shareGraph({ graph: this.#graph, stuck: this.#rule, places });
      if (signal.aborted) return;
      this.#link = data;
      this.#frame.setLink(linkTo(["graph"], { data }), false);
      this.#wave.setAttribute("href", linkTo(["wave", "graph"], { data }));
      this.#wave.hidden = !this.#isDrawn || this.#graph.labels.length === 0;
    } catch {
      // The graph is too large for a link; it can be saved as text.
      this.#wave.hidden = true;
    }
  }

  async #copy(): Promise<void> {
    await this.#share();
    this.#frame.say(`${await copyAddress()}.`);
  }

  #saveText(): void {
    download("graph.txt", writeGraphText(this.#graph), "text/plain");
  }

  #saveTable(): void {
    if (this.#solution !== undefined) download("graph.dtb", this.#solution.bytes);
  }
}
