import type { EditorState } from "./editor.js";
import type { SolvingState } from "./solving.js";

/** The state that the parts of the page show. */
export interface Shown {
  readonly editor: EditorState;
  /** How far the solve of the board that is shown is. */
  readonly solving: SolvingState;
}

/** A part of the page. */
export interface Part {
  readonly element: HTMLElement;
  /** Shows the state. */
  show(shown: Shown): void;
}
