import { html, replace } from "../../base/dom.js";
import { type Place, linkTo } from "../../model/link.js";
import { SAMPLES, sampleOf } from "../../model/samples.js";
import { readSharedGraph } from "../../model/share-graph.js";
import type { Frame, Mounted, View } from "../view.js";
import { MOST_DRAWN_EDGES, MOST_DRAWN_VERTICES } from "../../model/graph-text.js";
import { GraphWave } from "./graph-wave.js";

export const view: View = {
  name: "wave",
  title: "Wave",
  mount: (host, frame, place) => new WaveView(host, frame, place),
};

/** A wave that is shown. */
interface Shown {
  readonly element: HTMLElement;
  close(): void;
}

/** The view of retrograde analysis. It shows one wave at a time, and links to the others. */
class WaveView implements Mounted {
  readonly #frame: Frame;
  readonly #title = html("h1", {}, "Wave");
  readonly #about = html("p", { class: "quiet" });
  readonly #chooser = html("select", { change: () => this.#choose() });
  readonly #body = html("div", {});
  #shown: Shown | undefined;
  #turn = 0;

  constructor(host: HTMLElement, frame: Frame, place: Place) {
    this.#frame = frame;
    const tables = frame.catalogue.items.filter((item) => item.kind === "table" && item.game === "pursuit");
    this.#chooser.append(
      html("optgroup", { label: "Graphs" }, ...SAMPLES.map(({ name, title }) => html("option", { value: linkTo(["wave", "sample", name], {}) }, title))),
    );
    if (tables.length > 0) {
      const options = tables.map(({ name }) => html("option", { value: linkTo(["wave", "table", name], {}) }, name));
      this.#chooser.append(html("optgroup", { label: "Tables" }, ...options));
    }
    host.append(
      this.#title,
      html("div", { class: "row" }, html("label", { class: "row" }, "Show", this.#chooser)),
      this.#about,
      this.#body,
    );
    this.show(place);
  }

  show(place: Place): void {
    const turn = ++this.#turn;
    this.#open(place, turn).catch((error: unknown) => {
      if (turn === this.#turn) this.#frame.fail(error);
    });
  }

  close(): void {
    this.#turn++;
    this.#shown?.close();
  }

  #choose(): void {
    location.hash = this.#chooser.value;
  }

  async #open({ path, parameters }: Place, turn: number): Promise<void> {
    const [, kind = "sample", name = "text"] = path;
    if (kind === "sample") {
      const sample = sampleOf(name);
      if (sample === undefined) {
        throw new Error(`link: expected one of the samples ${SAMPLES.map(({ name }) => name).join(", ")}, found ${name}`);
      }
      const step = wholeNumber(parameters, "step");
      const own = linkTo(["wave", "sample", name], {});
      this.#head(`Wave: ${sample.title}`, sample.about, own);
      const wave = this.#graphWave((step) => linkTo(["wave", "sample", name], { step: `${step}` }));
      wave.begin(sample.graph, "loses", step, sample.places);
    } else if (kind === "graph") {
      const data = parameters.get("data") ?? "";
      const { graph, stuck, places } = await readSharedGraph(data);
      if (turn !== this.#turn) return;
      if (graph.labels.length > MOST_DRAWN_VERTICES || graph.edges.length > MOST_DRAWN_EDGES) {
        throw new Error(
          `the wave: expected a graph of at most ${MOST_DRAWN_VERTICES} vertices and ${MOST_DRAWN_EDGES} edges, ` +
            `found ${graph.labels.length} and ${graph.edges.length}`,
        );
      }
      this.#head("Wave on a graph", stuck === "wins" ? "Misère play: a player without a move wins." : "", undefined);
      const wave = this.#graphWave((step) => linkTo(["wave", "graph"], { step: `${step}`, data }));
      wave.begin(graph, stuck, wholeNumber(parameters, "step"), places);
    } else {
      throw new Error(`link: expected a wave on a sample or a graph, found ${kind}`);
    }
  }

  #graphWave(link: (step: number) => string): GraphWave {
    const wave = new GraphWave({
      say: (sentence) => this.#frame.say(sentence),
      reached: (step) => this.#frame.setLink(link(step), false),
    });
    this.#put(wave);
    return wave;
  }

  #put(shown: Shown): void {
    this.#shown?.close();
    this.#shown = shown;
    replace(this.#body, shown.element);
  }

  #head(title: string, about: string, own: string | undefined): void {
    replace(this.#title, title);
    replace(this.#about, about);
    this.#frame.setTitle(title);
    this.#chooser.value = own ?? "";
  }
}

function wholeNumber(parameters: URLSearchParams, name: string): number {
  const text = parameters.get(name) ?? "0";
  if (!/^\d{1,9}$/.test(text)) throw new Error(`link: ${name}: expected a whole number, found ${text}`);
  return Number(text);
}
