/** Pairs those of an equal key, in the order in which they come. What has no key has no partner. */
export function pairInOrder<T, K>(
  a: readonly T[],
  b: readonly T[],
  keyOfA: (one: T) => K | undefined,
  keyOfB: (one: T) => K | undefined = keyOfA,
): [a: T, b: T][] {
  const waiting = groupByKey([...b].reverse(), keyOfB);
  const pairs: [T, T][] = [];
  if (waiting.size === 0) return pairs;
  for (const one of a) {
    const key = keyOfA(one);
    const other = key === undefined ? undefined : waiting.get(key)?.pop();
    if (other !== undefined) pairs.push([one, other]);
  }
  return pairs;
}

export function groupByKey<T, K>(all: readonly T[], keyOf: (one: T) => K | undefined): Map<K, T[]> {
  const lists = new Map<K, T[]>();
  for (const one of all) {
    const key = keyOf(one);
    if (key === undefined) continue;
    const list = lists.get(key);
    if (list) list.push(one);
    else lists.set(key, [one]);
  }
  return lists;
}
