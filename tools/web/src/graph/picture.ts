import { html, replace, svg } from "../base/dom.js";
import type { Digraph } from "../model/digraph.js";
import { layOut } from "./layout.js";
import { type EdgeCourse, courses, edgePaths } from "./lines.js";
import { GraphPointer } from "./pointer.js";
import type { GraphEvents, GraphPicture, GraphScene, Point } from "./scene.js";
import { VertexMark } from "./vertex.js";
import { type ViewBox, around, nearestTowards, zoomed } from "./viewport.js";

const ZOOM = 1.4;
/** How far a key moves a vertex. */
const NUDGE = 16;
const DIRECTIONS: Readonly<Record<string, Point>> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};
const KEYS =
  "Arrow keys go from vertex to vertex; with Shift they move the vertex. Enter chooses. Plus and minus zoom, 0 shows the whole graph.";
let pictures = 0;

/** Creates a picture of a graph. `label` names it for users of screen readers. */
export function createGraphPicture(label: string, events: GraphEvents): GraphPicture {
  return new Picture(label, events);
}

interface EdgeMark {
  readonly group: SVGGElement;
  readonly line: SVGPathElement;
  readonly wide: SVGPathElement;
  readonly head: SVGPathElement;
}

class Picture implements GraphPicture {
  readonly element: HTMLElement;
  readonly #hatch = `graph-hatch-${++pictures}`;
  readonly #edgeLayer = svg("g", { "aria-hidden": "true" });
  readonly #rubber = svg("path", { class: "edge-rubber", "aria-hidden": "true" });
  readonly #vertexLayer = svg("g", { role: "group" });
  readonly #svg: SVGSVGElement;
  readonly #events: GraphEvents;
  readonly #pointer: GraphPointer;
  #scene: GraphScene = { graph: { labels: [], edges: [] } };
  #courses: readonly EdgeCourse[] = [];
  #places: Point[] = [];
  #box: ViewBox = around([]);
  #isFitted = true;
  #marks: VertexMark[] = [];
  #edges: EdgeMark[] = [];
  #focused = 0;

