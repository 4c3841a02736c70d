import type { Side } from "dragnet-probe";
import type { Digraph } from "../model/digraph.js";

/** A place in a picture of a graph, in units of the picture; y grows downwards. */
export type Point = readonly [x: number, y: number];

/** The looks of a vertex. */
export interface VertexLook {
  /** The colour, written #rrggbb; without one the vertex has that of the page's cards. */
  readonly fill?: string | undefined;
  readonly hatched?: boolean;
  readonly shape?: "circle" | "square" | "diamond";
  /** A short text below the vertex, such as its value. */
  readonly caption?: string | undefined;
  /** A short text at the upper right corner, such as a counter. */
  readonly badge?: string | undefined;
  /** How the vertex stands out: at work, told a result, waiting in the queue, or chosen by the user. */
  readonly emphasis?: "work" | "told" | "queued" | "chosen" | undefined;
  /** The pieces on the vertex. */
  readonly pieces?: readonly { readonly side: Side; readonly officer?: number }[];
  /** Whether a piece can move here, and whether that is a best move. */
  readonly mark?: "best" | "move" | undefined;
  /** The words that users of screen readers hear after the name, such as "won in 1 ply". */
  readonly words?: string | undefined;
}

/** The picture of a graph. */
export interface GraphScene {
  readonly graph: Digraph;
  /** The looks of each vertex; missing ones are plain. */
  readonly vertices?: readonly (VertexLook | undefined)[];
  /** Edges that stand out, by their numbers: `followed` backwards, a `best` move, a `chosen` one. */
  readonly edges?: ReadonlyMap<number, "followed" | "best" | "chosen">;
  /** Whether two edges that join two vertices both ways are drawn as one line without arrowheads. */
  readonly joined?: boolean;
}

/** The listeners of a picture of a graph. */
export interface GraphEvents {
  /** Called when a vertex is clicked, or when Enter or the space bar is pressed on it. */
  choose?(vertex: number): void;
  /** Called when an edge is clicked. */
  chooseEdge?(edge: number): void;
  /** Called when the place without a vertex is clicked. */
  chooseGround?(place: Point): void;
  /** Called when vertices were moved by the user. */
  moved?(places: readonly Point[]): void;
  /**
   * Called when a line was drawn from a vertex to another, or to itself. If it is given and `links` returns
   * true when the pointer goes down, a drag draws a line; otherwise it moves the vertex.
   */
  link?(from: number, to: number): void;
  links?(): boolean;
  /** Called when the pointer or the focus reaches another vertex. */
  hover?(vertex: number | undefined): void;
  /** Called for a key on a vertex that the picture does not use itself. Return `true` if it is used. */
  key?(event: KeyboardEvent, vertex: number): boolean;
}

/**
 * A picture of a graph of up to some 200 vertices. Arrow keys go from vertex to vertex, with Shift they move
 * the vertex; Enter chooses; + and - zoom, 0 shows the whole graph. Vertices are dragged by the pointer, the
 * ground pans.
 */
export interface GraphPicture {
  /** The element to put into the page; it fills its parent's width and the height that its style gives. */
  readonly element: HTMLElement;
  /** The places of the vertices. */
  readonly places: readonly Point[];
  /**
   * Shows a scene. Vertices keep their places; new ones are laid out between them.
   *
   * @param places where the vertices are; by default, where they were
   */
  show(scene: GraphScene, places?: readonly (Point | undefined)[]): void;
  /** Lays all vertices out anew. */
  arrange(): void;
  /** Shows the whole graph. */
  fit(): void;
  /** Moves the focus to a vertex. */
  focus(vertex: number): void;
  /** Stops listening. */
  close(): void;
}
