import { html, replace } from "../../base/dom.js";
import { fetchGraph } from "../../model/fetch-graph.js";
import type { Place } from "../../model/link.js";
import { sampleOf } from "../../model/samples.js";
import { type SharedGraph, readSharedGraph } from "../../model/share-graph.js";
import type { Frame, Mounted, View } from "../view.js";
import { GraphPage } from "./page.js";

/** The view of games on graphs. */
class GraphView implements Mounted {
  readonly #frame: Frame;
  readonly #body = html("div", {});
  #opening = new AbortController();
  #page: GraphPage | undefined;

  constructor(host: HTMLElement, frame: Frame, place: Place) {
    this.#frame = frame;
    host.append(html("h1", {}, "Games on graphs"), this.#body);
    this.show(place);
  }

  show(place: Place): void {
    const data = place.parameters.get("data");
    if (this.#page !== undefined && data !== null && data === this.#page.link) return;
    this.close();
    const { signal } = (this.#opening = new AbortController());
    this.#read(place, signal)
      .then((shared) => {
        if (signal.aborted) return;
        this.#page = new GraphPage(shared, this.#frame);
        replace(this.#body, this.#page.element);
      })
      .catch((error: unknown) => {
        if (signal.aborted) return;
        replace(this.#body);
        this.#frame.fail(error);
      });
  }

  close(): void {
    this.#opening.abort();
    this.#page?.close();
    this.#page = undefined;
  }

  async #read({ parameters }: Place, signal: AbortSignal): Promise<SharedGraph> {
    const data = parameters.get("data");
    if (data !== null) return readSharedGraph(data);
    const name = parameters.get("item");
    if (name === null) {
      const { graph, places } = sampleOf("text")!;
      return { graph, places, stuck: "loses" };
    }
    return { graph: await fetchGraph(name, this.#frame.catalogue, signal), stuck: "loses" };
  }
}

export const view: View = {
  name: "graph",
  title: "Graphs",
  mount: (host, frame, place) => new GraphView(host, frame, place),
};
