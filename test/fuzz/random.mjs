/** Random choices that are the same for the same seed. */

export function randomFrom(seed) {
  let state = seed >>> 0 || 1;
  const next = () => {
    // mulberry32
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (n) => Math.floor(next() * n);
  return {
    below,
    chance: (share) => next() < share,
    pick: (list) => list[below(list.length)],
    /** Small numbers are much likelier than large ones. */
    few: (most) => 1 + Math.floor(next() ** 3 * most),
  };
}
