import { html, replace, svg } from "../base/dom.js";
import { SCALES, isDark } from "../base/palette.js";
import { type EdgeCourse, edgePaths } from "./lines.js";
import type { Point, VertexLook } from "./scene.js";

/** The radius of a vertex in units of the picture. */
export const RADIUS = 22;
/** The space around a vertex at which an edge ends. */
const AROUND = RADIUS + 3;
const SHAPES = {
  circle: `M${-RADIUS} 0a${RADIUS} ${RADIUS} 0 1 0 ${2 * RADIUS} 0a${RADIUS} ${RADIUS} 0 1 0 ${-2 * RADIUS} 0Z`,
  square: "M-19 -19H19V19H-19Z",
  diamond: "M0 -27 27 0 0 27 -27 0Z",
} as const;
const MOST_LABEL = 7;

/** Returns the definitions that vertices use: the hatching. */
export function definitions(id: string): SVGElement {
  const line = svg("path", { d: "M-2 10 10 -2M2 14 14 2M-2 2 2 -2", stroke: "#555", "stroke-width": 1.2 });
  const pattern = svg("pattern", { id, width: 12, height: 12, patternUnits: "userSpaceOnUse" }, line);
  return svg("defs", {}, pattern);
}

/** The elements of a vertex. */
export class VertexPart {
  readonly element: SVGGElement;
  readonly #label: string;
  readonly #hatching: string;
  #words = "";

  constructor(vertex: number, label: string, hatching: string) {
    this.#label = label;
    this.#hatching = hatching;
    this.element = svg("g", { class: "vertex", "data-vertex": vertex, tabindex: -1, role: "img" });
  }

  /** Draws the vertex with its looks. */
  draw(look: VertexLook): void {
    const { fill, hatched, shape = "circle", caption, badge, emphasis, mark, pieces = [], words } = look;
    const d = SHAPES[shape];
    const name = this.#label.length > MOST_LABEL ? `${this.#label.slice(0, MOST_LABEL - 1)}…` : this.#label;
    const dark = fill === undefined ? "" : isDark(fill) ? "on-dark" : "on-light";
    this.element.setAttribute("class", `vertex ${emphasis ?? ""} ${mark === undefined ? "" : `mark-${mark}`}`);
    this.#words = words === undefined ? this.#label : `${this.#label}: ${words}`;
    this.element.setAttribute("aria-label", this.#words);
    replace(
      this.element,
      svg("title", {}, this.#words),
      emphasis && svg("path", { class: "ring", d, transform: "scale(1.27)" }),
      svg("path", { class: "body", d, ...(fill === undefined ? {} : { fill }) }),
      hatched === true && svg("path", { class: "hatching", d, fill: `url(#${this.#hatching})` }),
      mark && svg("path", { class: "mark", d, transform: "scale(0.82)" }),
      svg("text", { "aria-hidden": "true", class: `name ${dark} ${name.length > 4 ? "long" : ""} ${hatched === true ? "halo" : ""}`, y: 5 }, name),
      caption !== undefined && svg("text", { "aria-hidden": "true", class: "caption-text", y: RADIUS + (shape === "diamond" ? 28 : 20) }, caption),
      badge !== undefined &&
        svg(
          "g",
          { class: "badge", transform: `translate(${RADIUS - 2} ${-RADIUS + 1})` },
          svg("rect", { x: -10, y: -10, width: 20, height: 18, rx: 4 }),
          svg("text", { "aria-hidden": "true", y: 4 }, badge),
        ),
      ...pieces.map(({ side, officer }, at) =>
        svg(
          "g",
          { class: `piece ${side}`, transform: `translate(${-RADIUS + 3 + 18 * at} ${-RADIUS + 1})` },
          svg("path", { d: side === "police" ? "M-9 -9H9V9H-9Z" : "M0 -11 10 8H-10Z", fill: SCALES[side][1]! }),
          svg("text", { "aria-hidden": "true", y: 5 }, side === "thief" ? "T" : officer === undefined ? "P" : `${officer + 1}`),
        ),
      ),
    );
  }

  /** Puts the vertex at a place. */
  put([x, y]: Point): void {
    this.element.setAttribute("transform", `translate(${x} ${y})`);
  }
}

/** The elements of an edge. */
export class EdgePart {
  readonly element: SVGGElement;
  readonly #line = svg("path", { class: "line" });
  readonly #hit = svg("path", { class: "hit" });
  readonly #head = svg("path", { class: "head" });
  readonly #course: EdgeCourse;

  constructor(edge: number, course: EdgeCourse, title: string) {
    this.#course = course;
    this.element = svg("g", { "data-edge": edge, class: "edge" }, svg("title", {}, title), this.#hit, this.#line, this.#head);
    if (course.hidden) this.element.setAttribute("visibility", "hidden");
  }

  /** Draws the edge between the places of its ends, which are one object if the edge is a loop. */
  put(from: Point, to: Point): void {
    const { line, head } = edgePaths(from, to, this.#course, [AROUND, AROUND]);
    this.#line.setAttribute("d", line);
    this.#hit.setAttribute("d", line);
    this.#head.setAttribute("d", head);
  }

  /** Makes the edge stand out. */
  stress(stress: string | undefined): void {
    this.element.setAttribute("class", `edge ${stress ?? ""}`);
  }
}

/** Returns the buttons that zoom. */
export function zoomButtons(zoom: (factor: number) => void, fit: () => void): HTMLElement {
  const button = (text: string, name: string, click: () => void): HTMLElement =>
    html("button", { type: "button", "aria-label": name, title: name, click }, text);
  return html(
    "div",
    { class: "board-zoom" },
    button("+", "Zoom in", () => zoom(1.4)),
    button("−", "Zoom out", () => zoom(1 / 1.4)),
    button("Fit", "Fit the whole graph", fit),
  );
}
