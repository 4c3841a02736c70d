/**
 * The number of ways to choose k of n. Exact as long as k times it is below 2^53.
 */
function binomial(n: number, k: number): number {
  let ways = 1;
  for (let i = 0; i < k; i++) ways = (ways * (n - i)) / (i + 1);
  return ways;
}

/** How many multisets of a size there are over n elements. */
export function multisets(n: number, size: number): number {
  return binomial(n + size - 1, size);
}

/** The number, from 0, of the multiset of these elements, which do not fall. */
export function rank(elements: ArrayLike<number>): number {
  let number = 0;
  for (let j = 0; j < elements.length; j++) number += binomial(elements[j]! + j, j + 1);
  return number;
}

/** All multisets of a size over n elements, each rising, in the order of their numbers. */
export function* allMultisets(n: number, size: number): Generator<number[]> {
  const elements = new Array<number>(size).fill(0);
  for (;;) {
    yield elements.slice();
    let next = 0;
    while (next < size && elements[next]! + 1 > (next + 1 < size ? elements[next + 1]! : n - 1)) next++;
    if (next === size) return;
    elements[next]!++;
    elements.fill(0, 0, next);
  }
}
