import type { EditorState } from "./editor.js";
import type { SolvingState } from "./solving.js";

/** The state that the parts of the page show. */
export interface Shown {
  readonly editor: EditorState;
  readonly solving: SolvingState;
  /** Whether the newest table is of the board that is shown. */
  readonly current: boolean;
}

/** A part of the page. */
export interface Part {
  readonly element: HTMLElement;
  /** Shows the state. */
  show(shown: Shown): void;
}
