import { replace, svg } from "../../base/dom.js";
import { count } from "../../base/text.js";
import type { Level } from "./solver.js";

/** The most bars; more levels share bars. */
const MOST_BARS = 200;
const HEIGHT = 40;

/** Creates a chart of the positions that each level decides. */
export function createLevelBar(): { readonly element: SVGElement; show(levels: readonly Level[]): void } {
  const path = svg("path", {});
  const title = svg("title", {});
  const element = svg("svg", { class: "levels", role: "img", preserveAspectRatio: "none" }, title, path);
  let shown: readonly Level[] | undefined;
  return {
    element,
    show(levels) {
      if (levels === shown) return;
      shown = levels;
      const last = levels.at(-1);
      const share = Math.max(Math.ceil(levels.length / MOST_BARS), 1);
      const bars: number[] = [];
      levels.forEach(({ decided }, at) => {
        const bar = Math.floor(at / share);
        bars[bar] = (bars[bar] ?? 0) + decided;
      });
      // Square roots keep the small levels in sight.
      const tallest = Math.sqrt(Math.max(...bars, 1));
      element.setAttribute("viewBox", `0 0 ${Math.max(bars.length, 24)} ${HEIGHT}`);
      path.setAttribute(
        "d",
        bars
          .map((bar) => Math.max((HEIGHT * Math.sqrt(bar)) / tallest, 1))
          .map((height, at) => `M${at} ${HEIGHT}v${-height}h.8V${HEIGHT}z`)
          .join(""),
      );
      const fullest = levels.reduce((best, level) => (level.decided > best.decided ? level : best), {
        level: 0,
        decided: 0,
      });
      const most = count(fullest.decided);
      const text =
        last === undefined
          ? "No levels yet"
          : `Positions decided in each of ${levels.length} levels; most in level ${fullest.level}, ${most}`;
      replace(title, text);
      element.setAttribute("aria-label", text);
    },
  };
}
