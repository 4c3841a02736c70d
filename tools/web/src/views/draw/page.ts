import type { Cell, Move } from "dragnet-probe";
import { html, replace } from "../../base/dom.js";
import { capital, sentence } from "../../base/text.js";
import { createBoardCanvas } from "../../board/canvas.js";
import { linkTo } from "../../model/link.js";
import { type Game, shareGame } from "../../model/share.js";
import { ARROW_NAMES, meaningOf, meaningText } from "../../model/letters.js";
import { has, letterOf, pieceAt, squareOf } from "../../model/scenario.js";
import { type Frame } from "../view.js";
import { createAnswer, isPossible, positionOf } from "./answer.js";
import { createGuardsPanel } from "./guards-panel.js";
import { Sights } from "./sights.js";
import { createBoardPanel } from "./board-panel.js";
import { Editor } from "./editor.js";
import { type FilesPanel, createFilesPanel } from "./files-panel.js";
import { type Heat, heatOf, valueAt } from "./heat.js";
import { type Keys, createKeys } from "./keys.js";
import type { Part } from "./part.js";
import { createRulesPanel } from "./rules-panel.js";
import { sceneOf } from "./scene-of.js";
import type { Solver } from "./solver.js";
import { type Solved, type SolvingState, Solving } from "./solving.js";
import { createToolbar } from "./toolbar.js";

/** The time after a change until the address has it, in milliseconds. */
const LINK_DELAY = 400;

