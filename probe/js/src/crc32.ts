/** The lookup tables for eight bytes at a time; the first is the classic table for one byte. */
const TABLES = makeTables();

function makeTables(): Int32Array[] {
  const plain = new Int32Array(256);
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
    plain[byte] = crc;
  }
  const tables = [plain];
  for (let k = 1; k < 8; k++) {
    tables.push(tables[k - 1]!.map((crc) => (crc >>> 8) ^ plain[crc & 0xff]!));
  }
  return tables;
}

/**
 * Returns the CRC-32 of `bytes[start, end)`, as zlib, PNG and Ethernet define it, as an unsigned 32-bit
 * number.
 *
 * @param before the CRC of the bytes that precede these, 0 if there are none
 */
export function crc32(bytes: Uint8Array, start = 0, end = bytes.length, before = 0): number {
  const [t0, t1, t2, t3, t4, t5, t6, t7] = TABLES as [
    Int32Array, Int32Array, Int32Array, Int32Array, Int32Array, Int32Array, Int32Array, Int32Array,
  ];
  let crc = ~before;
  let at = start;
  for (; at + 8 <= end; at += 8) {
    crc ^= bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
    crc =
      t7[crc & 0xff]! ^ t6[(crc >>> 8) & 0xff]! ^ t5[(crc >>> 16) & 0xff]! ^ t4[crc >>> 24]! ^
      t3[bytes[at + 4]!]! ^ t2[bytes[at + 5]!]! ^ t1[bytes[at + 6]!]! ^ t0[bytes[at + 7]!]!;
  }
  for (; at < end; at++) crc = (crc >>> 8) ^ t0[(crc ^ bytes[at]!) & 0xff]!;
  return ~crc >>> 0;
}

const prefix = new Uint8Array(12);
const prefixView = new DataView(prefix.buffer);

/**
 * Returns the checksum of an index page or a block: the CRC-32 of the table's seed (u32), a number that says
 * which part of the file it is (u64), and `bytes[start, end)`. It fails for a part that was moved or comes
 * from another table.
 *
 * @param part the page number, or the block's offset in the data section
 */
export function crc32OfPart(seed: number, part: number, bytes: Uint8Array, start: number, end: number): number {
  prefixView.setUint32(0, seed, true);
  prefixView.setUint32(4, part >>> 0, true);
  prefixView.setUint32(8, Math.floor(part / 2 ** 32), true);
  return crc32(bytes, start, end, crc32(prefix));
}

/** Returns a CRC, a digest or a key in hexadecimal digits. */
export function hex(value: number | bigint, digits: number): string {
  return value.toString(16).padStart(digits, "0");
}
