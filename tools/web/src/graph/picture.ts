import { html, replace, svg } from "../base/dom.js";
import { layOut } from "./layout.js";
import { courses } from "./lines.js";
import { EdgePart, RADIUS, VertexPart, definitions, zoomButtons } from "./parts.js";
import type { GraphEvents, GraphPicture, GraphScene, Point } from "./scene.js";

const KEYS =
  "Arrow keys go from vertex to vertex, with Shift they move the vertex; Enter chooses it; plus and minus zoom, 0 shows the whole graph.";
const MARGIN = RADIUS + 34;
/** The least size of the part that is seen, in units of the picture. */
const LEAST_VIEW = 120;
/** The greatest scale at which a whole graph is shown, in CSS pixels per unit. */
const MOST_SCALE = 1.7;
/** The way that a pointer goes before a press is a drag, in CSS pixels. */
const SLACK = 5;
const NUDGE = 12;
const ARROWS: Readonly<Record<string, Point>> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

/** Creates a picture of a graph. `label` names it for users of screen readers. */
export function createGraphPicture(label: string, events: GraphEvents): GraphPicture {
  return new Picture(label, events);
}

/** A press of a pointer that has not ended. */
interface Press {
  readonly id: number;
  readonly vertex: number | undefined;
  readonly edge: number | undefined;
  readonly links: boolean;
  readonly start: Point;
  last: Point;
  isDrag: boolean;
}

let pictures = 0;

