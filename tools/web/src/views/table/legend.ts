import { html, svg } from "../../base/dom.js";
import { EXIT, OPEN, OUTCOME_COLOURS, SCALES, WALL } from "../../base/palette.js";

/** The frame and the bars of a closed door. */
const DOOR = "M1 1H15V15H1ZM5.7 1V15M10.3 1V15";

/**
 * Returns a line that explains the colours of the board.
 *
 * @param hasDoors whether there are closed doors
 */
export function legend(hasDoors = false): HTMLElement {
  const entry = (text: string, ...shapes: SVGElement[]): HTMLElement => {
    const picture = svg(
      "svg",
      { viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" },
      ...shapes,
    );
    return html("li", {}, picture, text);
  };
  const hatch = svg("path", { d: "M0 6 6 0M0 12 12 0M4 16 16 4M10 16 16 10", stroke: "#555", fill: "none" });
  const corner = svg("path", { d: "M0 0H6L0 6Z", fill: "#fff" });
  return html(
    "ul",
    { class: "legend" },
    entry("police wins (dark: soon)", fill(OUTCOME_COLOURS.police)),
    entry("thief wins", fill(OUTCOME_COLOURS.thief), corner),
    entry("draw", fill(OUTCOME_COLOURS.draw), hatch),
    entry("wall", fill(WALL)),
    entry(
      "exit",
      fill(OPEN),
      svg("rect", { x: 2, y: 2, width: 12, height: 12, fill: "none", stroke: EXIT, "stroke-width": 3 }),
    ),
    ...(hasDoors ? [entry("closed door", fill(OPEN), svg("path", { d: DOOR, fill: "none", stroke: WALL, "stroke-width": 2 }))] : []),
    entry("best move", fill("none"), svg("path", { d: "M8 1 15 8 8 15 1 8Z", fill: SCALES.police[1]! })),
  );
}

function fill(colour: string): SVGElement {
  return svg("rect", { width: 16, height: 16, fill: colour });
}
