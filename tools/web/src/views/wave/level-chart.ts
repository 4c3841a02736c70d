import { html, replace, svg } from "../../base/dom.js";
import { SCALES } from "../../base/palette.js";
import { count } from "../../base/text.js";
import type { LevelCount } from "../../model/levels.js";

const WIDTH = 640;
const HEIGHT = 110;

/** A bar for each level: the positions that it decides. A click goes to the level. */
export class LevelChart {
  readonly element: HTMLElement;
  readonly #chart = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT + 14}`, class: "level-chart", role: "img" });
  readonly #note = html("p", { class: "quiet" });
  readonly #go: (level: number) => void;
  readonly #bars: SVGElement[] = [];
  #counts: readonly LevelCount[] = [];
  #level = 0;

  constructor(go: (level: number) => void) {
    this.#go = go;
    this.element = html("div", { class: "levels" }, this.#chart, this.#note);
  }

  /** Shows the counts of all levels. `about` says what is counted. */
  show(counts: readonly LevelCount[], about: string): void {
    this.#counts = counts;
    const most = Math.log1p(Math.max(1, ...counts.map(({ police, thief }) => police + thief)));
    const width = WIDTH / Math.max(counts.length, 1);
    this.#chart.setAttribute("aria-label", `Positions decided on each of ${counts.length} levels, ${about}`);
    this.#bars.length = 0;
    for (const { level, police, thief } of counts) {
      const all = police + thief;
      const height = (Math.log1p(all) / most) * HEIGHT;
      const part = all === 0 ? 0 : (height * police) / all;
      const rect = (y: number, size: number, fill: string): SVGElement =>
        svg("rect", { x: level * width, y, width: Math.max(width - 1, 0.7), height: size, fill });
      const bar = svg(
        "g",
        { class: "level-bar", click: () => this.#go(level) },
        svg("title", {}, `Level ${level}: police ${count(police)}, thief ${count(thief)}`),
        svg("rect", { class: "level-ground", x: level * width, y: 0, width, height: HEIGHT }),
        rect(HEIGHT - part, part, SCALES.police[2]!),
        rect(HEIGHT - height, Math.max(height - part, 0), SCALES.thief[2]!),
        svg("path", { class: "level-mark", d: `M${(level + 0.5) * width} ${HEIGHT + 3}l5 9h-10z` }),
      );
      this.#bars.push(bar);
    }
    replace(this.#chart, ...this.#bars);
    this.#note.dataset["about"] = about;
    this.light(this.#level);
  }

  /** Marks the bar of a level. */
  light(level: number): void {
    this.#level = level;
    this.#bars.forEach((bar, at) => bar.classList.toggle("lit", at === level));
    const here = this.#counts[level];
    const sum = this.#counts.slice(0, level + 1).reduce((sum, { police, thief }) => sum + police + thief, 0);
    const about = this.#note.dataset["about"] ?? "";
    const text =
      here === undefined
        ? `Nothing more is decided; ${count(sum)} are decided, ${about}.`
        : `Level ${level} decides ${count(here.police + here.thief)}: police ${count(here.police)}, thief ${count(here.thief)}; ${count(sum)} so far, ${about}.`;
    replace(this.#note, text, " Heights are logarithmic.");
  }
}
