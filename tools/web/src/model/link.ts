/** A place in the application: a view and its parameters. */
export interface Place {
  /** The names of the view and of what it shows, such as `["table", "yard"]`. */
  readonly path: readonly string[];
  readonly parameters: URLSearchParams;
}

/** The version of the form of links. Later versions keep reading older ones. */
const VERSION = "1";

/** Returns the place that a hash names; `undefined` if it is empty. Throws an error if it is no link. */
export function readLink(hash: string): Place | undefined {
  const text = hash.replace(/^#/, "");
  if (text === "") return undefined;
  const [path = "", query = ""] = split(text);
  const [version, ...names] = path.split("/");
  if (version !== VERSION) {
    throw new Error(`link: expected #${VERSION}/… as this version of the application writes it, found #${text}`);
  }
  return { path: names.map(decode), parameters: new URLSearchParams(query) };
}

/** Returns the hash of a place, with `#`. Commas and semicolons stay readable. */
export function linkTo(path: readonly string[], parameters: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, value);
  const text = query.toString().replaceAll("%2C", ",").replaceAll("%3B", ";");
  return `#${[VERSION, ...path.map(encodeURIComponent)].join("/")}${text === "" ? "" : `?${text}`}`;
}

function split(text: string): string[] {
  const at = text.indexOf("?");
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function decode(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    throw new Error(`link: expected percent-encoded text, found ${name}`);
  }
}
