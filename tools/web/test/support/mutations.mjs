// Requests that somebody has damaged, the same ones in each run.

/** Returns a function that returns a number from 0 to `below` - 1 (xorshift). */
export function randomNumbers(seed) {
  let state = seed;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

const VALUES = [
  null, true, "", "\u0000", "🙂", "classic", "none", -1, 0, 1, 2, 6, 7, 255, 256, 65535, 65536, 2 ** 31, 2 ** 32,
  2 ** 53, 1e300, 0.5, [], [[]], {}, [[0, 0]], [3], { offsets: [[40000, 1]] }, { offsets: [] },
];
const CHARACTERS = "#*.EPT @ \n\r\t0129-u~:&?é";

/** Returns the bytes of a request that differs from `request` in a few places. */
export function mutated(request, random) {
  const copy = structuredClone(request);
  for (let times = 1 + random(2); times > 0; times -= 1) change(copy, random);
  const text = JSON.stringify(copy);
  const bytes = Buffer.from(text);
  // Now and then the JSON itself is damaged.
  if (random(8) === 0) bytes[random(bytes.length)] = random(256);
  if (random(32) === 0) return bytes.subarray(0, random(bytes.length));
  return bytes;
}

/** Changes one value of an object or list, at any depth. */
function change(object, random) {
  const keys = Object.keys(object);
  const key = keys[random(keys.length)];
  const value = object[key];
  // The limit stays: a large game would take long.
  if (key === undefined || key === "memory") return;
  if (typeof value === "object" && value !== null && random(4) > 0) return change(value, random);
  if (typeof value === "string" && random(4) > 0) {
    object[key] = changedText(value, random);
  } else if (typeof value === "number" && random(3) > 0) {
    object[key] = random(12);
  } else if (random(3) === 0 && !Array.isArray(object)) {
    delete object[key];
  } else if (random(9) === 0) {
    object[`${key}x`] = value;
  } else {
    object[key] = structuredClone(VALUES[random(VALUES.length)]);
  }
}

function changedText(text, random) {
  const characters = [...text];
  for (let times = 1 + random(3); times > 0; times -= 1) {
    const at = random(characters.length + 1);
    const character = [...CHARACTERS][random([...CHARACTERS].length)];
    characters.splice(at, random(2), ...(random(4) === 0 ? [] : [character]));
  }
  // A text that is repeated is long.
  return random(40) === 0 ? characters.join("").repeat(50) : characters.join("");
}
