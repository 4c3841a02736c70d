import type { Table } from "dragnet-probe";
import { html } from "../../base/dom.js";
import { count } from "../../base/text.js";
import { type Place, linkTo } from "../../model/link.js";
import type { Frame } from "../view.js";
import { BoardPanel } from "./board-panel.js";
import { FactsPanel } from "./facts-panel.js";
import type { Opened } from "./files.js";
import { GraphPanel, MOST_VERTICES } from "./graph-panel.js";
import { HistoryPanel } from "./history-panel.js";
import { LinePanel } from "./line-panel.js";
import { MatchPanel } from "./match-panel.js";
import { MovesPanel } from "./moves-panel.js";
import { Session } from "./session.js";
import { StatisticsPanel } from "./statistics-panel.js";
import { ValuePanel } from "./value-panel.js";

/** The page of a pursuit table. */
export class TablePage {
  readonly element: HTMLElement;
  readonly #session: Session;
  readonly #closers: readonly { close(): void }[];

  constructor(opened: Opened, table: Table, frame: Frame, place: Place) {
    const session = (this.#session = new Session(opened, table, frame, place));
    const { name, setting } = opened;
    const isGraph = setting.edges !== null && table.board.width <= MOST_VERTICES;
    const board = isGraph ? new GraphPanel(session, frame) : new BoardPanel(session, frame);
    const line = new LinePanel(session, frame);
    const history = new HistoryPanel(session);
    const match = new MatchPanel(session, frame);
    this.#closers = [board, line, history, match, session];
    const { height, width } = table.board;
    const size = setting.edges === null ? `${height} × ${width}` : `${count(width)} vertices`;
    this.element = html(
      "div",
      { class: "table-page", keydown: (event: KeyboardEvent) => this.#key(event) },
      html(
        "div",
        { class: "table-head row" },
        html("a", { href: linkTo(["table"], {}) }, "All tables"),
        html("h1", {}, name),
        html("span", { class: "quiet" }, size),
        html("a", { href: linkTo(["wave", "table", name], {}), class: "wave-link" }, "Watch it being solved"),
      ),
      html(
        "div",
        { class: "table-grid" },
        board.element,
        html(
          "div",
          { class: "side" },
          new ValuePanel(session, frame).element,
          new MovesPanel(session).element,
          line.element,
        ),
        html(
          "div",
          { class: "more" },
          history.element,
          match.element,
          new StatisticsPanel(session).element,
          new FactsPanel(session).element,
        ),
      ),
    );
    session.start();
  }

  /** Shows the position of a link. */
  follow(place: Place): void {
    this.#session.follow(place);
  }

  close(): void {
    for (const part of this.#closers) part.close();
  }

  #key(event: KeyboardEvent): void {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const key = event.key.toLowerCase();
    const by = key === "y" || (key === "z" && event.shiftKey) ? 1 : key === "z" ? -1 : 0;
    if (by === 0) return;
    event.preventDefault();
    this.#session.jump(this.#session.store.state.at + by);
  }
}
