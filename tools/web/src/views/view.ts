import type { Catalogue } from "../model/catalogue.js";
import type { Place } from "../model/link.js";

/** The services of the frame of the page for a view. */
export interface Frame {
  readonly catalogue: Catalogue;
  /** Shows a trouble above the view until the next place. */
  fail(error: unknown): void;
  /** Has a sentence read to users of screen readers. */
  say(sentence: string): void;
  /**
   * Puts the state of the view into the address. `keep` adds an entry to the browser's history; otherwise the
   * present entry is replaced. The view is not told.
   */
  setLink(hash: string, keep: boolean): void;
  /** Names the page in the window's title. */
  setTitle(title: string): void;
}

/** A view that stands in the page. */
export interface Mounted {
  /** Shows another place of the same view, after the user went back, or changed the address. */
  show(place: Place): void;
  /** Stops everything that runs. The frame removes the elements. */
  close(): void;
}

/** One of the views. */
export interface View {
  /** The first name in its links. */
  readonly name: string;
  /** The title in the navigation. */
  readonly title: string;
  /** Builds the view into an empty element, and shows a place. */
  mount(host: HTMLElement, frame: Frame, place: Place): Mounted;
}
