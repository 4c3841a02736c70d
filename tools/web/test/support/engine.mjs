// The engine in Node, without a worker.

import { readFile } from "node:fs/promises";
import { load } from "./modules.mjs";

const { EngineFailure, EngineInstance } = await load("engine/instance.ts");
export { EngineFailure };

/** Returns an engine with memory of its own, from built/engine.wasm or another file. */
export async function openEngine(wasm = new URL("../../built/engine.wasm", import.meta.url)) {
  return EngineInstance.create(await WebAssembly.compile(await readFile(wasm)));
}

/** Returns an engine whose memory can grow by `spare` bytes at most: the rest of it is taken. */
export async function openFullEngine(spare) {
  const { instantiate } = WebAssembly;
  let memory;
  WebAssembly.instantiate = async (...given) => {
    const instance = await instantiate(...given);
    memory = instance.exports.memory;
    return instance;
  };
  try {
    const engine = await openEngine();
    const page = 2 ** 16;
    memory.grow(2 ** 16 - (memory.buffer.byteLength + spare) / page);
    return engine;
  } finally {
    WebAssembly.instantiate = instantiate;
  }
}
