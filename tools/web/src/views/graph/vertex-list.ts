import { html, replace } from "../../base/dom.js";
import { count } from "../../base/text.js";
import type { Digraph } from "../../model/digraph.js";
import type { GraphSolution } from "./answers.js";

/** The most rows that are shown at once. */
const MOST_ROWS = 200;

/** A table of the vertices with their values, which can be searched by name and by result. */
export class VertexList {
  readonly element: HTMLElement;
  readonly #search = html("input", { type: "search", placeholder: "Name or result", "aria-label": "Search vertices", input: () => this.#draw() });
  readonly #rows = html("tbody", {});
  readonly #note = html("p", { class: "quiet" });
  readonly #choose: (vertex: number) => void;
  #graph: Digraph = { labels: [], edges: [] };
  #solution: GraphSolution | undefined;

  constructor(choose: (vertex: number) => void) {
    this.#choose = choose;
    const heads = ["Vertex", "Value", "Plies", "Best move"].map((text) => html("th", { scope: "col" }, text));
    this.element = html(
      "div",
      { class: "vertex-list" },
      html("div", { class: "row" }, this.#search),
      html("div", { class: "vertex-rows", tabindex: 0, role: "region", "aria-label": "Vertices" }, html("table", {}, html("thead", {}, html("tr", {}, ...heads)), this.#rows)),
      this.#note,
    );
  }

  show(graph: Digraph, solution: GraphSolution | undefined): void {
    this.#graph = graph;
    this.#solution = solution;
    this.#draw();
  }

  #draw(): void {
    const { labels, edges } = this.#graph;
    const wanted = this.#search.value.trim().toLowerCase();
    const result = (vertex: number): string => this.#solution?.values[vertex]?.result ?? "";
    const found: number[] = [];
    let matches = 0;
    labels.forEach((label, vertex) => {
      if (!label.toLowerCase().includes(wanted) && result(vertex) !== wanted) return;
      if (matches++ < MOST_ROWS) found.push(vertex);
    });
    const rows = found.map((vertex) => {
      const edge = this.#solution?.best[vertex];
      const choose = html("button", { type: "button", class: "plain", click: () => this.#choose(vertex) }, labels[vertex]!);
      return html(
        "tr",
        {},
        html("th", { scope: "row" }, choose),
        html("td", {}, result(vertex)),
        html("td", {}, String(this.#solution?.values[vertex]?.dtw ?? "–")),
        html("td", {}, edge === undefined ? "–" : labels[edges[edge]![1]]!),
      );
    });
    replace(this.#rows, ...rows);
    replace(this.#note, `${count(found.length)} of ${count(matches)} found, ${count(labels.length)} vertices in all`);
  }
}
