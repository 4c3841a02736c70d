import { inflated, linkData, linkDataBytes } from "./packed.js";

const VERSION = 1;
/** The most bytes of a text in a link. */
const MOST_BYTES = 2 ** 20;

/** Returns the data of a link to a text, such as a graph: the version, one byte, and the deflated UTF-8. */
export async function shareText(text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length > MOST_BYTES) {
    throw new Error(`link: expected a text of at most ${MOST_BYTES} bytes, found ${bytes.length}`);
  }
  return linkData(VERSION, bytes);
}

/** Reads the data of a link to a text. Throws an error, whose message names the trouble, if it is none. */
export async function readSharedText(data: string): Promise<string> {
  const bytes = await inflated(linkDataBytes(data, VERSION, MOST_BYTES), MOST_BYTES);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Error("link: expected a text in UTF-8, found other bytes");
  }
}
