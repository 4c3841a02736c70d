import type { Board, Cell, Move, Position, Side, Value } from "dragnet-probe";
import { isSameCell } from "../model/cell.js";
import { type Table, open } from "dragnet-probe";
import { messageOf } from "../base/text.js";
import { createBoardCanvas } from "../board/canvas.js";
import { valuesOf } from "../board/values.js";
import type { BoardCanvas, Mark, Piece, Scene, Values } from "../board/scene.js";
import { Doors } from "../model/doors.js";
import { layerOf, placeOn, squareUnder } from "../model/layers.js";
import { type Setting, readSetting } from "../model/setting.js";
import { type Choice, choicesOf } from "../views/table/choices.js";
import {
  type PieceName,
  type Placement,
  asked,
  cellOf,
  placed,
  readPlacement,
  sideOf,
} from "../views/table/position.js";
import styles from "./board-element.css";

/** The position on a board, its value, and all moves with their values, best first. */
export interface BoardChange {
  readonly position: Position;
  readonly value: Value;
  readonly moves: readonly Move[];
  /** Whether the user or a script made a move, put a piece elsewhere, or neither. */
  readonly by: "move" | "placement" | "open";
}

/** The events of a {@link DragnetBoard}, by name. */
export interface DragnetBoardEvents {
  /** The table of `src` is open. */
  "dragnet-open": CustomEvent<{ readonly table: Table }>;
  /** The board shows another position. */
  "dragnet-change": CustomEvent<BoardChange>;
  /** The table cannot be read, or an attribute is wrong. */
  "dragnet-error": CustomEvent<{ readonly message: string }>;
}

const HEATS = ["police", "thief", "none"] as const;

/**
 * The element `<dragnet-board>`: the board of a table with the value of each cell, pieces that can be dragged
 * and moves that can be clicked.
 *
 * Its attributes are `src`, the address of a table; `world`, `police`, `thief` and `turn`, the position, in
 * the form of the application's links; `heat`, the piece whose cells are coloured (`police`, `thief` or
 * `none`, by default `thief`); and `fixed`, which lets nobody move a piece. See {@link DragnetBoardEvents}
 * for its events.
 */
export class DragnetBoard extends HTMLElement {
  static readonly observedAttributes = ["src", "world", "police", "thief", "turn", "heat"];

  #canvas: BoardCanvas | undefined;
  #table: Table | undefined;
  /** The setting in the source of the table, once it is there. */
  #setting: Setting | undefined;
  #placement: Placement | undefined;
  #choices: readonly Choice[] = [];
  #values: Values | undefined;
  #doors: Doors | undefined;
  #dragged: PieceName | undefined;
  /** Ends what was asked before; a later question replaces an earlier one. */
  #asking = new AbortController();

  /** The table on the board. Setting it replaces the one of `src`. */
  get table(): Table | undefined {
    return this.#table;
  }

