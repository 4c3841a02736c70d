import { html, replace } from "../../base/dom.js";
import { bytes, capital, count, messageOf, plies } from "../../base/text.js";
import { rulesInWords } from "./rules.js";
import { download } from "../../base/download.js";
import type { Session } from "./session.js";

/** The facts in the header of a table, and the button that saves it. */
export class FactsPanel {
  readonly element: HTMLElement;
  readonly #session: Session;
  readonly #fetched = html("dd", {});
  readonly #trouble = html("p", { role: "alert", hidden: true });
  readonly #save = html("button", { type: "button", click: () => void this.#saveTable() }, "Save table");

  constructor(session: Session) {
    this.#session = session;
    const { board, rules, worlds, longest, digest, byteLength, counts } = session.table;
    const { edges } = session.setting;
    const positions = (["police", "draw", "thief"] as const).reduce(
      (sum, kind) => sum + 2 * counts.police[kind],
      0,
    );
    const size = edges === null ? `${board.height} × ${board.width} squares, ` : "a graph, ";
    const cells = `${count(board.openCells)} ${edges === null ? "open cells" : "vertices"}`;
    const facts: [string, string][] = [
      ["Board", `${size}${cells}`],
      ["Officers", count(rules.officers)],
      ...(worlds === 1 ? [] : [["Worlds", count(worlds)] as [string, string]]),
      ["Positions", count(positions)],
      ["Longest win of the police", plies(longest.police)],
      ["Longest win of the thief", plies(longest.thief)],
      ["File", bytes(byteLength)],
      ["Digest", digest.toString(16).padStart(16, "0")],
    ];
    this.element = html(
      "details",
      { class: "panel facts-panel", toggle: () => this.#count() },
      html("summary", {}, html("h2", {}, "Rules and facts")),
      html(
        "ul",
        { class: "rules" },
        ...rulesInWords(session.table, session.setting).map((sentence) => html("li", {}, sentence)),
      ),
      html(
        "dl",
        {},
        ...facts.flatMap(([name, text]) => [html("dt", {}, name), html("dd", {}, text)]),
        html("dt", {}, "Fetched"),
        this.#fetched,
      ),
      html("div", { class: "row" }, this.#save),
      this.#trouble,
    );
    session.store.listen(() => this.#count());
    this.#count();
  }

  #count(): void {
    const { fetched, byteLength } = this.#session.table;
    replace(this.#fetched, fetched >= byteLength ? "all of it" : bytes(fetched));
  }

  async #saveTable(): Promise<void> {
    const { table, name, closed } = this.#session;
    this.#save.disabled = true;
    this.#trouble.hidden = true;
    try {
      download(`${name}.dtb`, await table.load((t) => t.bytes, { signal: closed }));
    } catch (error) {
      this.#trouble.hidden = closed.aborted;
      replace(this.#trouble, capital(messageOf(error)));
    }
    this.#save.disabled = false;
    this.#count();
  }
}
