import type { GraphEvents, Point } from "./scene.js";

/** What a pointer does to a picture. */
export interface PointerHost {
  readonly events: GraphEvents;
  placeOf(vertex: number): Point;
  move(vertex: number, place: Point): void;
  /** Called after a vertex was moved. */
  moved(): void;
  pan(dx: number, dy: number): void;
  zoom(factor: number, place: Point): void;
  /** Draws a line from a vertex to a point, or none. */
  rubber(from: number, to: Point | undefined): void;
  vertexAt(place: Point): number | undefined;
}

/** How far a pointer may go, in CSS pixels, until a click is a drag. */
const CLICK = 4;

type Drag =
  | { readonly kind: "move" | "link"; readonly vertex: number; readonly offset: Point }
  | { readonly kind: "pan"; readonly edge: number | undefined };

/** Turns clicks and drags on a picture into what they mean. */
export class GraphPointer {
  readonly #svg: SVGSVGElement;
  readonly #host: PointerHost;
  readonly #stop = new AbortController();
  #drag: Drag | undefined;
  #id = -1;
  #from: Point = [0, 0];
  #isFar = false;

  constructor(svg: SVGSVGElement, host: PointerHost) {
    this.#svg = svg;
    this.#host = host;
    const { signal } = this.#stop;
    svg.addEventListener("pointerdown", (event) => this.#down(event), { signal });
    svg.addEventListener("pointermove", (event) => this.#over(event), { signal });
    svg.addEventListener("pointerup", (event) => this.#up(event, false), { signal });
    svg.addEventListener("pointercancel", (event) => this.#up(event, true), { signal });
    svg.addEventListener("pointerleave", () => host.events.hover?.(undefined), { signal });
    svg.addEventListener("wheel", (event) => this.#wheel(event), { signal, passive: false });
  }

  close(): void {
    this.#stop.abort();
  }

  #point({ clientX, clientY }: MouseEvent): Point {
    const matrix = this.#svg.getScreenCTM();
    if (matrix === null) return [0, 0];
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
    return [x, y];
  }

  #down(event: PointerEvent): void {
    if (event.button !== 0 || this.#drag !== undefined) return;
    const vertex = numberAt(event.target, "vertex");
    const place = this.#point(event);
    this.#from = [event.clientX, event.clientY];
    this.#isFar = false;
    this.#id = event.pointerId;
    this.#svg.setPointerCapture(event.pointerId);
    if (vertex === undefined) {
      this.#drag = { kind: "pan", edge: numberAt(event.target, "edge") };
      return;
    }
    const [x, y] = this.#host.placeOf(vertex);
    const isLink = this.#host.events.link !== undefined && this.#host.events.links?.() === true;
    this.#drag = { kind: isLink ? "link" : "move", vertex, offset: [x - place[0], y - place[1]] };
  }

  #over(event: PointerEvent): void {
    const drag = this.#drag;
    if (drag === undefined || event.pointerId !== this.#id) {
      if (drag === undefined) this.#host.events.hover?.(numberAt(event.target, "vertex"));
      return;
    }
    const [dx, dy] = [event.clientX - this.#from[0], event.clientY - this.#from[1]];
    if (!this.#isFar && Math.hypot(dx, dy) < CLICK) return;
    this.#isFar = true;
    const place = this.#point(event);
    if (drag.kind === "move") {
      this.#host.move(drag.vertex, [place[0] + drag.offset[0], place[1] + drag.offset[1]]);
    } else if (drag.kind === "link") {
      this.#host.rubber(drag.vertex, place);
    } else {
      const scale = this.#svg.getScreenCTM()?.a ?? 1;
      this.#host.pan(dx / scale, dy / scale);
      this.#from = [event.clientX, event.clientY];
    }
  }

  #up(event: PointerEvent, isCancelled: boolean): void {
    const drag = this.#drag;
    if (drag === undefined || event.pointerId !== this.#id) return;
    this.#drag = undefined;
    const { events } = this.#host;
    const place = this.#point(event);
    if (drag.kind === "link") this.#host.rubber(drag.vertex, undefined);
    if (drag.kind === "move" && this.#isFar) this.#host.moved();
    if (isCancelled) return;
    if (drag.kind === "link" && this.#isFar) {
      const to = this.#host.vertexAt(place);
      if (to !== undefined) events.link?.(drag.vertex, to);
    } else if (this.#isFar) {
      return;
    } else if (drag.kind !== "pan") {
      events.choose?.(drag.vertex);
    } else if (drag.edge !== undefined) {
      events.chooseEdge?.(drag.edge);
    } else {
      events.chooseGround?.(place);
    }
  }

  #wheel(event: WheelEvent): void {
    if (!event.ctrlKey) return;
    event.preventDefault();
    this.#host.zoom(Math.exp(-event.deltaY / 300), this.#point(event));
  }
}

/** Returns the number that an element or one around it has in a data attribute. */
function numberAt(target: EventTarget | null, name: "vertex" | "edge"): number | undefined {
  const element = target instanceof Element ? target.closest(`[data-${name}]`) : null;
  return element === null ? undefined : Number(element.getAttribute(`data-${name}`));
}