  set table(table: Table | undefined) {
    this.#asking.abort();
    this.#table = table;
    this.#setting = undefined;
    this.#placement = undefined;
    this.#values = undefined;
    this.#choices = [];
    if (table === undefined || this.#canvas === undefined) return;
    this.#doors = new Doors(table);
    this.#tell("dragnet-open", { table });
    this.#place(() => this.#attributed(table), "open");
  }

  /** The position on the board. Setting it is no move. */
  get position(): Position | undefined {
    return this.#placement && asked(this.#placement);
  }

  set position(position: Position | undefined) {
    if (position === undefined || this.#table === undefined) return;
    const { world = 0, police, thief, turn } = position;
    const cells = (typeof police[0] === "number" ? [police] : police) as readonly Cell[];
    this.#place(() => ({ world, police: cells, thief, turn }), "placement");
  }

  /** Makes a move, one of those that the last `dragnet-change` told. Does nothing if it is none of these. */
  play(to: Move["to"]): void {
    const choice = this.#choices.find((choice) => String(choice.to) === String(to));
    if (choice !== undefined) this.#place(() => choice.after, "move");
  }

  connectedCallback(): void {
    const root = this.shadowRoot ?? this.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(styles);
    root.adoptedStyleSheets = [sheet];
    this.#canvas = createBoardCanvas(this.getAttribute("label") ?? "Board", {
      press: (cell) => this.#press(cell),
      drag: (cell) => this.#drag(cell),
      release: () => this.#release(),
      key: (event, cursor) => this.#key(event, cursor),
    });
    root.replaceChildren(this.#canvas.element);
    if (this.#table === undefined) this.#open();
    else this.table = this.#table;
  }

  disconnectedCallback(): void {
    this.#asking.abort();
    this.#canvas?.close();
    this.#canvas = undefined;
  }

  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    if (this.#canvas === undefined || before === after) return;
    const table = this.#table;
    if (name === "src") this.#open();
    else if (table !== undefined) this.#place(() => this.#attributed(table), "placement");
  }

  /** Opens the table of `src`. */
  #open(): void {
    this.#asking.abort();
    const { signal } = (this.#asking = new AbortController());
    const address = this.getAttribute("src");
    if (address === null) return;
    open(new URL(address, this.ownerDocument.baseURI), { signal }).pursuit().then(
      (table) => {
        if (!signal.aborted) this.table = table;
      },
      (error: unknown) => this.#fail(error, signal),
    );
  }

  /** Returns the position that the attributes name. */
  #attributed(table: Table): Placement {
    const parameters = new URLSearchParams();
    for (const name of ["world", "police", "thief", "turn"]) {
      const value = this.getAttribute(name);
      if (value !== null) parameters.set(name, value);
    }
    return readPlacement(parameters, table);
  }

  #heat(): (typeof HEATS)[number] {
    const text = this.getAttribute("heat") ?? "thief";
    const heat = HEATS.find((heat) => heat === text);
    if (heat === undefined) throw new Error(`heat: expected police, thief or none, found ${text}`);
    return heat;
  }

  /** Shows a position, and tells its value. */
  #place(placement: () => Placement, by: BoardChange["by"]): void {
    const table = this.#table;
    if (table === undefined) return;
    this.#asking.abort();
    const { signal } = (this.#asking = new AbortController());
    const answered = async (): Promise<void> => {
      const next = placement();
      const heat = next.police.length === 0 && this.#heat() === "police" ? "none" : this.#heat();
      const answer = await table.load(
        (table) => ({
          value: table.value(asked(next)),
          choices: choicesOf(table, (this.#setting ??= readSetting(table.source(), table.board)), next),
          slice: heat === "none" ? undefined : table.slice(asked(next), heat),
        }),
        { signal },
      );
      if (signal.aborted) return;
      const { value, choices, slice } = answer;
      this.#placement = next;
      this.#choices = choices;
      const { board } = table;
      const layer = heat === "none" ? 0 : layerOf(cellOf(next, heat === "thief" ? "thief" : 0), board);
      this.#values = slice && valuesOf(slice, layer, board);
      this.#draw();
      const moves = choices.map(({ to, position, outcome, dtw }) => ({ to, position, outcome, dtw }));
      this.#tell("dragnet-change", { position: asked(next), value, moves, by });
    };
    answered().catch((error: unknown) => this.#fail(error, signal));
  }

  #draw(): void {
    const [table, placement] = [this.#table, this.#placement];
    if (table === undefined || placement === undefined) return;
    const { board } = table;
    const { height, width } = board;
    const several = placement.police.length > 1;
    const pieces: Piece[] = placement.police.map((place, officer) => {
      const cell = squareUnder(place, board);
      return several ? { side: "police", officer, cell } : { side: "police", cell };
    });
    pieces.push({ side: "thief", cell: squareUnder(placement.thief, board) });
    const scene: Scene = {
      height,
      width,
      squares: this.#doors!.squaresIn(placement.world),
      values: this.#values,
      pieces,
      marks: this.#isFixed || this.#dragged !== undefined ? [] : this.#marks(placement.turn, board),
      wrap: this.#setting?.rules?.wrap ?? "none",
    };
    this.#canvas?.show(scene);
  }

  /** Returns the marks of the moves of a single piece; those of a team have no cell of their own. */
  #marks(turn: Side, board: Board): Mark[] {
    if (turn === "police" && this.#placement!.police.length > 1) return [];
    const marked = new Set<string>();
    const isFirst = ({ targets }: Choice): boolean => {
      const square = squareUnder(targets[0]!, board).join();
      return !marked.has(square) && marked.add(square) !== undefined;
    };
    return this.#choices.filter(isFirst).map(({ targets, outcome, dtw, isBest }) => ({
      cell: squareUnder(targets[0]!, board),
      kind: isBest ? "best" : "move",
      outcome,
      text: dtw === null ? "" : String(dtw),
    }));
  }

