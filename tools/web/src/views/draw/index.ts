import { html } from "../../base/dom.js";
import { fetchFile } from "../../base/fetch.js";
import type { Place } from "../../model/link.js";
import { CLASSIC } from "../../model/rules-text.js";
import { settled } from "../../model/scenario.js";
import { type Game, readSharedGame } from "../../model/share.js";
import type { Frame, Mounted, View } from "../view.js";
import { createSolver } from "./engine-solver.js";
import { DrawPage } from "./page.js";
import { SAMPLES, gameOf } from "./samples.js";
import type { Solver } from "./solver.js";

export const view: View = {
  name: "draw",
  title: "Draw",
  mount: (host, frame, place) => new DrawView(host, frame, place),
};

/** The most bytes of a board beside the pages. */
const MOST_BOARD = 4 * 2 ** 20;

/** The view of a board that is drawn: shows the places that links name. */
class DrawView implements Mounted {
  readonly #solver: Solver = createSolver();
  readonly #host: HTMLElement;
  readonly #frame: Frame;
  #page: DrawPage | undefined;
  #shown = 0;

  constructor(host: HTMLElement, frame: Frame, place: Place) {
    this.#host = host;
    this.#frame = frame;
    host.append(html("p", { class: "quiet loading" }, "Opening…"));
    this.show(place);
  }

  show(place: Place): void {
    if (this.#page !== undefined && location.hash === this.#page.link) return;
    const number = ++this.#shown;
    this.#open(place)
      .catch((error: unknown) => {
        this.#frame.fail(error);
        // Without a page there would be nothing to draw on.
        return this.#page === undefined ? sample(undefined) : undefined;
      })
      .then((opened) => {
        if (number !== this.#shown || opened === undefined) return;
        const { game, name } = opened;
        if (this.#page === undefined) {
          this.#host.replaceChildren();
          this.#page = new DrawPage(this.#host, this.#frame, this.#solver, game);
        }
        this.#page.open(game, name);
        this.#choose(place);
      })
      .catch((error: unknown) => this.#frame.fail(error));
  }

  close(): void {
    this.#shown++;
    if (this.#page === undefined) this.#solver.close();
    this.#page?.close();
  }

  async #open({ parameters }: Place): Promise<{ game: Game; name: string }> {
    const [data, item] = [parameters.get("data"), parameters.get("item")];
    if (data !== null) return { game: settledGame(await readSharedGame(data)), name: "board" };
    if (item !== null) return { game: await this.#fetch(item), name: item };
    return sample(parameters.get("sample") ?? undefined);
  }

  async #fetch(name: string): Promise<Game> {
    const boards = this.#frame.catalogue.items.filter(({ kind }) => kind === "board");
    const item = boards.find((item) => item.name === name);
    if (item === undefined) {
      const names = boards.map(({ name }) => name).join(", ") || "none";
      throw new Error(`there is no board called ${name} here; boards: ${names}`);
    }
    const answer = await fetchFile(item.url);
    const length = Number(answer.headers.get("content-length") ?? 0);
    if (length > MOST_BOARD)
      throw new Error(`${item.url}: expected at most ${MOST_BOARD} bytes, found ${length}`);
    return { scenario: settled(await this.#solver.read(await answer.text())), rules: CLASSIC };
  }

  /** Applies the parameters of a place that are no board. */
  #choose({ parameters }: Place): void {
    const choose = <T extends string>(name: string, choices: readonly T[]): T => {
      const found = parameters.get(name) ?? choices[0]!;
      const choice = choices.find((choice) => choice === found);
      if (choice === undefined)
        this.#frame.fail(`link: ${name}: expected ${choices.join(" or ")}, found ${found}`);
      return choice ?? choices[0]!;
    };
    const turn = choose("turn", ["police", "thief"] as const);
    this.#page?.editor.set({ turn, heat: choose("heat", ["police", "thief", "none"] as const) });
  }
}

function sample(name: string | undefined): { game: Game; name: string } {
  const [first] = SAMPLES;
  const found = name === undefined ? first : SAMPLES.find((sample) => sample.name === name);
  if (found === undefined) {
    throw new Error(`link: sample: expected ${SAMPLES.map(({ name }) => name).join(" or ")}, found ${name}`);
  }
  return { game: gameOf(found), name: found.name };
}

function settledGame(game: Game): Game {
  return { ...game, scenario: settled(game.scenario) };
}
