import { Cache } from "../../dist/cache.js";
import { crc32, crc32OfPart } from "../../dist/crc32.js";
import { FileBytes } from "../../dist/file-bytes.js";
import { readHeader } from "../../dist/header.js";
import { readBeginning } from "../../dist/preamble.js";
import { Store } from "../../dist/store.js";

const PAGE = 512;
const ENTRIES = 63;

/** Returns the offsets of the parts of an intact table. */
export function layout(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const headerEnd = 28 + view.getUint32(12, true);
  const indexStart = Math.ceil(headerEnd / PAGE) * PAGE;
  const dataStart = bytes.length - Number(view.getBigUint64(16, true));
  return { view, headerEnd, indexStart, dataStart, pages: (dataStart - indexStart) / PAGE };
}

/** Returns the extents of a table, each with the offset of the first index entry that refers to it. */
export function extents(bytes, { view, indexStart, dataStart, pages } = layout(bytes)) {
  const found = new Map();
  for (let page = 0; page < pages; page++) {
    for (let k = 0; k < ENTRIES; k++) {
      const at = indexStart + page * PAGE + 8 * k;
      const high = view.getUint32(at + 4, true);
      const offset = view.getUint32(at, true);
      if (high >>> 30 === 0 || found.has(offset)) continue;
      const length = (high >>> 8) & 0x3fffff;
      found.set(offset, { at, kind: high >>> 30, offset, start: dataStart + offset, end: dataStart + offset + length });
    }
  }
  return [...found.values()];
}

/** Recomputes every checksum of a changed table, so that readers look beyond them. */
export function repair(bytes, places = layout(bytes)) {
  const { view, headerEnd, indexStart, pages } = places;
  const seed = crc32(bytes, 28, headerEnd);
  view.setUint32(24, crc32(bytes, 28, headerEnd, crc32(bytes, 0, 24)), true);
  for (const { offset, start, end } of extents(bytes, places)) {
    if (start + 4 > bytes.length) continue;
    view.setUint32(start, crc32OfPart(seed, offset, bytes, start + 4, Math.min(end, bytes.length)), true);
  }
  for (let page = 0; page < pages; page++) {
    const start = indexStart + page * PAGE;
    view.setUint32(start + ENTRIES * 8, crc32OfPart(seed, page, bytes, start, start + ENTRIES * 8), true);
  }
  return bytes;
}

/** Returns a copy of a table with another body in its first extent. */
export function withBody(bytes, kind, body) {
  const { view, indexStart, dataStart, pages } = layout(bytes);
  const [first] = extents(bytes);
  const more = 4 + body.length - (first.end - first.start);
  const changed = new Uint8Array(bytes.length + more);
  changed.set(bytes.subarray(0, first.start + 4));
  changed.set(body, first.start + 4);
  changed.set(bytes.subarray(first.end), first.end + more);
  const copy = new DataView(changed.buffer);
  copy.setBigUint64(16, BigInt(bytes.length - dataStart + more), true);
  for (let page = 0; page < pages; page++) {
    for (let at = indexStart + page * PAGE; at < indexStart + page * PAGE + ENTRIES * 8; at += 8) {
      if (view.getUint32(at + 4, true) >>> 30 === 0) continue;
      const offset = view.getUint32(at, true);
      if (offset > first.offset) copy.setUint32(at, offset + more, true);
      if (offset !== first.offset) continue;
      copy.setUint32(at + 4, ((kind << 30) | ((4 + body.length) << 8)) >>> 0, true);
    }
  }
  return repair(changed);
}

/** Returns the extents of a pursuit table that hold positions, and not sections. */
export function positionExtents(bytes) {
  const file = FileBytes.whole(bytes);
  const blocks = new Store(file, readHeader(readBeginning(file)), new Cache(0)).block(1, 0, 0);
  const end = layout(bytes).indexStart + Math.floor(blocks / ENTRIES) * PAGE + (blocks % ENTRIES) * 8;
  return extents(bytes).filter(({ at }) => at < end);
}