/** The page on which a board is drawn and solved. */
export class DrawPage {
  readonly editor: Editor;
  readonly #frame: Frame;
  readonly #solving: Solving;
  readonly #sights: Sights;
  readonly #parts: readonly Part[];
  readonly #canvas = createBoardCanvas("Board", {
    press: (cell, event) => this.#press(cell, event),
    drag: (cell) => this.editor.drag(cell),
    release: (_, cancelled) => (cancelled ? this.editor.cancel() : this.editor.release()),
    hover: (cell) => this.#hover(cell),
    key: (event, cursor) => this.#keys.press(event, cursor),
  });
  readonly #keys: Keys;
  readonly #files: FilesPanel;
  readonly #status = html("p", { class: "status quiet" });
  readonly #host: HTMLElement;
  readonly #listening = new AbortController();
  #heat: Heat | undefined;
  /** The table that the values are from, and which of its values they are. */
  #heatOf: { readonly solved: Solved; readonly key: string } | undefined;
  #pointed: Move | undefined;
  #hovered: Cell | undefined;
  #officer = 0;
  #said = "";
  /** Whether the keyboard was used last, which has its cursor read to users of screen readers. */
  #byKeyboard = false;
  #linkTimer: ReturnType<typeof setTimeout> | undefined;
  /** The hash that this page wrote last. */
  #link = "";

  constructor(host: HTMLElement, frame: Frame, solver: Solver, game: Game) {
    this.#host = host;
    this.#frame = frame;
    this.editor = new Editor(game);
    this.#keys = createKeys(this.editor);
    this.#solving = new Solving(solver, () => {
      this.#show();
      this.#say();
    });
    this.#sights = new Sights(solver, () => this.#draw());
    const answer = createAnswer(this.editor, {
      stop: () => this.#solving.stop(),
      solveAnyway: () => this.#solving.ask(this.editor.state.game, { asked: true }),
      point: (move) => {
        this.#pointed = move;
        this.#draw();
      },
    });
    const toolbar = createToolbar(this.editor);
    const files = (this.#files = createFilesPanel(this.editor, solver, {
      frame,
      solved: () => this.#state.solved,
      link: () => this.#makeLink(),
      keys: () => this.#keys.dialog.showModal(),
    }));
    const board = createBoardPanel(this.editor, solver, frame.fail);
    const rules = createRulesPanel(this.editor, solver);
    const guards = createGuardsPanel(this.editor);
    this.#parts = [toolbar, answer, files, board, rules, guards];
    host.classList.add("draw");
    host.append(
      html("h1", { class: "unseen" }, "Draw a board"),
      html("div", { class: "stage" }, toolbar.element, this.#canvas.element, this.#status),
      html("div", { class: "column" }, answer.element, files.element),
      html("div", { class: "column" }, board.element, rules.element, guards.element),
      this.#keys.dialog,
    );
    document.addEventListener("keydown", (event) => this.#key(event), { signal: this.#listening.signal });
    const input = (event: Event): void => {
      this.#byKeyboard = event.type === "keydown";
    };
    for (const type of ["keydown", "pointermove", "pointerdown"]) {
      host.addEventListener(type, input, { signal: this.#listening.signal, capture: true });
    }
    this.editor.listen((state, before) => {
      // The list that pointed to a move is of another game.
      if (state.game !== before.game) this.#pointed = undefined;
      if (state.game !== before.game || state.drawing !== before.drawing) {
        this.#solving.ask(state.game, { final: !state.drawing });
      }
      if (!state.drawing) this.#writeLink();
      this.#show();
    });
    this.#solving.ask(game);
    this.#show();
  }

  /** The hash that the page has put into the address last. */
  get link(): string {
    return this.#link;
  }

  /** Shows another game under a name. */
  open(game: Game, name: string): void {
    this.#files.setName(name);
    this.editor.replace(game);
  }

  /** Stops everything. */
  close(): void {
    clearTimeout(this.#linkTimer);
    this.#listening.abort();
    this.#files.close();
    this.#solving.close();
    this.#canvas.close();
    this.#host.classList.remove("draw");
  }

  /** How far the solve of the game on the page is. */
  get #state(): SolvingState {
    return this.#solving.of(this.editor.state.game);
  }

  #press(cell: Cell, event: PointerEvent): boolean {
    if (event.button === 1) return false;
    const piece = pieceAt(this.editor.state.game.scenario, cell);
    if (typeof piece === "number") this.#officer = piece;
    const press = { shift: event.shiftKey, alt: event.altKey, right: event.button === 2 };
    this.editor.press(cell, press);
    // What draws nothing does not pan, either.
    return true;
  }

  #key(event: KeyboardEvent): void {
    if (event.defaultPrevented || this.#canvas.element.contains(event.target as Node)) return;
    if ((event.target as Element | null)?.closest?.("input, select, textarea, dialog") != null) return;
    if (this.#keys.press(event)) event.preventDefault();
  }

  #hover(cell: Cell | undefined): void {
    this.#hovered = cell;
    if (this.editor.state.drawing && cell !== undefined) this.editor.drag(cell);
    this.#showStatus();
    if (cell !== undefined && this.#byKeyboard) this.#frame.say(this.#status.textContent ?? "");
  }

  #show(): void {
    const shown = { editor: this.editor.state, solving: this.#state };
    for (const part of this.#parts) part.show(shown);
    this.#draw();
    this.#showStatus();
  }

  /** Draws the board, with its values if it is solved. */
  #draw(): void {
    const { game, turn, outline } = this.editor.state;
    this.#updateHeat();
    this.#sights.ask(game);
    const options = { turn, outline, heat: this.#heat, pointed: this.#pointed, seen: this.#sights.seen };
    this.#canvas.show(sceneOf(game, options));
  }

  #updateHeat(): void {
    const { game, heat, turn } = this.editor.state;
    const { solved } = this.#state;
    const position = positionOf(game, turn, solved?.table);
    const isShown = solved !== undefined && position !== undefined && isPossible(solved.table, position);
    if (heat === "none" || !isShown || (heat === "police" && game.scenario.police.length === 0)) {
      this.#heat = this.#heatOf = undefined;
      return;
    }
    const officer = Math.min(this.#officer, game.scenario.police.length - 1);
    const key = `${heat} ${officer} ${JSON.stringify(position)}`;
    if (solved === this.#heatOf?.solved && key === this.#heatOf.key) return;
    this.#heatOf = { solved, key };
    this.#heat = heatOf(solved, position, heat, officer);
  }

  #showStatus(): void {
    const cell = this.#hovered;
    const { game } = this.editor.state;
    let text = "Draw on the board; press ? for keys";
    if (cell !== undefined && has(game.scenario, cell)) {
      const found = this.#heat === undefined ? undefined : valueAt(this.#heat, cell);
      text = `${found ?? `Row ${cell[0]}, column ${cell[1]}`}${groundText(game, cell)}`;
    }
    if (this.#status.textContent !== text) replace(this.#status, text);
  }

  /** Tells users of screen readers what is new. */
  #say(): void {
    const { kind, solved, trouble } = this.#state;
    const position = positionOf(this.editor.state.game, this.editor.state.turn, solved?.table);
    let text = "";
    if (kind === "solved" && solved !== undefined && position !== undefined && isPossible(solved.table, position)) {
      text = `Solved: ${sentence(solved.table.value(position))}`;
    } else if (kind === "failed") text = capital(trouble ?? "");
    else if (kind === "too-large") text = "Too large to solve unasked";
    else if (kind === "stopped") text = "Stopped";
    if (text === "" || text === this.#said) return;
    this.#said = text;
    this.#frame.say(text);
  }

  async #makeLink(): Promise<string> {
    const { game, turn, heat } = this.editor.state;
    const data = await shareGame(game);
    return linkTo(["draw"], {
      data,
      turn: turn === "police" ? undefined : turn,
      heat: heat === "police" ? undefined : heat,
    });
  }

  #writeLink(): void {
    clearTimeout(this.#linkTimer);
    this.#linkTimer = setTimeout(() => {
      void this.#makeLink().then((link) => {
        if (this.#listening.signal.aborted) return;
        this.#link = link;
        this.#frame.setLink(link, false);
      });
    }, LINK_DELAY);
  }
}

/** Returns what the letter or the arrow of a cell means, as the end of a sentence; nothing of other cells. */
function groundText({ scenario, rules }: Game, cell: Cell): string {
  const letter = letterOf(scenario.squares[squareOf(scenario, cell)]!);
  if (letter === undefined) return "";
  const meaning = ARROW_NAMES[letter]?.toLowerCase() ?? meaningText(meaningOf(rules, letter), letter);
  return `; ${letter}${meaning && `: ${meaning}`}`;
}
