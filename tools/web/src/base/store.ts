/** A state that is replaced as a whole, and the listeners that draw it. */
export class Store<State extends object> {
  #state: State;
  readonly #listeners = new Set<(state: State, before: State) => void>();

  constructor(state: State) {
    this.#state = state;
  }

  /** The state; it must not be changed in place. */
  get state(): State {
    return this.#state;
  }

  /** Replaces some fields of the state and tells the listeners, unless nothing changes. */
  set(change: Partial<State>): void {
    const before = this.#state;
    const keys = Object.keys(change) as (keyof State)[];
    if (keys.every((key) => Object.is(change[key], before[key]))) return;
    this.#state = { ...before, ...change };
    for (const listener of [...this.#listeners]) listener(this.#state, before);
  }

  /** Calls `listener` after each change, until the function that is returned is called. */
  listen(listener: (state: State, before: State) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
