import { html } from "../../base/dom.js";

/** How long the browser may need to take over a file, in milliseconds. */
const PATIENCE = 60_000;

/** Has the browser save bytes as a file. */
export function save(name: string, bytes: Uint8Array): void {
  const url = URL.createObjectURL(new Blob([bytes as Uint8Array<ArrayBuffer>]));
  const link = html("a", { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), PATIENCE);
}
