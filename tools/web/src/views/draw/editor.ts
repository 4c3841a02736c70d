import type { Cell, Position, Side } from "dragnet-probe";
import type { BoardRules } from "../../model/board-rules.js";
import { Store } from "../../base/store.js";
import { layerOf, squareUnder } from "../../model/layers.js";
import { STUFF, isMeant, withMeaning } from "../../model/letters.js";
import { EXIT, OPEN, type Scenario, hasPolice, letterOf, settled, withOfficers } from "../../model/scenario.js";
import type { Game, Moment } from "../../model/share.js";
import { History } from "./history.js";
import { type Stroke, type StrokeEnd, type Tool, beginStroke, painted, pickedTool } from "./tools.js";

/** The state of the editor. */
export interface EditorState {
  readonly game: Game;
  readonly tool: Tool;
  /** The character that the tool `letter` draws. */
  readonly letter: string;
  /** The number of the guard whose round is being drawn. */
  readonly guard: number | undefined;
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
      letter: STUFF[0]!.letter,
      guard: undefined,
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
    const { game, tool, letter, guard } = this.state;
    if (tool === "pick" || alt || (right && tool !== "eraser")) {
      this.choose(pickedTool(game.scenario, cell));
      return false;
    }
    const stroke = beginStroke(game.scenario, { tool, letter, guard, cell, shift, right, last: this.#last });
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
    if (this.state.tool !== "guard") return;
    // A click on the square where the round ends, ends it.
    const { guard } = this.state;
    const { guards } = this.state.game.scenario;
    const isDone = guard !== undefined && isSame(before, this.state.game);
    this.set({ guard: isDone ? undefined : (guard ?? guards.length - 1) });
  }

  /** Takes a tool, and its letter. What the tool before was drawing is done. */
  choose(choice: Pick<EditorState, "tool"> & Partial<Pick<EditorState, "letter">>): void {
    this.cancel();
    this.set({ ...choice, guard: undefined });
  }

  /** Takes the stroke back that is being drawn. */
  cancel(): void {
    if (this.#stroke === undefined || this.#before === undefined) return;
    this.#stroke = undefined;
    this.set({ game: this.#before, outline: [], drawing: false });
  }

  /** Replaces the board and the pieces as a change that can be undone. The game begins anew. */
  change(edit: (scenario: Scenario) => Scenario): void {
    const { scenario, rules } = this.state.game;
    this.replace({ scenario: edit(scenario), rules });
  }

  /** Replaces the game as a change that can be undone. */
  replace(game: Game): void {
    this.cancel();
    const before = this.state.game;
    this.#last = undefined;
    this.set({ game: counted(game), outline: [], guard: undefined });
    this.#note(before);
  }

  /** Sets the number of officers: new ones stand beside the others. */
  setOfficers(count: number): void {
    this.change((scenario) => withOfficers(scenario, count));
  }

  /**
   * Replaces the rules as a change that can be undone. Rules with another number of officers than 1 bring
   * that many; those with one officer leave the officers that are drawn.
   */
  setRules(rules: BoardRules): void {
    const { scenario } = this.state.game;
    const { officers } = rules;
    this.replace({ rules, scenario: officers === 1 ? scenario : settled(withOfficers(scenario, officers)) });
  }

  /** Shows a position, such as that after a move. */
  place({ world, police, thief, turn }: Position): void {
    const { scenario, rules } = this.state.game;
    const given = (typeof police[0] === "number" ? [police] : police) as readonly Cell[];
    const officers = given.slice(0, scenario.police.length);
    const under = (cell: Cell): Cell => squareUnder(cell, scenario);
    const moment: Moment = { world: world ?? 0, layers: [...officers, thief].map((cell) => layerOf(cell, scenario)) };
    this.replace({
      rules,
      scenario: { ...scenario, police: officers.map(under), thief: under(thief) },
      ...(moment.world + Math.max(...moment.layers) > 0 && { moment }),
    });
    this.set({ turn });
  }

  /** Clears what is on a cell: a wall, an exit or a letter. */
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
    const { guard } = this.state;
    const isThere = guard !== undefined && guard < game.scenario.guards.length;
    this.set({ game, guard: isThere ? guard : undefined, ...this.#can });
  }

  #show(scenario: Scenario, drawing: boolean): void {
    const outline = drawing ? (this.#stroke?.outline ?? []) : [];
    const { game } = this.state;
    const same = scenario === game.scenario;
    this.set({ game: same ? game : counted({ scenario, rules: this.#meant(game.rules) }), outline, drawing });
  }

  /** Returns rules in which the letter that is drawn has its usual meaning, unless it has one. */
  #meant(rules: BoardRules): BoardRules {
    const { tool, letter } = this.state;
    const stuff = STUFF.find((stuff) => stuff.letter === letter);
    return tool !== "letter" || stuff === undefined || isMeant(rules, letter)
      ? rules
      : withMeaning(rules, letter, stuff.meaning);
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

/** Returns a game whose rules have as many officers as the board; 1 if it has neither officers nor guards. */
function counted(game: Game): Game {
  const officers = hasPolice(game.scenario) ? game.scenario.police.length : 1;
  return game.rules.officers === officers ? game : { ...game, rules: { ...game.rules, officers } };
}

/** Returns whether two games have equal boards, whatever stands on them. */
export function hasSameBoard(one: Game, other: Game): boolean {
  const [a, b] = [one.scenario, other.scenario];
  return (
    a.height === b.height &&
    a.width === b.width &&
    (a.squares === b.squares || a.squares.every((kind, square) => kind === b.squares[square])) &&
    isAlike(one.rules, other.rules) &&
    isAlike(a.guards, b.guards)
  );
}

function isAlike(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

function isSame(one: Game, other: Game): boolean {
  return (
    hasSameBoard(one, other) &&
    one.scenario.police.join(";") === other.scenario.police.join(";") &&
    String(one.scenario.thief) === String(other.scenario.thief) &&
    isAlike(one.moment, other.moment)
  );
}

/** Returns the number of exits, letters and arrows of a board. */
export function marks({ squares }: Scenario): number {
  return squares.reduce((count, kind) => count + Number(kind === EXIT || letterOf(kind) !== undefined), 0);
}
