import { html, replace } from "../../base/dom.js";
import type { Digraph } from "../../model/digraph.js";
import { fetchGraph } from "../../model/fetch-graph.js";
import { type Place, linkTo } from "../../model/link.js";
import { SAMPLES, sampleOf } from "../../model/samples.js";
import { settingOf } from "../../model/setting.js";
import { readSharedGraph } from "../../model/share-graph.js";
import { MOST_DRAWN_EDGES, MOST_DRAWN_VERTICES, isDrawable } from "../../model/graph-text.js";
import { openNamed } from "../table/files.js";
import type { Frame, Mounted, View } from "../view.js";
import { BoardWavePage } from "./board-page.js";
import { BOARDS, solveBoard } from "./boards.js";
import { GraphWavePage, type GraphSubject } from "./graph-page.js";

interface Page {
  readonly element: HTMLElement;
  follow(place: Place): void;
  close(): void;
}

/** The view of the wave: retrograde analysis of a graph, or of a table level by level. */
class WaveView implements Mounted {
  readonly #host: HTMLElement;
  readonly #frame: Frame;
  readonly #body = html("div", {});
  readonly #choice: HTMLSelectElement;
  #opening = new AbortController();
  #page: Page | undefined;
  #subject: string | undefined;

  constructor(host: HTMLElement, frame: Frame, place: Place) {
    this.#host = host;
    this.#frame = frame;
    this.#choice = this.#choices();
    const label = html("label", {}, "Show ", this.#choice);
    this.#host.append(html("h1", {}, "The wave of retrograde analysis"), html("div", { class: "row" }, label), this.#body);
    this.show(place);
  }

  show(place: Place): void {
    const [, kind = "sample", name = kind === "graph" ? "" : "text"] = place.path;
    const subject = `${kind}/${name}?${place.parameters.get("data") ?? ""}&${place.parameters.get("stuck") ?? ""}`;
    if (this.#page !== undefined && subject === this.#subject) {
      this.#page.follow(place);
      return;
    }
    this.#leave();
    this.#choice.value = `${kind}/${name}`;
    const { signal } = (this.#opening = new AbortController());
    replace(this.#body, html("p", { class: "quiet" }, "Opening…"));
    this.#open(kind, name, place, signal)
      .then((page) => {
        if (signal.aborted) {
          page.close();
          return;
        }
        this.#page = page;
        this.#subject = subject;
        replace(this.#body, page.element);
      })
      .catch((error: unknown) => {
        if (signal.aborted) return;
        replace(this.#body);
        this.#frame.fail(error);
      });
  }

  close(): void {
    this.#leave();
  }

  #leave(): void {
    this.#opening.abort();
    this.#page?.close();
    this.#page = undefined;
  }

  async #open(kind: string, name: string, place: Place, signal: AbortSignal): Promise<Page> {
    if (kind === "table") {
      const { table, item, setting } = await openNamed(name, this.#frame.catalogue.items, signal);
      if (table.kind === "game") {
        if (item?.graph === undefined) {
          throw new Error(`table ${name}: expected a pursuit game, or a graph beside the table, found neither`);
        }
        const graph = drawable(await fetchGraph(name, this.#frame.catalogue, signal));
        const subject = { title: name, about: "", graph, stuck: "loses", path: ["wave", "table", name], parameters: {} } as const;
        return new GraphWavePage(subject, this.#frame, place);
      }
      return new BoardWavePage(
        { title: name, table, setting, statistics: item?.statistics, path: ["wave", "table", name] },
        this.#frame,
        place,
      );
    }
    if (kind === "graph") return new GraphWavePage(await shared(place), this.#frame, place);
    if (kind !== "sample") throw new Error(`link: expected wave/sample, wave/table or wave/graph, found wave/${kind}`);
    const board = BOARDS.find((board) => board.name === name);
    if (board !== undefined) {
      const table = await solveBoard(board, signal);
      const setting = await settingOf(table);
      const subject = { title: board.title, table, setting, path: ["wave", "sample", name] };
      return new BoardWavePage(subject, this.#frame, place);
    }
    const sample = sampleOf(name);
    if (sample === undefined) {
      const names = [...SAMPLES, ...BOARDS].map(({ name }) => name).join(", ");
      throw new Error(`link: expected one of the samples ${names}, found ${name}`);
    }
    return new GraphWavePage({ ...sample, stuck: "loses", path: ["wave", "sample", name], parameters: {} }, this.#frame, place);
  }

  #choices(): HTMLSelectElement {
    const option = (value: string, text: string): HTMLElement => html("option", { value }, text);
    const tables = this.#frame.catalogue.items.flatMap((item) =>
      item.kind === "table" && (item.game === "pursuit" || item.graph !== undefined) ? [option(`table/${item.name}`, item.name)] : [],
    );
    const group = (label: string, options: HTMLElement[]): HTMLElement | false =>
      options.length > 0 && html("optgroup", { label }, ...options);
    const choose = (): void => {
      const hash = linkTo(["wave", ...this.#choice.value.split("/")], {});
      this.#frame.setLink(hash, true);
      this.show({ path: ["wave", ...this.#choice.value.split("/")], parameters: new URLSearchParams() });
    };
    return html(
      "select",
      { change: choose },
      group("Graphs", SAMPLES.map(({ name, title }) => option(`sample/${name}`, title))),
      group("Boards", BOARDS.map(({ name, title }) => option(`sample/${name}`, title))),
      group("Tables", tables),
    );
  }
}

async function shared({ parameters }: Place): Promise<GraphSubject> {
  const data = parameters.get("data");
  if (data === null) throw new Error("link: expected data=… with a graph, found none");
  const { graph, stuck, places } = await readSharedGraph(data);
  return { title: "of the link", about: "", graph: drawable(graph), stuck, places, path: ["wave", "graph"], parameters: { data } };
}

/** Returns the graph, if a picture can show it. */
function drawable(graph: Digraph): Digraph {
  if (!isDrawable(graph)) {
    const found = `${graph.labels.length} and ${graph.edges.length}`;
    throw new Error(`the wave: expected at most ${MOST_DRAWN_VERTICES} vertices and ${MOST_DRAWN_EDGES} edges, found ${found}`);
  }
  return graph;
}

export const view: View = {
  name: "wave",
  title: "Wave",
  mount: (host, frame, place) => new WaveView(host, frame, place),
};
