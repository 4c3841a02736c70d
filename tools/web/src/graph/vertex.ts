import { replace, svg } from "../base/dom.js";
import { SCALES, isDark } from "../base/palette.js";
import type { Point, VertexLook } from "./scene.js";

/** The most characters of a name in a vertex; longer ones are cut. */
const MOST_CHARACTERS = 9;
const PLAIN: VertexLook = {};

/** Returns half the side of a vertex whose name is `label`. */
export function radiusOf(label: string): number {
  return Math.max(17, Math.min(label.length, MOST_CHARACTERS) * 4.1 + 6);
}

/** The elements of one vertex. */
export class VertexMark {
  readonly element: SVGGElement;
  readonly radius: number;
  readonly #label: string;
  readonly #hatch: string;
  #look: VertexLook | undefined;

  /** @param hatch the reference of the pattern for draws */
  constructor(vertex: number, label: string, hatch: string) {
    this.#label = label;
    this.#hatch = hatch;
    this.radius = radiusOf(label);
    this.element = svg("g", { class: "vertex", tabindex: -1, role: "button", "data-vertex": vertex });
  }

  /** Puts the vertex somewhere. */
  place([x, y]: Point): void {
    this.element.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
  }

  /** Shows the looks of the vertex. */
  show(look: VertexLook = PLAIN): void {
    if (this.#look !== undefined && isSame(this.#look, look)) return;
    this.#look = look;
    const { radius } = this;
    const { fill, hatched, caption, badge, emphasis, pieces = [], mark, words } = look;
    const short =
      this.#label.length > MOST_CHARACTERS ? `${this.#label.slice(0, MOST_CHARACTERS - 1)}…` : this.#label;
    const ink = fill === undefined ? "plain" : hatched !== true && isDark(fill) ? "on-dark" : "on-light";
    replace(
      this.element,
      svg("title", {}, this.#label),
      emphasis !== undefined && svg("circle", { class: "vertex-halo", r: radius + 7 }),
      outline(look, radius, { class: "vertex-body", fill }),
      hatched === true && outline(look, radius, { class: "vertex-hatch", fill: this.#hatch }),
      mark !== undefined && svg("circle", { class: `vertex-mark ${mark}`, r: radius + 4 }),
      svg("text", { class: `vertex-name ${ink}`, y: 4.5 }, short),
      caption !== undefined && svg("text", { class: "vertex-caption", y: radius + 17 }, caption),
      badge !== undefined && badgeAt(radius, badge),
      ...pieces.map(({ side, officer }, at) =>
        piece(side, officer, [(at - (pieces.length - 1) / 2) * 20, -radius - 4]),
      ),
    );
    this.element.setAttribute("class", `vertex${emphasis === undefined ? "" : ` ${emphasis}`}`);
    this.element.setAttribute("aria-label", words === undefined ? this.#label : `${this.#label}: ${words}`);
  }
}

type Attributes = Readonly<Record<string, string | number | undefined>>;

function outline({ shape = "circle" }: VertexLook, radius: number, attributes: Attributes): SVGElement {
  if (shape === "circle") return svg("circle", { r: radius, ...attributes });
  if (shape === "square") {
    const half = radius * 0.94;
    return svg("rect", { x: -half, y: -half, width: 2 * half, height: 2 * half, rx: 3, ...attributes });
  }
  const tip = radius * 1.25;
  return svg("path", { d: `M0 ${-tip}L${tip} 0L0 ${tip}L${-tip} 0Z`, ...attributes });
}

function badgeAt(radius: number, text: string): SVGElement {
  const width = Math.max(18, text.length * 8 + 9);
  return svg(
    "g",
    { class: "vertex-badge", transform: `translate(${radius * 0.85} ${-radius * 0.85})` },
    svg("rect", { x: -width / 2, y: -9, width, height: 18, rx: 9 }),
    svg("text", { y: 4.2 }, text),
  );
}

/** Returns the mark of a piece: a letter on the colour of its side, P in a circle and T in a square. */
function piece(side: "police" | "thief", officer: number | undefined, [x, y]: Point): SVGElement {
  const letter = side === "thief" ? "T" : officer === undefined ? "P" : `${officer + 1}`;
  const fill = SCALES[side][1]!;
  return svg(
    "g",
    { class: "vertex-piece", transform: `translate(${x} ${y})` },
    side === "police"
      ? svg("circle", { r: 10, fill })
      : svg("rect", { x: -9, y: -9, width: 18, height: 18, rx: 3, fill }),
    svg("text", { y: 4.2 }, letter),
  );
}

function isSame(one: VertexLook, other: VertexLook): boolean {
  const keys = ["fill", "hatched", "shape", "caption", "badge", "emphasis", "mark", "words"] as const;
  return keys.every((key) => one[key] === other[key]) && JSON.stringify(one.pieces) === JSON.stringify(other.pieces);
}
