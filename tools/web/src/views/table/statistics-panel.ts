import type { LongestWin, Side, Statistics, Table } from "dragnet-probe";
import { html, replace } from "../../base/dom.js";
import { fetchFile } from "../../base/fetch.js";
import { bytes, capital, count, messageOf, plies } from "../../base/text.js";
import { Histogram } from "./histogram.js";
import { placementText } from "./position.js";
import type { Session } from "./session.js";
import { type State, areValuesHidden, linkOf } from "./state.js";

/** The output of `dragnet stats --json`, and the positions that only the reader adds. */
type Known = Omit<Statistics, "longest_positions" | "histogram_by_turn"> & Partial<Statistics>;

/** How long statistics are computed before the page may do other things, in milliseconds. */
const SLICE = 12;
const OUTCOMES = ["police", "thief", "draw"] as const;
const SIDES = ["police", "thief"] as const;

/** Counts, histogram and longest wins of a table, fetched or computed when they are asked for. */
export class StatisticsPanel {
  readonly element: HTMLDetailsElement;
  readonly #session: Session;
  readonly #body = html("div", {});
  #histogram: Histogram | undefined;
  #isAsked = false;

  constructor(session: Session) {
    this.#session = session;
    this.element = html(
      "details",
      { class: "panel statistics-panel", toggle: () => this.#open() },
      html("summary", {}, html("h2", {}, "Statistics")),
      this.#body,
    );
    session.store.listen((state) => this.#light(state));
  }

  #open(): void {
    if (!this.element.open || this.#isAsked) return;
    this.#isAsked = true;
    const { item, table } = this.#session;
    if (item?.statistics !== undefined) this.#try(() => this.#fetch(item.statistics!));
    else if (table.isLocal) this.#try(() => this.#compute());
    else this.#offer(table);
  }

  #try(ask: () => Promise<Known>): void {
    replace(this.#body, html("p", { class: "quiet" }, "Counting…"));
    ask()
      .then((known) => this.#show(known))
      .catch((error: unknown) => {
        if (this.#session.closed.aborted) return;
        const again = html("button", { type: "button", click: () => this.#try(ask) }, "Try again");
        replace(this.#body, html("p", { role: "alert" }, capital(messageOf(error))), again);
      });
  }

  #offer(table: Table): void {
    const text = `Fetch all ${bytes(table.byteLength)} and count`;
    const fetchAll = async (): Promise<Known> => {
      await table.load((t) => t.bytes, { signal: this.#session.closed });
      return this.#compute();
    };
    replace(this.#body, html("button", { type: "button", click: () => this.#try(fetchAll) }, text));
  }

  async #fetch(url: string): Promise<Known> {
    return (await (await fetchFile(url, this.#session.closed)).json()) as Known;
  }

  async #compute(): Promise<Known> {
    const progress = html("progress", { max: 1, value: 0, "aria-label": "Positions counted" });
    replace(this.#body, progress);
    const steps = this.#session.table.statisticsInSteps();
    let until = performance.now() + SLICE;
    for (;;) {
      const { value, done } = steps.next();
      if (done === true) return value;
      if (performance.now() < until) continue;
      progress.value = value;
      await new Promise((resolve) => setTimeout(resolve));
      this.#session.closed.throwIfAborted();
      until = performance.now() + SLICE;
    }
  }

  #show(known: Known): void {
    this.#histogram = new Histogram(known.histogram);
    replace(
      this.#body,
      counts(known),
      html("h3", {}, "Positions by distance"),
      this.#histogram.element,
      ...SIDES.map((side) => this.#longest(side, known)),
    );
    this.#light(this.#session.store.state);
  }

  #light(state: State): void {
    this.#histogram?.light(areValuesHidden(state) ? undefined : state.answer?.value);
  }

  #longest(side: Side, known: Known): HTMLElement {
    const title = html("h3", {}, `Longest wins of the ${side}`);
    const example = known.longest_examples[side];
    const wins = known.longest_positions?.[side] ?? (example === null ? [] : [example]);
    if (wins.length === 0)
      return html("div", {}, title, html("p", { class: "quiet" }, "It wins no position."));
    return html("div", {}, title, html("ul", { class: "longest" }, ...wins.map((win) => this.#win(win))));
  }

  #win({ dtw, world = 0, police, thief, turn }: LongestWin): HTMLElement {
    const team = typeof police[0] === "number" ? [police as readonly [number, number]] : (police as never);
    const { heat } = this.#session.store.state;
    const placement = { world, police: team, thief, turn };
    const href = linkOf(this.#session.name, placement, heat);
    const text = `${plies(dtw)}: ${placementText(placement, this.#session)}`;
    return html("li", {}, html("a", { href }, text));
  }
}

function counts({ police_to_move, thief_to_move }: Known): HTMLElement {
  const row = (name: string, of: Known["police_to_move"]): HTMLElement => {
    const all = OUTCOMES.reduce((sum, outcome) => sum + of[outcome], 0);
    const cells = OUTCOMES.map((outcome) => {
      const share = all === 0 ? "" : ` (${((100 * of[outcome]) / all).toFixed(1)} %)`;
      return html("td", {}, count(of[outcome]), html("small", {}, share));
    });
    return html("tr", {}, html("th", { scope: "row" }, name), ...cells);
  };
  const heads = ["To move", "Police wins", "Thief wins", "Draws"];
  return html(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": "Counts of positions" },
    html(
      "table",
      { class: "counts" },
      html("thead", {}, html("tr", {}, ...heads.map((head) => html("th", { scope: "col" }, head)))),
      html("tbody", {}, row("Police", police_to_move), row("Thief", thief_to_move)),
    ),
  );
}
