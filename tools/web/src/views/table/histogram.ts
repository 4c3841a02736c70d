import type { ByWinner, HistogramBar, Side, Value } from "dragnet-probe";
import { html, replace, svg } from "../../base/dom.js";
import { SCALES } from "../../base/palette.js";
import { count, plies } from "../../base/text.js";

const WIDTH = 320;
const HALF = 56;
const FOOT = 16;
/** The most bars; more distances share one. */
const MOST = 80;

interface Bar {
  readonly side: Side;
  readonly from: number;
  readonly to: number;
  readonly positions: number;
}

/**
 * A chart of the distances of all wins: the police's above, the thief's below the middle. Heights are
 * logarithmic.
 */
export class Histogram {
  readonly element: HTMLElement;
  readonly #bars: { readonly bar: Bar; readonly element: SVGElement }[] = [];
  readonly #note = html("p", { class: "quiet" });

  constructor(histogram: ByWinner<readonly HistogramBar[]>) {
    const all = [...histogram.police, ...histogram.thief];
    const longest = Math.max(0, ...all.map(([dtw]) => dtw));
    const each = Math.max(1, Math.ceil((longest + 1) / MOST));
    const bars = (["police", "thief"] as const).flatMap((side) => gather(side, histogram[side], each));
    const most = Math.log1p(Math.max(1, ...bars.map(({ positions }) => positions)));
    const width = (WIDTH - 2) / Math.ceil((longest + 1) / each);
    const chart = svg("svg", {
      viewBox: `0 0 ${WIDTH} ${2 * HALF + FOOT}`,
      role: "img",
      "aria-label": `Positions by distance, up to ${plies(longest)}`,
    });
    for (const bar of bars) {
      const height = (Math.log1p(bar.positions) / most) * (HALF - 4);
      const y = bar.side === "police" ? HALF - height : HALF;
      const x = 1 + (bar.from / each) * width;
      const distance = bar.from === bar.to ? plies(bar.from) : `${bar.from} to ${plies(bar.to)}`;
      const title = svg("title", {}, `${bar.side}, ${distance}: ${count(bar.positions)} positions`);
      const fill = SCALES[bar.side][2]!;
      const size = { x, y, width: Math.max(width - 0.6, 0.6), height: Math.max(height, 0.5), fill };
      const element = svg("rect", { class: `bar ${bar.side}`, ...size }, title);
      this.#bars.push({ bar, element });
      chart.append(element);
    }
    const text = (x: number, y: number, words: string, kind: string): SVGElement =>
      svg("text", { x, y, class: kind, "aria-hidden": "true" }, words);
    chart.append(
      svg("line", { class: "rule", x1: 0, x2: WIDTH, y1: HALF, y2: HALF }),
      text(WIDTH - 2, 11, "police wins", "end"),
      text(WIDTH - 2, 2 * HALF - 3, "thief wins", "end"),
      text(1, 2 * HALF + FOOT - 3, "0", ""),
      text(WIDTH - 2, 2 * HALF + FOOT - 3, plies(longest), "end"),
    );
    this.element = html("div", { class: "histogram" }, chart, this.#note);
  }

  /** Marks the bar that has a value. */
  light(value: Value | undefined): void {
    let lit: Bar | undefined;
    for (const { bar, element } of this.#bars) {
      const dtw = value?.dtw ?? -1;
      const isLit = bar.side === value?.outcome && dtw >= bar.from && dtw <= bar.to;
      element.classList.toggle("lit", isLit);
      if (isLit) lit = bar;
    }
    const text = lit === undefined ? "" : `Like this one: ${count(lit.positions)} positions.`;
    replace(this.#note, text === "" ? "Heights are logarithmic." : `${text} Heights are logarithmic.`);
  }
}

/** Returns the bars of one side, `each` distances in one. */
function gather(side: Side, histogram: readonly HistogramBar[], each: number): Bar[] {
  const bars = new Map<number, number>();
  for (const [dtw, positions] of histogram) {
    const from = Math.floor(dtw / each) * each;
    bars.set(from, (bars.get(from) ?? 0) + positions);
  }
  return [...bars].map(([from, positions]) => ({ side, from, to: from + each - 1, positions }));
}
