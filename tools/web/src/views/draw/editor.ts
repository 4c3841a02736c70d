import type { Cell, Side } from "dragnet-probe";
import type { BoardRules } from "../../model/board-rules.js";
import { Store } from "../../base/store.js";
import { opponent } from "../../base/text.js";
import { EXIT, OPEN, type Scenario, withOfficers } from "../../model/scenario.js";
import type { Game } from "../../model/share.js";
import { History } from "./history.js";
import { type Stroke, type StrokeEnd, type Tool, beginStroke, painted, pickedTool } from "./tools.js";

/** The state of the editor. */
export interface EditorState {
  readonly game: Game;
  readonly tool: Tool;
  /** The side to move. */
  readonly turn: Side;
  /** The piece whose values colour the board. */
  readonly heat: Side | "none";
  /** The cells to outline while a stroke is drawn. */
  readonly outline: readonly Cell[];
  /** Whether a stroke is being drawn. */
  readonly drawing: boolean;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
}

/** How a button or a key presses on a cell. */
export interface Press {
  readonly shift?: boolean;
  readonly alt?: boolean;
  readonly right?: boolean;
}

/** A board that is drawn, with its history. */
export class Editor extends Store<EditorState> {
  readonly #history = new History();
  #before: Game | undefined;
  #stroke: Stroke | undefined;
  #last: StrokeEnd | undefined;

  constructor(game: Game) {
    super({
      game: counted(game),
      tool: "brush",
      turn: "police",
      heat: "police",
      outline: [],
      drawing: false,
      canUndo: false,
      canRedo: false,
    });
  }

  /** Begins a stroke; returns whether a drag may continue it. */
  press(cell: Cell, { shift = false, alt = false, right = false }: Press): boolean {
    this.cancel();
    const { game, tool } = this.state;
    if (tool === "pick" || alt || (right && tool !== "eraser")) {
      this.set({ tool: pickedTool(game.scenario, cell) });
      return false;
    }
    const stroke = beginStroke(game.scenario, { tool, cell, shift, right, last: this.#last });
    if (stroke === undefined) return false;
    this.#before = game;
    this.#stroke = stroke;
    this.#show(stroke.scenario, true);
    return true;
  }

  /** Draws on to another cell. */
  drag(cell: Cell): void {
    if (this.#stroke === undefined) return;
    this.#stroke.moveTo(cell);
    this.#show(this.#stroke.scenario, true);
  }

  /** Ends the stroke. */
  release(): void {
    const [stroke, before] = [this.#stroke, this.#before];
    if (stroke === undefined || before === undefined) return;
    this.#stroke = undefined;
    this.#last = stroke.end ?? this.#last;
    this.#show(stroke.finish(), false);
    this.#note(before);
  }

  /** Takes the stroke back that is being drawn. */
  cancel(): void {
    if (this.#stroke === undefined || this.#before === undefined) return;
    this.#stroke = undefined;
    this.set({ game: this.#before, outline: [], drawing: false });
  }

  /** Replaces the board and the pieces as a change that can be undone. */
  change(edit: (scenario: Scenario) => Scenario): void {
    this.replace({ ...this.state.game, scenario: edit(this.state.game.scenario) });
  }

  /** Replaces the game as a change that can be undone. */
  replace(game: Game): void {
    this.cancel();
    const before = this.state.game;
    this.#last = undefined;
    this.set({ game: counted(game), outline: [] });
    this.#note(before);
  }

  /** Sets the number of officers: new ones stand beside the others. */
  setOfficers(count: number): void {
    this.change((scenario) => withOfficers(scenario, count));
  }

  /**
   * Replaces the rules as a change that can be undone. Rules with several officers bring that many;
   * those with one officer leave the officers that are drawn.
   */
  setRules(rules: BoardRules): void {
    const { scenario } = this.state.game;
    this.replace({ rules, scenario: rules.officers > 1 ? withOfficers(scenario, rules.officers) : scenario });
  }

  /** Makes a move on the board, and gives the turn to the other side. */
  play(to: Cell | readonly Cell[]): void {
    const { turn } = this.state;
    const cells = (typeof to[0] === "number" ? [to] : to) as readonly Cell[];
    this.change((scenario) => ({
      ...scenario,
      ...(turn === "police" ? { police: cells } : { thief: cells[0] }),
    }));
    this.set({ turn: opponent(turn) });
  }

  /** Clears what is on a cell: a wall or an exit. */
  erase(cell: Cell): void {
    this.change((scenario) => painted(scenario, [cell], OPEN));
  }

  undo(): void {
    this.cancel();
    this.#restore(this.#history.undo(this.state.game));
  }

  redo(): void {
    this.cancel();
    this.#restore(this.#history.redo(this.state.game));
  }

  #restore(game: Game | undefined): void {
    if (game === undefined) return;
    this.#last = undefined;
    this.set({ game, ...this.#can });
  }

  #show(scenario: Scenario, drawing: boolean): void {
    const outline = drawing ? (this.#stroke?.outline ?? []) : [];
    const { game } = this.state;
    const same = scenario === game.scenario;
    this.set({ game: same ? game : counted({ ...game, scenario }), outline, drawing });
  }

  #note(before: Game): void {
    const { game } = this.state;
    if (!isSame(before, game)) this.#history.add(before, game);
    this.set(this.#can);
  }

  get #can(): { canUndo: boolean; canRedo: boolean } {
    return { canUndo: this.#history.canUndo, canRedo: this.#history.canRedo };
  }
}

/** Returns a game whose rules have as many officers as the board. */
function counted(game: Game): Game {
  const officers = Math.max(game.scenario.police.length, 1);
  return game.rules.officers === officers ? game : { ...game, rules: { ...game.rules, officers } };
}

/** Returns whether two games have equal boards, whatever stands on them. */
export function hasSameBoard(one: Game, other: Game): boolean {
  const [a, b] = [one.scenario, other.scenario];
  return (
    a.height === b.height &&
    a.width === b.width &&
    (a.squares === b.squares || a.squares.every((kind, square) => kind === b.squares[square])) &&
    (one.rules === other.rules || JSON.stringify(one.rules) === JSON.stringify(other.rules))
  );
}

function isSame(one: Game, other: Game): boolean {
  return (
    hasSameBoard(one, other) &&
    one.scenario.police.join(";") === other.scenario.police.join(";") &&
    String(one.scenario.thief) === String(other.scenario.thief)
  );
}

/** Returns the number of exits of a board. */
export function exits({ squares }: Scenario): number {
  return squares.reduce((count, kind) => count + Number(kind === EXIT), 0);
}
