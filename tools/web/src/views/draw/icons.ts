import { svg } from "../../base/dom.js";

/** The paths of the icons, in a square of 16 by 16. */
const PATHS = {
  brush: "M2.5 13.5l1-4L11 2l3 3-7.500 7.500zM9.500 3.500l3 3",
  eraser: "M6 13.500L2 9.500l6.500-6.500 5 5-5.500 5.500zM5 6.500l5 5M6 13.500h8",
  rectangle: "M2 4h12v8H2z",
  fill: "M7 2l6 6-5.500 5.500L2 8l5.500-5.500M2 8h11M14 10.500c1.500 2.500 0 3.500 0 3.500s-1.500-1 0-3.500",
  exit: "M9 2H3v12h6M6.500 8H14M11.500 5.500L14 8l-2.500 2.500",
  officer: "M8 1.500l5.500 2v4c0 3.500-2.500 6-5.500 7-3-1-5.500-3.500-5.500-7v-4z",
  thief: "M1.500 5.500c4.500-1.800 8.500-1.800 13 0-.2 4-4.500 6-6.500 2.500-2 3.500-6.300 1.500-6.500-2.500z",
  pick: "M2 14l1-3.500 5.500-5.500 2.500 2.500L5.500 13zM7.500 4l4.500 4.500M10 6l2-2c1-1 2.500.5 1.500 1.500l-2 2",
  undo: "M6 3L2.500 6.500 6 10M2.500 6.500H10a3.500 3.500 0 010 7H6",
  redo: "M10 3l3.500 3.500L10 10M13.500 6.500H6a3.500 3.500 0 000 7h4",
  mirrorColumns: "M8 1.500v13M6 4v8L1.500 12zM10 4v8l4.500 0z",
  mirrorRows: "M1.500 8h13M4 6h8L12 1.500zM4 10h8v4.500z",
  rotate: "M13.500 3v3.500H10M13 6.500A5.500 5.500 0 108 13.500",
  clear: "M3 4.500h10M6 4.500V3h4v1.500M4.500 4.500l.5 9h6l.5-9",
} as const;

/** Returns an icon, which says nothing to screen readers. */
export function icon(name: keyof typeof PATHS): SVGElement {
  return svg("svg", { viewBox: "0 0 16 16", class: "icon", "aria-hidden": "true" }, svg("path", { d: PATHS[name] }));
}