class Picture implements GraphPicture {
  readonly element: HTMLElement;
  readonly #svg: SVGSVGElement;
  readonly #edgeLayer = svg("g", { class: "edges" });
  readonly #vertexLayer = svg("g", { class: "vertices" });
  readonly #rubber = svg("line", { class: "rubber", visibility: "hidden" });
  readonly #hatching = `hatching-${pictures++}`;
  readonly #events: GraphEvents;
  readonly #resizes = new ResizeObserver(() => {
    if (this.#isFitted) this.fit();
  });
  readonly #pointers = new Map<number, Point>();
  #scene: GraphScene = { graph: { labels: [], edges: [] } };
  #places: Point[] = [];
  #vertices: VertexPart[] = [];
  #edges: EdgePart[] = [];
  #view = { x: 0, y: 0, width: 400, height: 300 };
  #isFitted = true;
  #focused = 0;
  #press: Press | undefined;

  constructor(label: string, events: GraphEvents) {
    this.#events = events;
    this.#svg = svg(
      "svg",
      { class: "graph-svg", role: "application", "aria-label": label, "aria-description": KEYS },
      definitions(this.#hatching),
      this.#edgeLayer,
      this.#vertexLayer,
      this.#rubber,
    );
    const on = <K extends keyof SVGElementEventMap>(name: K, listen: (event: SVGElementEventMap[K]) => void): void =>
      this.#svg.addEventListener(name, listen);
    on("pointerdown", (event) => this.#down(event));
    on("pointermove", (event) => this.#move(event));
    on("pointerup", (event) => this.#up(event, false));
    on("pointercancel", (event) => this.#up(event, true));
    on("pointerover", (event) => this.#events.hover?.(vertexOf(event.target)));
    on("pointerleave", () => this.#events.hover?.(undefined));
    on("keydown", (event) => this.#key(event));
    on("focusin", (event) => this.#focusIn(vertexOf(event.target)));
    this.#svg.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    const buttons = zoomButtons((factor) => this.#zoom(factor), () => this.fit());
    this.element = html("div", { class: "graph-picture" }, this.#svg, buttons);
    this.#resizes.observe(this.#svg);
  }

  get places(): readonly Point[] {
    return this.#places;
  }

  show(scene: GraphScene, places: readonly (Point | undefined)[] = this.#places): void {
    const before = this.#scene;
    this.#scene = scene;
    const isOther = before.graph !== scene.graph || before.joined !== scene.joined;
    const count = scene.graph.labels.length;
    if (isOther || places !== this.#places) {
      const known = Array.from({ length: count }, (_, vertex) => places[vertex]);
      this.#places = known.includes(undefined) ? layOut(scene.graph, known) : (known as Point[]);
    }
    if (isOther) this.#build();
    this.#scene.graph.labels.forEach((_, vertex) => this.#vertices[vertex]!.draw(scene.vertices?.[vertex] ?? {}));
    this.#edges.forEach((part, edge) => part.stress(scene.edges?.get(edge)));
    this.#put();
    if (isOther && this.#isFitted) this.fit();
  }

  arrange(): void {
    this.#places = layOut(this.#scene.graph);
    this.#put();
    this.fit();
    this.#events.moved?.(this.#places);
  }

  fit(): void {
    const { clientWidth, clientHeight } = this.#svg;
    const [xs, ys] = [this.#places.map(([x]) => x), this.#places.map(([, y]) => y)];
    const left = Math.min(...xs, Infinity);
    const top = Math.min(...ys, Infinity);
    const isEmpty = this.#places.length === 0;
    const [x, y] = isEmpty ? [0, 0] : [left - MARGIN, top - MARGIN];
    const width = isEmpty ? 400 : Math.max(...xs) - left + 2 * MARGIN;
    const height = isEmpty ? 300 : Math.max(...ys) - top + 2 * MARGIN;
    const wide = Math.max(width, (clientWidth || 400) / MOST_SCALE);
    const high = Math.max(height, (clientHeight || 300) / MOST_SCALE);
    this.#look({ x: x - (wide - width) / 2, y: y - (high - height) / 2, width: wide, height: high });
    this.#isFitted = true;
  }

  focus(vertex: number): void {
    this.#vertices[vertex]?.element.focus();
  }

  close(): void {
    this.#resizes.disconnect();
  }

  #build(): void {
    const { graph, joined = false } = this.#scene;
    const held = this.#vertexLayer.contains(document.activeElement);
    this.#vertices = graph.labels.map((label, vertex) => new VertexPart(vertex, label, this.#hatching));
    this.#edges = courses(graph, joined).map((course, edge) => {
      const [from, to] = graph.edges[edge]!;
      return new EdgePart(edge, course, `${graph.labels[from]} → ${graph.labels[to]}`);
    });
    replace(this.#edgeLayer, ...this.#edges.map(({ element }) => element));
    replace(this.#vertexLayer, ...this.#vertices.map(({ element }) => element));
    this.#focused = Math.max(0, Math.min(this.#focused, graph.labels.length - 1));
    this.#vertices[this.#focused]?.element.setAttribute("tabindex", "0");
    if (held) this.focus(this.#focused);
  }

  /** Puts all parts at their places, or those of one vertex and its edges. */
  #put(only?: number): void {
    const places = this.#places;
    this.#vertices.forEach((part, vertex) => {
      if (only === undefined || only === vertex) part.put(places[vertex]!);
    });
    this.#edges.forEach((part, edge) => {
      const [from, to] = this.#scene.graph.edges[edge]!;
      if (only === undefined || only === from || only === to) part.put(places[from]!, places[to]!);
    });
  }

  #look(view: { x: number; y: number; width: number; height: number }): void {
    this.#view = view;
    this.#isFitted = false;
    this.#svg.setAttribute("viewBox", `${view.x} ${view.y} ${view.width} ${view.height}`);
  }

  #zoom(factor: number, at?: Point): void {
    const { x, y, width, height } = this.#view;
    const kept = Math.max(LEAST_VIEW / width, Math.min(1 / factor, 20_000 / width));
    const [cx, cy] = at ?? [x + width / 2, y + height / 2];
    this.#look({ x: cx - (cx - x) * kept, y: cy - (cy - y) * kept, width: width * kept, height: height * kept });
  }

  #wheel(event: WheelEvent): void {
    event.preventDefault();
    this.#zoom(Math.exp(-event.deltaY / 400), this.#pointOf(event));
  }

  /** Returns the place of the picture under a pointer. */
  #pointOf({ clientX, clientY }: MouseEvent): Point {
    const matrix = this.#svg.getScreenCTM();
    if (matrix === null) return [0, 0];
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
    return [x, y];
  }

  #down(event: PointerEvent): void {
    const at = this.#pointOf(event);
    this.#pointers.set(event.pointerId, [event.clientX, event.clientY]);
    if (event.button !== 0 || this.#press !== undefined) return;
    const vertex = vertexOf(event.target);
    const edge = event.target instanceof Element ? event.target.closest("[data-edge]") : null;
    this.#press = {
      id: event.pointerId,
      vertex,
      edge: edge instanceof SVGElement ? Number(edge.dataset["edge"]) : undefined,
      links: vertex !== undefined && this.#events.link !== undefined && this.#events.links?.() === true,
      start: [event.clientX, event.clientY],
      last: at,
      isDrag: false,
    };
    this.#svg.setPointerCapture(event.pointerId);
    if (vertex !== undefined) {
      event.preventDefault();
      this.focus(vertex);
    }
  }

  #move(event: PointerEvent): void {
    const press = this.#press;
    const before = this.#pointers.get(event.pointerId);
    if (before === undefined || press === undefined) return;
    if (this.#pointers.size > 1) this.#pinch(event, before);
    this.#pointers.set(event.pointerId, [event.clientX, event.clientY]);
    if (event.pointerId !== press.id || this.#pointers.size > 1) return;
    const way = Math.hypot(event.clientX - press.start[0], event.clientY - press.start[1]);
    if (!press.isDrag && way < SLACK) return;
    press.isDrag = true;
    const at = this.#pointOf(event);
    const [dx, dy] = [at[0] - press.last[0], at[1] - press.last[1]];
    if (press.vertex === undefined) {
      this.#look({ ...this.#view, x: this.#view.x - dx, y: this.#view.y - dy });
      return;
    }
    press.last = at;
    if (press.links) {
      const [x, y] = this.#places[press.vertex]!;
      for (const [name, value] of Object.entries({ x1: x, y1: y, x2: at[0], y2: at[1] })) {
        this.#rubber.setAttribute(name, String(value));
      }
      this.#rubber.setAttribute("visibility", "visible");
      return;
    }
    this.#shift(press.vertex, dx, dy);
  }

  /** Zooms by two fingers, one of which has moved. */
  #pinch(event: PointerEvent, before: Point): void {
    const [other] = [...this.#pointers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
    if (other === undefined || this.#press === undefined) return;
    this.#press.isDrag = true;
    const length = Math.hypot(before[0] - other[0], before[1] - other[1]) || 1;
    this.#zoom(Math.hypot(event.clientX - other[0], event.clientY - other[1]) / length, this.#pointOf(event));
  }

  #up(event: PointerEvent, cancelled: boolean): void {
    this.#pointers.delete(event.pointerId);
    const press = this.#press;
    if (press === undefined || press.id !== event.pointerId) return;
    this.#press = undefined;
    this.#rubber.setAttribute("visibility", "hidden");
    if (cancelled) return;
    const at = this.#pointOf(event);
    if (press.isDrag) {
      if (press.vertex === undefined) return;
      const target = this.#vertexAt(at);
      if (!press.links) this.#events.moved?.(this.#places);
      else if (target !== undefined) this.#events.link?.(press.vertex, target);
      return;
    }
    if (press.vertex !== undefined) this.#events.choose?.(press.vertex);
    else if (press.edge !== undefined && this.#events.chooseEdge) this.#events.chooseEdge(press.edge);
    else this.#events.chooseGround?.([Math.round(at[0]), Math.round(at[1])]);
  }

  #vertexAt([x, y]: Point): number | undefined {
    const near = this.#places.findIndex(([ownX, ownY]) => Math.hypot(ownX - x, ownY - y) <= RADIUS + 6);
    return near < 0 ? undefined : near;
  }

  #shift(vertex: number, dx: number, dy: number): void {
    const [x, y] = this.#places[vertex]!;
    this.#places = this.#places.map((place, other) => (other === vertex ? [x + dx, y + dy] : place));
    this.#put(vertex);
  }

  #focusIn(vertex: number | undefined): void {
    if (vertex === undefined) return;
    this.#vertices[this.#focused]?.element.setAttribute("tabindex", "-1");
    this.#focused = vertex;
    this.#vertices[vertex]?.element.setAttribute("tabindex", "0");
    this.#events.hover?.(vertex);
  }

  #key(event: KeyboardEvent): void {
    const vertex = vertexOf(event.target);
    if (vertex === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    if (this.#useKey(event, vertex)) {
      event.preventDefault();
      event.stopPropagation();
    }
  }

  #useKey(event: KeyboardEvent, vertex: number): boolean {
    const arrow = ARROWS[event.key];
    if (arrow !== undefined && event.shiftKey) {
      this.#shift(vertex, NUDGE * arrow[0], NUDGE * arrow[1]);
      this.#events.moved?.(this.#places);
      return true;
    }
    if (arrow !== undefined) {
      const next = this.#next(vertex, arrow);
      if (next !== undefined) this.focus(next);
      return true;
    }
    if (event.key === "Enter" || event.key === " ") this.#events.choose?.(vertex);
    else if (event.key === "+") this.#zoom(1.4);
    else if (event.key === "-") this.#zoom(1 / 1.4);
    else if (event.key === "0") this.fit();
    else return this.#events.key?.(event, vertex) ?? false;
    return true;
  }

  /** Returns the nearest vertex in a direction; `undefined` if there is none. */
  #next(vertex: number, [dx, dy]: Point): number | undefined {
    const [x, y] = this.#places[vertex]!;
    let best: number | undefined;
    let least = Infinity;
    this.#places.forEach(([ownX, ownY], other) => {
      const along = (ownX - x) * dx + (ownY - y) * dy;
      const across = Math.abs((ownX - x) * dy) + Math.abs((ownY - y) * dx);
      if (other === vertex || along <= 0) return;
      const cost = along + 2 * across;
      if (cost >= least) return;
      least = cost;
      best = other;
    });
    return best;
  }
}

function vertexOf(target: EventTarget | null): number | undefined {
  const found = target instanceof Element ? target.closest("[data-vertex]") : null;
  return found instanceof SVGElement ? Number(found.dataset["vertex"]) : undefined;
}
