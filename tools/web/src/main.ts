import { html, replace } from "./base/dom.js";
import { capital, messageOf } from "./base/text.js";
import { type Catalogue, fetchCatalogue } from "./model/catalogue.js";
import { type Place, linkTo, readLink } from "./model/link.js";
import { view as draw } from "./views/draw/index.js";
import { view as graph } from "./views/graph/index.js";
import { view as table } from "./views/table/index.js";
import type { Frame, Mounted, View } from "./views/view.js";
import { view as wave } from "./views/wave/index.js";

const VIEWS: readonly View[] = [table, wave, draw, graph];

/** The frame of the page: the navigation, the trouble, and the view of the present place. */
class Page {
  readonly #host = html("main", { id: "view", tabindex: -1 });
  readonly #trouble = html("p", { id: "trouble", role: "alert", hidden: true });
  readonly #spoken = html("p", { class: "unseen", "aria-live": "polite" });
  readonly #links = new Map<View, HTMLAnchorElement>();
  readonly #frame: Frame;
  /** The hash that the page shows; `undefined` before the first one. */
  #hash: string | undefined;
  #mounted: { readonly view: View; readonly by: Mounted } | undefined;

  constructor(catalogue: Catalogue) {
    this.#frame = {
      catalogue,
      fail: (error) => this.#fail(error),
      say: (sentence) => replace(this.#spoken, sentence),
      setLink: (hash, keep) => {
        if (hash === location.hash) return;
        this.#hash = hash;
        if (keep) this.#trouble.hidden = true;
        if (keep) history.pushState(null, "", hash);
        else history.replaceState(null, "", hash);
      },
      setTitle: (title) => {
        document.title = `${title} – Dragnet`;
      },
    };
    for (const view of VIEWS) this.#links.set(view, html("a", { href: linkTo([view.name], {}) }, view.title));
    document.body.append(
      html(
        "a",
        { class: "skip", href: "#view", click: (event: Event) => this.#skip(event) },
        "Skip to the content",
      ),
      html(
        "header",
        {},
        html("a", { class: "product", href: linkTo(["table"], {}) }, "Dragnet"),
        html("nav", { "aria-label": "Views" }, ...this.#links.values()),
      ),
      this.#trouble,
      this.#host,
      this.#spoken,
    );
    addEventListener("hashchange", () => this.#go());
    addEventListener("popstate", () => this.#go());
    addEventListener("error", ({ error, message }) => this.#fail(error ?? message));
    addEventListener("unhandledrejection", ({ reason }) => this.#fail(reason));
    this.#go();
  }

  /** Shows the place in the address, once for the two events that tell of it. */
  #go(): void {
    if (location.hash === this.#hash) return;
    this.#hash = location.hash;
    this.#trouble.hidden = true;
    try {
      this.#show(readLink(location.hash) ?? { path: ["table"], parameters: new URLSearchParams() });
    } catch (error) {
      this.#fail(error);
    }
  }

  #show(place: Place): void {
    const view = VIEWS.find(({ name }) => name === place.path[0]);
    if (view === undefined) {
      const names = VIEWS.map(({ name }) => name).join(", ");
      throw new Error(`link: expected one of the views ${names}, found ${place.path[0] ?? "none"}`);
    }
    if (this.#mounted?.view === view) {
      this.#mounted.by.show(place);
      return;
    }
    this.#mounted?.by.close();
    this.#mounted = undefined;
    replace(this.#host);
    this.#host.dataset["view"] = view.name;
    for (const [other, link] of this.#links) {
      if (other === view) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    this.#frame.setTitle(view.title);
    this.#mounted = { view, by: view.mount(this.#host, this.#frame, place) };
  }

  #fail(error: unknown): void {
    this.#trouble.hidden = false;
    replace(this.#trouble, capital(messageOf(error)));
  }

  #skip(event: Event): void {
    event.preventDefault();
    this.#host.focus();
  }
}

/** Returns the catalogue; where it cannot be read, an empty one and the reason. */
async function catalogueOrTrouble(): Promise<{ catalogue: Catalogue; trouble?: unknown }> {
  try {
    return { catalogue: await fetchCatalogue() };
  } catch (trouble) {
    return { catalogue: { items: [] }, trouble };
  }
}

const { catalogue, trouble } = await catalogueOrTrouble();
new Page(catalogue);
if (trouble !== undefined) console.warn(messageOf(trouble));
document.documentElement.dataset["ready"] = "true";
