import type { GameTable } from "dragnet-probe";
import { html, replace } from "../../base/dom.js";
import { bytes, capital, count, messageOf, plies } from "../../base/text.js";
import { type Place, linkTo } from "../../model/link.js";
import type { Frame } from "../view.js";
import type { Opened } from "./files.js";
import { download } from "../../base/download.js";

/** The page of a table of a game on a graph: facts, and the value of any vertex. */
export class GamePage {
  readonly element: HTMLElement;
  readonly #table: GameTable;
  readonly #name: string;
  readonly #frame: Frame;
  readonly #vertex = html("input", { type: "number", id: "vertex", min: 0, change: () => this.#choose() });
  readonly #value = html("p", { class: "value", "aria-live": "polite" });

  constructor({ name, item }: Opened, table: GameTable, frame: Frame, place: Place) {
    this.#table = table;
    this.#name = name;
    this.#frame = frame;
    this.#vertex.max = String(table.positions - 1);
    const { counts, longest } = table;
    const facts: [string, string][] = [
      ["Positions", count(table.positions)],
      ["Won", `${count(counts.won)}, the longest in ${plies(longest.won)}`],
      ["Lost", `${count(counts.lost)}, the longest in ${plies(longest.lost)}`],
      ["Draws", count(counts.drawn)],
      ["File", bytes(table.byteLength)],
      ["Digest", table.digest.toString(16).padStart(16, "0")],
    ];
    const saveTable = (): void => {
      table
        .load((t) => t.bytes)
        .then((all) => download(`${name}.dtb`, all))
        .catch((error: unknown) => frame.fail(error));
    };
    this.element = html(
      "div",
      { class: "game-page" },
      html("h1", {}, name),
      html("p", {}, "A table of a game on a graph: for each position, whether the player to move wins."),
      item?.graph !== undefined &&
        html(
          "p",
          {},
          html("a", { class: "button", href: linkTo(["graph"], { item: name }) }, "Show the graph"),
        ),
      html(
        "section",
        { class: "panel", "aria-label": "Value" },
        html("div", { class: "row" }, html("label", { for: "vertex" }, "Position"), this.#vertex),
        this.#value,
      ),
      html(
        "section",
        { class: "panel", "aria-label": "Facts" },
        html("dl", {}, ...facts.flatMap(([title, text]) => [html("dt", {}, title), html("dd", {}, text)])),
        html("button", { type: "button", click: saveTable }, "Save table"),
      ),
    );
    this.follow(place);
  }

  /** Shows the vertex of a link. */
  follow({ parameters }: Place): void {
    this.#vertex.value = parameters.get("vertex") ?? "0";
    this.#show().catch((error: unknown) => this.#fail(error));
  }

  #choose(): void {
    this.#frame.setLink(linkTo(["table", this.#name], { vertex: this.#vertex.value }), true);
    this.#show().catch((error: unknown) => this.#fail(error));
  }

  async #show(): Promise<void> {
    const vertex = this.#vertex.value.trim();
    const number = /^\d+$/.test(vertex) ? Number(vertex) : NaN;
    const { result, dtw } = await this.#table.load((table) => table.value(number));
    if (vertex !== this.#vertex.value.trim()) return;
    const words =
      dtw === null ? "" : `The player to move ${result === "won" ? "wins" : "loses"} in ${plies(dtw)}`;
    replace(this.#value, dtw === null ? "A draw" : words);
  }

  #fail(error: unknown): void {
    replace(this.#value, capital(messageOf(error)));
  }
}
