import { html, replace } from "../../base/dom.js";
import { labelled, numberField, numberOf } from "../../base/fields.js";
import { capital, count, messageOf } from "../../base/text.js";
import type { CopsFacts } from "../../engine/protocol.js";

/** How many cops a search tries at most unless somebody asks for more: each one more takes much longer. */
const MOST_COPS = 4;
/** How many cops the engine can place. */
const ENGINE_LIMIT = 255;

/** Finds how many cops catch the robber on the graph, and a best placement of them. */
export class CopsPanel {
  readonly element: HTMLElement;
  readonly #note = html("p", { role: "status" });
  readonly #most = numberField(MOST_COPS, 1, ENGINE_LIMIT);
  readonly #search: (most: number) => Promise<CopsFacts | undefined>;
  readonly #found: () => void;
  #placement: ReadonlySet<string> = new Set();

  /**
   * `search` returns the answer about the graph that is shown, of so many cops at most, or nothing if another
   * one is shown meanwhile.
   * `found` is called when there is a placement to draw.
   */
  constructor(search: (most: number) => Promise<CopsFacts | undefined>, found: () => void) {
    this.#search = search;
    this.#found = found;
    this.element = html(
      "div",
      {},
      html("h2", {}, "Cops and robbers"),
      html("p", { class: "quiet" }, "Pieces step along the edges, both ways: how many cops catch the robber?"),
      html(
        "div",
        { class: "row" },
        html("button", { type: "button", click: () => void this.#run() }, "Find the cop number"),
        labelled("Most cops", this.#most),
      ),
      this.#note,
    );
  }

  /** The names of the vertices on which cops stand. */
  get placement(): ReadonlySet<string> {
    return this.#placement;
  }

  /** Forgets the answer. */
  reset(): void {
    this.#placement = new Set();
    replace(this.#note);
  }

  async #run(): Promise<void> {
    replace(this.#note, "Searching…");
    try {
      const facts = await this.#search(numberOf(this.#most));
      if (facts === undefined) return;
      this.#placement = new Set(facts.captures[0]?.placement ?? []);
      replace(this.#note, wordsOf(facts));
      this.#found();
    } catch (error) {
      replace(this.#note, capital(messageOf(error)));
    }
  }
}

function wordsOf({ cop_number, bound, captures: [best] }: CopsFacts): string {
  if (cop_number === null || best === undefined) {
    return bound === 1 ? "1 cop does not always catch the robber." : `${bound} cops do not always catch the robber.`;
  }
  const moves = best.moves === 1 ? "1 move" : `${best.moves} moves`;
  const placements = best.placements === 1 ? "1 best placement" : `${count(best.placements)} best placements`;
  return `The cop number is ${cop_number}. From ${best.placement.join(", ")} the cops catch the robber in ${moves}; ${placements}.`;
}
