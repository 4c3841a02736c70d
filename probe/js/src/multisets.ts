/** Returns the number of ways to choose k of n elements. It is exact if k times the result is below 2^53. */
function binomial(n: number, k: number): number {
  let ways = 1;
  for (let i = 0; i < k; i++) ways = (ways * (n - i)) / (i + 1);
  return ways;
}

/** Returns the number of multisets of `size` elements out of n. */
export function multisets(n: number, size: number): number {
  return binomial(n + size - 1, size);
}

/** Returns the number of a multiset, from 0, given its elements in ascending order. */
export function rank(elements: ArrayLike<number>): number {
  let number = 0;
  for (let j = 0; j < elements.length; j++) number += binomial(elements[j]! + j, j + 1);
  return number;
}

/** Returns the multiset of `size` elements that has a number, its elements in ascending order. */
export function unrank(number: number, size: number): number[] {
  const elements = new Array<number>(size);
  let left = number;
  for (let j = size; j > 0; j--) {
    let element = 0;
    while (binomial(element + j, j) <= left) element++;
    elements[j - 1] = element;
    left -= binomial(element + j - 1, j);
  }
  return elements;
}

/**
 * Yields all multisets of `size` elements out of n in the order of their numbers, each in ascending order.
 */
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
