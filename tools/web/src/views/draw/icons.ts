import { svg } from "../../base/dom.js";

/** The paths of the icons, in a square of 16 by 16. */
const PATHS = {
  brush: "M2.5 13.5l1-4L11 2l3 3-7.5 7.5zM9.5 3.5l3 3",
  eraser: "M6 13.5L2 9.5l6.5-6.5 5 5-5.5 5.5zM5 6.5l5 5M6 13.5h8",
  rectangle: "M2 4h12v8H2z",
  fill: "M7 2l6 6-5.5 5.5L2 8l5.5-5.5M2 8h11M14 10.5c1.5 2.5 0 3.5 0 3.5s-1.5-1 0-3.5",
  exit: "M9 2H3v12h6M6.5 8H14M11.5 5.5L14 8l-2.5 2.5",
  letter: "M2 2h12v12H2zM5 11V5l3 3 3-3v6",
  officer: "M8 1.5l5.5 2v4c0 3.5-2.5 6-5.5 7-3-1-5.5-3.5-5.5-7v-4z",
  thief: "M1.5 5.5c4.5-1.8 8.5-1.8 13 0-.2 4-4.5 6-6.5 2.5-2 3.5-6.3 1.5-6.5-2.5z",
  guard: "M5.5 4.5a2.5 2.5 0 105 0 2.5 2.5 0 10-5 0M3 14c0-6 10-6 10 0M1.5 9.5h2M12.5 9.5h2",
  pick: "M2 14l1-3.5 5.5-5.5 2.5 2.5L5.5 13zM7.5 4l4.5 4.5M10 6l2-2c1-1 2.5.5 1.5 1.5l-2 2",
  undo: "M6 3L2.5 6.5 6 10M2.5 6.5H10a3.5 3.5 0 010 7H6",
  redo: "M10 3l3.5 3.5L10 10M13.5 6.5H6a3.5 3.5 0 000 7h4",
  mirrorColumns: "M8 1.5v13M6 4v8L1.5 12zM10 4v8l4.5 0z",
  mirrorRows: "M1.5 8h13M4 6h8L12 1.5zM4 10h8v4.5z",
  rotate: "M13.5 3v3.5H10M13 6.5A5.5 5.5 0 108 13.5",
  clear: "M3 4.5h10M6 4.5V3h4v1.5M4.5 4.5l.5 9h6l.5-9",
} as const;

/** Returns an icon, which says nothing to screen readers. */
export function icon(name: keyof typeof PATHS): SVGElement {
  return svg(
    "svg",
    { viewBox: "0 0 16 16", class: "icon", "aria-hidden": "true" },
    svg("path", { d: PATHS[name] }),
  );
}
