import { SLICE_OUTCOMES } from "dragnet-probe";
import { html, replace } from "../../base/dom.js";
import { OUTCOME_COLOURS, colourOf } from "../../base/palette.js";
import { plies } from "../../base/text.js";
import { createGraphPicture } from "../../graph/picture.js";
import type { GraphScene, VertexLook } from "../../graph/scene.js";
import type { Digraph } from "../../model/digraph.js";
import type { Frame } from "../view.js";
import { marksOf } from "./figures.js";
import { Hand } from "./hand.js";
import { legend } from "./legend.js";
import { cellOf } from "./position.js";
import type { Session } from "./session.js";
import { type State, areValuesHidden } from "./state.js";

/** The most vertices that are drawn as a graph; larger graphs are drawn as a row of cells. */
export const MOST_VERTICES = 200;
const SHAPES = { police: "circle", thief: "square", draw: "diamond" } as const;

/** The graph of a table whose board is a graph, on which moves are clicked. */
export class GraphPanel {
  readonly element: HTMLElement;
  readonly #session: Session;
  readonly #hand: Hand;
  readonly #graph: Digraph;
  readonly #isJoined: boolean;
  readonly #picture;
  readonly #note = html("p", { class: "board-note" });
  #frameId = 0;

  constructor(session: Session, frame: Frame) {
    this.#session = session;
    this.#hand = new Hand(session, frame);
    this.#graph = graphOf(session);
    const known = new Set(this.#graph.edges.map(([from, to]) => `${from},${to}`));
    this.#isJoined = this.#graph.edges.every(([from, to]) => known.has(`${to},${from}`));
    this.#picture = createGraphPicture(`Graph of ${session.name}`, {
      choose: (vertex) => this.#hand.choose([0, vertex]),
      hover: (vertex) => this.#hand.hover(vertex === undefined ? undefined : [0, vertex], false),
      key: (event, vertex) =>
        event.key !== "Enter" && event.key !== " " && this.#hand.key(event, [0, vertex]),
    });
    this.element = html("div", { class: "table-board" }, this.#picture.element, this.#note, legend());
    session.store.listen(() => this.#draw());
    this.#draw();
  }

  close(): void {
    cancelAnimationFrame(this.#frameId);
    this.#picture.close();
  }

  #draw(): void {
    if (this.#frameId !== 0) return;
    this.#frameId = requestAnimationFrame(() => {
      this.#frameId = 0;
      const { state } = this.#session.store;
      this.#picture.show(this.#scene(state));
      replace(this.#note, this.#hand.noteOf(state));
    });
  }

  #scene(state: State): GraphScene {
    const { board } = this.#session.table;
    const marks = new Map(marksOf(state, board).map(({ cell, kind }) => [cell[1], kind]));
    const vertices = this.#graph.labels.map((_, vertex): VertexLook => {
      const badge = board.square(0, vertex) === "exit" ? "exit" : undefined;
      return { ...valueLook(state, vertex), badge, pieces: piecesOn(state, vertex), mark: marks.get(vertex) };
    });
    return { graph: this.#graph, vertices, joined: this.#isJoined };
  }
}

/** Returns the looks of the value that the piece of the heat map has on a vertex. */
function valueLook(state: State, vertex: number): VertexLook {
  const { slice, heat } = state;
  if (slice === undefined || areValuesHidden(state)) return {};
  const outcome = SLICE_OUTCOMES[slice.outcome[vertex]!]!;
  if (outcome === "wall") return {};
  const dtw = slice.dtw[vertex]!;
  const isDraw = outcome === "draw";
  if (heat === "escapes") {
    const words = isDraw ? "draw" : `${outcome} wins`;
    return { fill: OUTCOME_COLOURS[outcome], hatched: isDraw, shape: SHAPES[outcome], words };
  }
  return {
    fill: colourOf(outcome, dtw, slice.longest),
    hatched: isDraw,
    shape: SHAPES[outcome],
    caption: isDraw ? "draw" : String(dtw),
    words: isDraw ? "draw" : `${outcome} wins in ${plies(dtw)}`,
  };
}

function piecesOn({ placement }: State, vertex: number): NonNullable<VertexLook["pieces"]> {
  const isSingle = placement.police.length === 1;
  const officers = placement.police.flatMap((cell, officer) =>
    cell[1] === vertex ? [{ side: "police" as const, ...(!isSingle && { officer }) }] : [],
  );
  return cellOf(placement, "thief")[1] === vertex ? [...officers, { side: "thief" }] : officers;
}

function graphOf({ table: { board }, setting: { edges } }: Session): Digraph {
  return { labels: Array.from({ length: board.width }, (_, vertex) => String(vertex)), edges: edges ?? [] };
}
