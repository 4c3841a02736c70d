/** A child of an element: another element, a text, or nothing. */
export type Child = Node | string | null | undefined | false;

type Attributes = Readonly<Record<string, string | number | boolean | ((event: never) => void) | undefined>>;

const SVG = "http://www.w3.org/2000/svg";

/**
 * Returns a new HTML element. Attributes whose value is a function are listeners, named by the event; those
 * that are `undefined` or `false` are left out.
 */
export function html<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  return filled(document.createElement(name), attributes, children);
}

/** Returns a new SVG element; attributes as for {@link html}. */
export function svg<K extends keyof SVGElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

/** Replaces the children of an element. */
export function replace(parent: Element, ...children: Child[]): void {
  parent.replaceChildren(...children.filter(isChild));
}

function filled<E extends Element>(element: E, attributes: Attributes, children: readonly Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value as EventListener);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== undefined && value !== false) element.setAttribute(name, String(value));
  }
  element.append(...children.filter(isChild));
  return element;
}

function isChild(child: Child): child is Node | string {
  return child !== null && child !== undefined && child !== false;
}
