import { Review, type ReviewedMove, type Rules } from "dragnet-probe";
import { html, replace } from "../../base/dom.js";
import { capital, count, plies, sentence } from "../../base/text.js";
import type { Frame } from "../view.js";
import { resultOf } from "./choices.js";
import type { PlayedGame } from "./match.js";
import { type Placement, asked, cellNames, isEqual } from "./position.js";
import type { Session } from "./session.js";

/** The most moves that are called the worst. */
const MOST_WORST = 3;

/** Returns what a side's moves cost in all, as sentences. */
export function summaryOf(review: Review): string {
  const { moves, errors, blunders, pliesLost, pliesLostPerMove } = review;
  const made = `You made ${count(moves.length)} ${moves.length === 1 ? "move" : "moves"}`;
  if (errors === 0) return `${made}, and none could have been better.`;
  const better = errors === moves.length ? "each" : `${count(errors)} of them`;
  const parts = [`${made}; ${better} could have been better.`];
  if (blunders > 0) parts.push(`${count(blunders)} made the outcome worse.`);
  const mean = pliesLostPerMove.toFixed(1);
  parts.push(`Lost without a worse outcome: ${plies(pliesLost)}, ${mean} per move.`);
  return parts.join(" ");
}

/** Returns what a move cost, such as "lost 2 plies" or "gave the win away". */
export function costText({ cost, best, played, before }: ReviewedMove, undecided: Rules["undecided"]): string {
  if (cost.plies > 0) return `lost ${plies(cost.plies)}`;
  if (cost.drop === 0) return "nothing";
  const [from, to] = [best, played].map(({ outcome }) => resultOf(outcome, before.turn, undecided));
  if (from === "draws") return "gave the draw away";
  return to === "draws" ? "gave the win away for a draw" : "gave the win away";
}

/** The review of a match: what the human's moves cost, and ways to the positions of the worst ones. */
export class ReviewPanel {
  readonly element = html("section", { class: "review", "aria-label": "Review of the game", hidden: true });
  readonly #session: Session;
  readonly #frame: Frame;
  readonly #playAgain: (start: Placement) => void;
  /** The buttons that lead to a position of the history, with its index. */
  #leads: [HTMLButtonElement, number][] = [];
  #game: PlayedGame | undefined;

  /** @param playAgain begins another game from a position */
  constructor(session: Session, frame: Frame, playAgain: (start: Placement) => void) {
    this.#session = session;
    this.#frame = frame;
    this.#playAgain = playAgain;
    session.store.listen(() => this.#mark());
  }

  hide(): void {
    this.#game = undefined;
    this.#leads = [];
    replace(this.element);
    this.element.hidden = true;
  }

  /** Reviews the human's moves in a game, and shows what they cost. */
  show(game: PlayedGame): void {
    this.hide();
    this.#game = game;
    this.#load(game).catch((error: unknown) => {
      if (this.#game === game && !this.#session.closed.aborted) this.#frame.fail(error);
    });
  }

  async #load(game: PlayedGame): Promise<void> {
    const { human, history, first } = game;
    const positions = history.slice(first).map(({ placement }) => asked(placement));
    const signal = this.#session.closed;
    const review = await this.#session.table.load((table) => new Review(table, positions, human), { signal });
    if (this.#game !== game) return;
    const start = history[first]!.placement;
    const again = html("button", { type: "button", click: () => this.#playAgain(start) }, "Play again");
    const worst = review.worst(MOST_WORST);
    const list = html("ol", { class: "worst" }, ...worst.map((move) => this.#worstItem(move, review, game)));
    replace(
      this.element,
      html("h3", {}, "Review"),
      html("p", {}, review.moves.length === 0 ? "You made no move." : summaryOf(review)),
      worst.length > 0 && html("h3", {}, worst.length === 1 ? "Your worst move" : "Your worst moves"),
      worst.length > 0 && list,
      review.moves.length > 0 && this.#allMoves(review, game),
      html("div", { class: "row" }, again),
    );
    this.element.hidden = false;
    this.#mark();
  }

  #worstItem(move: ReviewedMove, review: Review, game: PlayedGame): HTMLElement {
    const { table } = this.#session;
    const { played, best, before } = move;
    const name = ({ to }: typeof best): string => cellNames(to, before.turn, this.#session);
    const number = review.moves.indexOf(move) + 1;
    const cost = costText(move, table.rules.undecided);
    const words =
      `You went to ${name(played)}: ${sentence(played)}. ` +
      `Best was ${name(best)}: ${sentence(best)}.`;
    const lead = this.#lead(`Move ${number}: ${cost}`, move.ply, game);
    return html("li", {}, lead, html("p", {}, words));
  }

  /** Returns a table of all moves with what each lost. */
  #allMoves(review: Review, game: PlayedGame): HTMLElement {
    const { table } = this.#session;
    const head = ["Move", "Played", "Best", "Cost"].map((title) => html("th", { scope: "col" }, title));
    const rows = review.moves.map((move, k) => {
      const lead = this.#lead(String(k + 1), move.ply, game);
      const name = ({ to }: typeof move.best): string => cellNames(to, move.before.turn, this.#session);
      return html(
        "tr",
        {},
        html("th", { scope: "row" }, lead),
        html("td", {}, name(move.played)),
        html("td", {}, name(move.best)),
        html("td", {}, capital(costText(move, table.rules.undecided))),
      );
    });
    const body = html("tbody", {}, ...rows);
    const grid = html("table", {}, html("thead", {}, html("tr", {}, ...head)), body);
    const scroll = html("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Your moves" }, grid);
    return html("details", {}, html("summary", {}, "All your moves"), scroll);
  }

  /** Returns a button that shows the position before a move, with an arrow for the move that was made. */
  #lead(text: string, ply: number, game: PlayedGame): HTMLButtonElement {
    const at = game.first + ply;
    const show = (): void => {
      this.#session.revisit(game.history, at);
      const after = game.history[at + 1]!.placement;
      const { answer } = this.#session.store.state;
      this.#session.store.set({ pointed: answer?.choices.find((choice) => isEqual(choice.after, after)) });
      document.querySelector(".table-board")?.scrollIntoView({ block: "nearest" });
    };
    const purpose = html("span", { class: "unseen" }, ", show its position");
    const title = "Show the position before this move";
    const lead = html("button", { type: "button", title, click: show }, text, purpose);
    this.#leads.push([lead, at]);
    return lead;
  }

  /** Marks the buttons of the position that is shown. */
  #mark(): void {
    const { at, placement } = this.#session.store.state;
    for (const [lead, index] of this.#leads) {
      const isShown = index === at && isEqual(this.#game!.history[index]!.placement, placement);
      if (isShown) lead.setAttribute("aria-current", "step");
      else lead.removeAttribute("aria-current");
    }
  }
}