  constructor(label: string, events: GraphEvents) {
    this.#events = events;
    this.#vertexLayer.setAttribute("aria-label", `${label}, vertices`);
    this.#svg = svg(
      "svg",
      { role: "group", "aria-label": label, "aria-description": KEYS },
      svg("defs", {}, hatching(this.#hatch)),
      this.#edgeLayer,
      this.#rubber,
      this.#vertexLayer,
    );
    const button = (text: string, name: string, click: () => void): HTMLElement =>
      html("button", { type: "button", "aria-label": name, title: name, click }, text);
    this.element = html(
      "div",
      { class: "graph" },
      this.#svg,
      html(
        "div",
        { class: "graph-zoom" },
        button("+", "Zoom in", () => this.#zoom(ZOOM)),
        button("−", "Zoom out", () => this.#zoom(1 / ZOOM)),
        button("Fit", "Show the whole graph", () => this.fit()),
      ),
    );
    this.#pointer = new GraphPointer(this.#svg, {
      events,
      placeOf: (vertex) => this.#places[vertex]!,
      move: (vertex, place) => this.#move(vertex, place),
      moved: () => this.#moved(),
      pan: (dx, dy) => this.#look({ ...this.#box, x: this.#box.x - dx, y: this.#box.y - dy }, false),
      zoom: (factor, place) => this.#look(zoomed(this.#box, factor, place), false),
      rubber: (from, to) => this.#stretch(from, to),
      vertexAt: (place) => this.#vertexAt(place),
    });
    this.#svg.addEventListener("keydown", (event) => this.#key(event));
    this.#svg.addEventListener("focusin", ({ target }) => this.#enter(target));
    this.#svg.addEventListener("focusout", () => events.hover?.(undefined));
  }

  get places(): readonly Point[] {
    return this.#places;
  }

  show(scene: GraphScene, places?: readonly (Point | undefined)[]): void {
    const { graph, joined } = scene;
    const before = this.#scene;
    this.#scene = scene;
    if (graph !== before.graph || joined !== before.joined || places !== undefined) {
      const known = places ?? this.#places;
      const isSettled = graph.labels.every((_, vertex) => known[vertex] !== undefined);
      this.#places = isSettled ? (known.slice(0, graph.labels.length) as Point[]) : layOut(graph, known);
      this.#build(graph, joined === true);
      if (places !== undefined || before.graph.labels.length === 0) this.fit();
      else this.#keepInSight();
    }
    this.#marks.forEach((mark, vertex) => mark.show(scene.vertices?.[vertex]));
    this.#edges.forEach(({ group }, edge) => {
      const look = scene.edges?.get(edge);
      group.setAttribute("class", look === undefined ? "edge" : `edge ${look}`);
    });
  }

  arrange(): void {
    this.#places = layOut(this.#scene.graph);
    this.#marks.forEach((mark, vertex) => mark.place(this.#places[vertex]!));
    this.#edges.forEach((_, edge) => this.#draw(edge));
    this.fit();
    this.#moved();
  }

  fit(): void {
    this.#look(around(this.#places), true);
  }

  focus(vertex: number): void {
    this.#marks[vertex]?.element.focus({ preventScroll: true });
  }

  close(): void {
    this.#pointer.close();
  }

  #build({ labels, edges }: Digraph, joined: boolean): void {
    const hadFocus = this.#vertexLayer.contains(document.activeElement);
    this.#courses = courses(this.#scene.graph, joined);
    this.#marks = labels.map((label, vertex) => {
      const mark = new VertexMark(vertex, label, `url(#${this.#hatch})`);
      mark.place(this.#places[vertex]!);
      return mark;
    });
    this.#edges = edges.map((_, edge) => {
      const line = svg("path", { class: "edge-line" });
      const wide = svg("path", { class: "edge-wide" });
      const head = svg("path", { class: "edge-head" });
      return { group: svg("g", { class: "edge", "data-edge": edge }, wide, line, head), line, wide, head };
    });
    this.#edges.forEach((_, edge) => this.#draw(edge));
    replace(this.#edgeLayer, ...this.#edges.filter((_, edge) => !this.#courses[edge]!.hidden).map(({ group }) => group));
    replace(this.#vertexLayer, ...this.#marks.map(({ element }) => element));
    this.#focused = Math.min(this.#focused, Math.max(labels.length - 1, 0));
    this.#marks[this.#focused]?.element.setAttribute("tabindex", "0");
    if (hadFocus) this.focus(this.#focused);
  }

  #draw(edge: number): void {
    const [from, to] = this.#scene.graph.edges[edge]!;
    const rims = [this.#marks[from]!.radius + 1, this.#marks[to]!.radius + 2] as const;
    const { line, head } = edgePaths(this.#places[from]!, this.#places[to]!, this.#courses[edge]!, rims);
    const mark = this.#edges[edge]!;
    mark.line.setAttribute("d", line);
    mark.wide.setAttribute("d", line);
    mark.head.setAttribute("d", head);
  }

  #move(vertex: number, place: Point): void {
    this.#places[vertex] = place;
    this.#marks[vertex]!.place(place);
    this.#scene.graph.edges.forEach(([from, to], edge) => {
      if (from === vertex || to === vertex) this.#draw(edge);
    });
  }

  #moved(): void {
    this.#keepInSight();
    this.#events.moved?.([...this.#places]);
  }

  #keepInSight(): void {
    if (this.#isFitted) this.fit();
  }

  #look(box: ViewBox, isFitted: boolean): void {
    this.#box = box;
    this.#isFitted = isFitted;
    this.#svg.setAttribute("viewBox", [box.x, box.y, box.width, box.height].map((n) => n.toFixed(1)).join(" "));
  }

  #zoom(factor: number): void {
    const { x, y, width, height } = this.#box;
    this.#look(zoomed(this.#box, factor, [x + width / 2, y + height / 2]), false);
  }

  #stretch(from: number, to: Point | undefined): void {
    if (to === undefined) this.#rubber.removeAttribute("d");
    else this.#rubber.setAttribute("d", `M${this.#places[from]!.join(" ")}L${to.join(" ")}`);
  }

  #vertexAt([x, y]: Point): number | undefined {
    const vertex = this.#places.findIndex(
      (place, vertex) => Math.hypot(place[0] - x, place[1] - y) <= this.#marks[vertex]!.radius + 6,
    );
    return vertex < 0 ? undefined : vertex;
  }

  #enter(target: EventTarget | null): void {
    const vertex = this.#marks.findIndex(({ element }) => element === target);
    if (vertex < 0) return;
    this.#marks[this.#focused]?.element.setAttribute("tabindex", "-1");
    this.#focused = vertex;
    this.#marks[vertex]!.element.setAttribute("tabindex", "0");
    this.#events.hover?.(vertex);
  }

  #key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) {
      if (this.#events.key?.(event, this.#focused) === true) event.preventDefault();
      return;
    }
    const direction = DIRECTIONS[event.key];
    if (direction !== undefined) this.#steer(direction, event.shiftKey);
    else if (event.key === "Enter" || event.key === " ") this.#events.choose?.(this.#focused);
    else if (event.key === "+") this.#zoom(ZOOM);
    else if (event.key === "-") this.#zoom(1 / ZOOM);
    else if (event.key === "0") this.fit();
    else if (this.#events.key?.(event, this.#focused) !== true) return;
    event.preventDefault();
    event.stopPropagation();
  }

  #steer(direction: Point, moves: boolean): void {
    const place = this.#places[this.#focused];
    if (place === undefined) return;
    if (!moves) {
      const next = nearestTowards(this.#places, this.#focused, direction);
      if (next !== undefined) this.focus(next);
      return;
    }
    this.#move(this.#focused, [place[0] + direction[0] * NUDGE, place[1] + direction[1] * NUDGE]);
    this.#moved();
  }
}

/** Returns the pattern that marks draws. */
function hatching(id: string): SVGElement {
  return svg(
    "pattern",
    { id, width: 7, height: 7, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
    svg("rect", { class: "hatch-line", width: 1.6, height: 7 }),
  );
}
