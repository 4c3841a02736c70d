import { html } from "./dom.js";

/** How long the browser may need to take over a file, in milliseconds. */
const PATIENCE = 60_000;

/** Has the browser save a file. */
export function download(name: string, content: Uint8Array | string, type = "application/octet-stream"): void {
  const url = URL.createObjectURL(new Blob([content as BlobPart], { type }));
  html("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), PATIENCE);
}
