// The engine in Node: engine.wasm without a worker, a request at a time.

import { readFile } from "node:fs/promises";

const wasm = new URL("../../built/engine.wasm", import.meta.url);

/** Returns an engine whose `ask(request)` returns the answer `{ text, table, levels, written }`. */
export async function openEngine(path = wasm) {
  const module = await WebAssembly.compile(await readFile(path));
  let levels = [];
  let written = 0;
  const { exports } = await WebAssembly.instantiate(module, {
    dragnet: {
      level: (level, here, decided, positions) => levels.push([level, here, decided, positions]),
      written: (done) => (written = done),
      panicked: (at, len) => {
        throw new Error(`panic: ${new TextDecoder().decode(new Uint8Array(exports.memory.buffer, at, len))}`);
      },
    },
  });
  return {
    exports,
    /** Asks with the bytes of a request. */
    askBytes(bytes) {
      levels = [];
      written = 0;
      const at = exports.request(bytes.length);
      new Uint8Array(exports.memory.buffer, at, bytes.length).set(bytes);
      const text = exports.answer();
      const decoded = new TextDecoder().decode(new Uint8Array(exports.memory.buffer, text, exports.text_len()));
      const table = new Uint8Array(exports.table_len());
      for (let from = 0, number = 0; from < table.length; number += 1) {
        const length = Math.min(exports.piece_len(), table.length - from);
        table.set(new Uint8Array(exports.memory.buffer, exports.piece(number), length), from);
        from += length;
      }
      return { ...JSON.parse(decoded), table, levels, written };
    },
    ask(request) {
      return this.askBytes(new TextEncoder().encode(JSON.stringify(request)));
    },
  };
}