  get #isFixed(): boolean {
    return this.hasAttribute("fixed");
  }

  #pieceAt(cell: Cell): PieceName | undefined {
    const [table, placement] = [this.#table, this.#placement];
    if (table === undefined || placement === undefined) return undefined;
    const isThere = (other: Cell): boolean => isSameCell(squareUnder(other, table.board), cell);
    const officer = placement.police.findIndex(isThere);
    if (isThere(placement.thief) && (placement.turn === "thief" || officer < 0)) return "thief";
    return officer < 0 ? undefined : officer;
  }

  #press(cell: Cell): boolean {
    if (this.#isFixed) return false;
    this.#dragged = this.#pieceAt(cell);
    if (this.#dragged === undefined) this.#playTo(cell);
    return this.#dragged !== undefined;
  }

  #playTo(cell: Cell): boolean {
    const [table, { turn, police }] = [this.#table, this.#placement ?? {}];
    if (table === undefined || this.#isFixed || (turn === "police" && police!.length > 1)) return false;
    const isThere = ({ targets }: Choice): boolean => isSameCell(squareUnder(targets[0]!, table.board), cell);
    const choice = this.#choices.find(isThere);
    if (choice === undefined) return false;
    this.#place(() => choice.after, "move");
    return true;
  }

  #drag(cell: Cell): void {
    const [table, placement, piece] = [this.#table, this.#placement, this.#dragged];
    if (table === undefined || placement === undefined || piece === undefined) return;
    const from = cellOf(placement, piece);
    const to = placeOn(table, sideOf(piece), from, cell, layerOf(from, table.board));
    if (to !== undefined && !isSameCell(from, to)) this.#place(() => placed(placement, piece, to), "placement");
  }

  #release(): void {
    this.#dragged = undefined;
    this.#draw();
  }

  #key(event: KeyboardEvent, cursor: Cell): boolean {
    return (event.key === "Enter" || event.key === " ") && this.#playTo(cursor);
  }

  #fail(error: unknown, signal: AbortSignal): void {
    if (!signal.aborted) this.#tell("dragnet-error", { message: messageOf(error) });
  }

  #tell<Name extends keyof DragnetBoardEvents>(name: Name, detail: DragnetBoardEvents[Name]["detail"]): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  override addEventListener<Name extends keyof DragnetBoardEvents>(
    name: Name,
    listener: (this: DragnetBoard, event: DragnetBoardEvents[Name]) => void,
    options?: boolean | AddEventListenerOptions,
  ): void;
  override addEventListener(
    name: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
  override addEventListener(
    name: string,
    listener: never,
    options?: boolean | AddEventListenerOptions,
  ): void {
    super.addEventListener(name, listener, options);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "dragnet-board": DragnetBoard;
  }
}

if (customElements.get("dragnet-board") === undefined) customElements.define("dragnet-board", DragnetBoard);
