// Answers a stream of positions as `dragnet probe TABLE --stdin` does, by the C interface as WebAssembly.
//
//   node wasm-answer.mjs dragnet.wasm TABLE < positions

import { readFileSync } from "node:fs";

const OUTCOMES = ["draw", "police", "thief"];
const PAGE = 65_536;
const [library, file] = process.argv.slice(2);
const module = new WebAssembly.Module(readFileSync(library));
const imports = WebAssembly.Module.imports(module);
if (imports.length > 0) throw new Error(`expected no imports, found ${JSON.stringify(imports)}`);
const dragnet = new WebAssembly.Instance(module, {}).exports;

/** Returns the address of new pages with at least this many bytes. */
function room(bytes) {
  return dragnet.memory.grow(Math.ceil(bytes / PAGE)) * PAGE;
}

function view() {
  return new DataView(dragnet.memory.buffer);
}

/** Throws the library's message if a call failed. */
function check(status) {
  if (status === 0) return;
  const bytes = new Uint8Array(dragnet.memory.buffer, dragnet.dragnet_last_error());
  throw new Error(new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0))));
}

const bytes = readFileSync(file);
const at = room(bytes.length);
new Uint8Array(dragnet.memory.buffer).set(bytes, at);
// The handle, then a position of 36 bytes, a value of 8 and a source of 40, as dragnet.h declares them. New
// pages are 0.
const cells = room(96);
const position = cells + 8;
const value = position + 40;
const source = value + 8;
view().setUint32(source + 12, at, true);
view().setBigUint64(source + 32, BigInt(bytes.length), true);
const pursuit = 1;
check(dragnet.dragnet_open(source, pursuit, cells));
const table = view().getUint32(cells, true);

let said = "";
for (const line of readFileSync(0, "utf8").trim().split("\n")) {
  const words = line.split(" ");
  const turn = OUTCOMES.indexOf(words.pop());
  const numbers = words.map(Number);
  const officers = numbers.length / 2 - 1;
  const memory = view();
  for (let piece = 0; piece <= officers; piece++) {
    const cell = position + 4 * (piece === officers ? 6 : piece);
    memory.setUint16(cell, numbers[2 * piece], true);
    memory.setUint16(cell + 2, numbers[2 * piece + 1], true);
  }
  memory.setInt32(position + 28, turn, true);
  memory.setInt32(position + 32, officers, true);
  check(dragnet.dragnet_table_value(table, position, value));
  const after = view();
  const outcome = after.getInt32(value, true);
  said += `${OUTCOMES[outcome]}\t${outcome === 0 ? "-" : after.getUint32(value + 4, true)}\n`;
}
process.stdout.write(said);
