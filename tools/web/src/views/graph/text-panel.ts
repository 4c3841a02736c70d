import { html, replace } from "../../base/dom.js";
import { capital, messageOf } from "../../base/text.js";
import type { Digraph } from "../../model/digraph.js";
import { readGraphText, writeGraphText } from "../../model/graph-text.js";

/** The longest text that is shown in the field. */
const MOST_TEXT = 1 << 20;

/** The graph as an edge list, which can be written, pasted and opened from a file. */
export class TextPanel {
  readonly element: HTMLElement;
  readonly #text = html("textarea", { rows: 8, spellcheck: "false", "aria-label": "Edge list" });
  readonly #trouble = html("p", { class: "graph-trouble", role: "alert" });
  readonly #use: (graph: Digraph) => void;

  /** `use` is called with a graph that was read. */
  constructor(use: (graph: Digraph) => void) {
    this.#use = use;
    const file = html("input", { type: "file", "aria-label": "Open an edge list", change: () => void this.#open(file) });
    const button = html("button", { type: "button", click: () => this.#read(this.#text.value) }, "Use this text");
    this.element = html(
      "details",
      { open: true },
      html("summary", {}, "Edge list"),
      this.#text,
      html("div", { class: "row" }, button, file),
      this.#trouble,
    );
  }

  /** Shows the text of a graph, unless it is too long. */
  show(graph: Digraph): void {
    const text = writeGraphText(graph);
    this.#text.value = text.length <= MOST_TEXT ? text : "";
  }

  /** Does something that may fail for what the user has written, and shows why. */
  attempt(something: () => void): void {
    replace(this.#trouble);
    try {
      something();
    } catch (error) {
      replace(this.#trouble, capital(messageOf(error)));
    }
  }

  #read(text: string): void {
    this.attempt(() => this.#use(readGraphText(text)));
  }

  async #open(file: HTMLInputElement): Promise<void> {
    const [chosen] = file.files ?? [];
    if (chosen !== undefined) this.#read(await chosen.text());
  }
}
