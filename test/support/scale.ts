/**
 * How much of the suite runs. `npm test` runs what people run all the time: each promise, with a share of the tapes and of the
 * random cases. `npm run test:all`, which `.ci/run` runs, has every tape and every case, and the files called `*.long.test.ts`.
 */

export const runsAll = process.env.WIRETAPE_TESTS === 'all';

/** In the short run, one random case in this many. */
const SHARE = 5;

/** So many random cases, or WIRETAPE_ROUNDS of them if that is set. */
export function cases(whole: number): number {
  const asked = Number(process.env.WIRETAPE_ROUNDS);
  if (asked > 0) return asked;
  return runsAll ? whole : Math.ceil(whole / SHARE);
}

/** All of these, or at most so many in the short run: the first, the last, and others at equal distances. */
export function sample<T>(all: readonly T[], most: number): T[] {
  if (runsAll || all.length <= most) return [...all];
  if (most === 1) return all.slice(0, 1);
  return Array.from({ length: most }, (_, at) => all[Math.round((at * (all.length - 1)) / (most - 1))]!);
}
