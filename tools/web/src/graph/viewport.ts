import type { Point } from "./scene.js";

/** The part of the ground that a picture shows. */
export interface ViewBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const MARGIN = 60;
/** The least extent that is shown, so that small graphs are not blown up. */
const LEAST_WIDTH = 330;
const LEAST_HEIGHT = 240;

/** Returns the part that shows all places. */
export function around(places: readonly Point[]): ViewBox {
  const [left, right] = extent(places, 0, LEAST_WIDTH);
  const [top, bottom] = extent(places, 1, LEAST_HEIGHT);
  return { x: left, y: top, width: right - left, height: bottom - top };
}

function extent(places: readonly Point[], axis: 0 | 1, least: number): [number, number] {
  let [from, to] = [Infinity, -Infinity];
  for (const place of places) {
    from = Math.min(from, place[axis]);
    to = Math.max(to, place[axis]);
  }
  if (from > to) return [-least / 2, least / 2];
  const more = Math.max(least - (to - from + 2 * MARGIN), 0) / 2;
  return [from - MARGIN - more, to + MARGIN + more];
}

/** Returns the part after a zoom by a factor that keeps a point where it is; more than 1 makes things larger. */
export function zoomed({ x, y, width, height }: ViewBox, factor: number, [atX, atY]: Point): ViewBox {
  return {
    x: atX - (atX - x) / factor,
    y: atY - (atY - y) / factor,
    width: width / factor,
    height: height / factor,
  };
}

/** Returns the nearest place from one in a direction; `undefined` if there is none. */
export function nearestTowards(places: readonly Point[], from: number, [dx, dy]: Point): number | undefined {
  let best: number | undefined;
  let least = Infinity;
  const [x, y] = places[from]!;
  places.forEach((place, vertex) => {
    const [right, down] = [place[0] - x, place[1] - y];
    const along = right * dx + down * dy;
    const across = Math.abs(right * dy) + Math.abs(down * dx);
    if (vertex === from || along <= 0 || across > along * 2) return;
    const cost = along + 2 * across;
    if (cost < least) [best, least] = [vertex, cost];
  });
  return best;
}
