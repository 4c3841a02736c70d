import type { Value } from "dragnet-probe";
import { html, replace, svg } from "../../base/dom.js";
import { DRAW, SCALES } from "../../base/palette.js";
import { capital, sentence } from "../../base/text.js";
import { placementText } from "./position.js";
import type { Session } from "./session.js";
import { type Entry, type State, areValuesHidden } from "./state.js";

const ROW = 26;
const WIDTH = 320;
const EDGE = 18;
/** The most positions of the history that are drawn, around the present one. */
const MOST = 120;
const COLOURS = { police: SCALES.police[2]!, thief: SCALES.thief[2]!, draw: DRAW };

/** The positions visited, with the value of each over time. */
export class HistoryPanel {
  readonly element: HTMLElement;
  readonly #session: Session;
  readonly #undo: HTMLButtonElement;
  readonly #redo: HTMLButtonElement;
  readonly #chart = html("div", {
    class: "history-chart",
    tabindex: 0,
    role: "group",
    "aria-label": "Value over time",
  });
  #frame = 0;

  constructor(session: Session) {
    this.#session = session;
    const move = (by: number) => (): void => session.jump(session.store.state.at + by);
    this.#undo = html("button", { type: "button", title: "Ctrl+Z", click: move(-1) }, "Undo");
    this.#redo = html("button", { type: "button", title: "Ctrl+Y", click: move(1) }, "Redo");
    const clear = html("button", { type: "button", click: () => session.forget() }, "Clear");
    this.element = html(
      "section",
      { class: "panel history-panel", "aria-label": "History" },
      html("h2", {}, "History"),
      html("div", { class: "row" }, this.#undo, this.#redo, clear),
      html(
        "p",
        { class: "quiet scale", "aria-hidden": "true" },
        html("span", {}, "← police wins soon"),
        html("span", {}, "draw"),
        html("span", {}, "thief wins soon →"),
      ),
      this.#chart,
    );
    session.store.listen((state, before) => {
      if (state.history !== before.history || state.at !== before.at || state.match !== before.match)
        this.#later();
    });
    this.#later();
  }

  close(): void {
    cancelAnimationFrame(this.#frame);
  }

  #later(): void {
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw(this.#session.store.state);
    });
  }

  #draw(state: State): void {
    const { history, at } = state;
    this.#undo.disabled = at === 0;
    this.#redo.disabled = at >= history.length - 1;
    const first = Math.max(0, Math.min(at - MOST / 2, history.length - MOST));
    const shown = history.slice(first, first + MOST);
    const scale = scaleOf(shown);
    const height = (shown.length + 0.5) * ROW;
    const isBlind = areValuesHidden(state);
    const chart = svg("svg", {
      viewBox: `0 0 ${WIDTH} ${height}`,
      width: WIDTH,
      height,
      role: "presentation",
    });
    for (const x of [EDGE, WIDTH / 2, WIDTH - EDGE]) {
      chart.append(svg("line", { class: "rule", x1: x, x2: x, y1: 0, y2: height }));
    }
    const rows = shown.map((entry, k) => ({ entry, k: first + k, y: (k + 0.5) * ROW }));
    if (!isBlind) {
      for (const { entry, k, y } of rows)
        chart.append(...this.#alternatives(entry, k, y, history[k + 1], scale));
      chart.append(...links(rows, scale));
    }
    for (const { entry, k, y } of rows) chart.append(this.#node(entry, k, y, k === at, isBlind, scale));
    const focused = this.#chart.contains(document.activeElement) && document.activeElement !== this.#chart;
    replace(this.#chart, chart);
    const present = this.#chart.querySelector<SVGElement>("[aria-current]");
    if (focused) present?.focus();
    const y = (at - first + 0.5) * ROW;
    const { scrollTop, clientHeight } = this.#chart;
    if (y < scrollTop + ROW || y > scrollTop + clientHeight - ROW)
      this.#chart.scrollTop = y - clientHeight / 2;
  }

  /** Draws the moves that were not taken as small nodes, which can be clicked. */
  #alternatives(entry: Entry, k: number, y: number, next: Entry | undefined, scale: Scale): SVGElement[] {
    const drawn = new Set<string>();
    return (entry.answer?.choices ?? []).flatMap((choice) => {
      const key = `${choice.outcome}${choice.dtw}`;
      if (drawn.has(key) || (next?.byMove && JSON.stringify(next.placement) === JSON.stringify(choice.after)))
        return [];
      drawn.add(key);
      const [x, below] = [scale(choice), y + ROW * 0.5];
      const dot = shape(choice.outcome, x, below, 4);
      const target = svg("circle", { cx: x, cy: below, r: 9, class: "target" });
      const title = svg("title", {}, `Not taken: ${sentence(choice)}`);
      return [
        svg("g", { class: "other", click: () => this.#session.playFrom(k, choice) }, title, target, dot),
      ];
    });
  }

  #node(entry: Entry, k: number, y: number, isPresent: boolean, isBlind: boolean, scale: Scale): SVGElement {
    const { placement, answer } = entry;
    const value = isBlind ? undefined : answer?.value;
    const x = value === undefined ? WIDTH / 2 : scale(value);
    const pieces = placementText(placement, this.#session);
    const words = `${k}: ${pieces}${value ? `, ${sentence(value)}` : ""}`;
    const go = (): void => this.#session.jump(k);
    const key = (event: KeyboardEvent): void => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      go();
    };
    const text = value?.dtw === null || value === undefined ? "" : String(value.dtw);
    const node = svg(
      "g",
      { class: "node", role: "button", tabindex: 0, "aria-label": capital(words), click: go, keydown: key },
      svg("title", {}, words),
      svg("circle", { cx: x, cy: y, r: 13, class: "target" }),
      isPresent && svg("circle", { cx: x, cy: y, r: 12, class: "present" }),
      shape(value?.outcome ?? "draw", x, y, 8),
      svg("text", { x: x < WIDTH / 2 ? x + 16 : x - 16, y: y + 4, class: x < WIDTH / 2 ? "" : "end" }, text),
    );
    if (isPresent) node.setAttribute("aria-current", "step");
    return node;
  }
}

type Scale = (value: Value) => number;

/** Returns where a value stands: wins of the police from the left edge, of the thief from the right one. */
function scaleOf(entries: readonly Entry[]): Scale {
  const values = entries.flatMap(({ answer }) => (answer ? [answer.value, ...answer.choices] : []));
  const longest = Math.max(1, ...values.map(({ dtw }) => dtw ?? 0));
  const half = WIDTH / 2 - EDGE;
  return ({ outcome, dtw }) => {
    if (outcome === "draw" || dtw === null) return WIDTH / 2;
    const share = (dtw / (longest + 1)) * half;
    return outcome === "police" ? EDGE + share : WIDTH - EDGE - share;
  };
}

function links(rows: readonly { entry: Entry; y: number }[], scale: Scale): SVGElement[] {
  return rows.slice(1).flatMap(({ entry, y }, k) => {
    const before = rows[k]!;
    if (!entry.byMove || !entry.answer || !before.entry.answer) return [];
    const [from, to] = [scale(before.entry.answer.value), scale(entry.answer.value)];
    return [
      svg("line", { class: `link ${entry.answer.value.outcome}`, x1: from, y1: before.y, x2: to, y2: y }),
    ];
  });
}

/** Returns a node: round for the police, square for the thief, a diamond for a draw. */
function shape(outcome: Value["outcome"], x: number, y: number, radius: number): SVGElement {
  const fill = COLOURS[outcome];
  if (outcome === "police") return svg("circle", { class: "shape", cx: x, cy: y, r: radius, fill });
  if (outcome === "draw") {
    const d = `M${x} ${y - radius}L${x + radius} ${y}L${x} ${y + radius}L${x - radius} ${y}Z`;
    return svg("path", { class: "shape", d, fill });
  }
  const side = radius * 1.8;
  return svg("rect", { class: "shape", x: x - side / 2, y: y - side / 2, width: side, height: side, fill });
}
