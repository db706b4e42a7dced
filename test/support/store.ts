/** `it` for tests that start processes: a store and a marker for each, and nothing left behind. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'vitest';
import { processesWith } from './processes.ts';
import { waitFor } from './wait.ts';

export interface Place {
  /** A folder of the test's own. */
  dir: string;
  /** The store, in it: WIRETAPE_HOME. */
  home: string;
  /** In the environment of everything the test starts, so that it can be found again. */
  marker: string;
  /** An environment without anything of the test runner's. */
  env: NodeJS.ProcessEnv;
}

export function makePlace(): Place {
  const dir = mkdtempSync(join(tmpdir(), 'wiretape-test-'));
  const home = join(dir, 'store');
  const marker = `zoo-${randomBytes(8).toString('hex')}`;
  mkdirSync(join(dir, 'home'));
  const { PATH } = process.env;
  return { dir, home, marker, env: { PATH, HOME: join(dir, 'home'), WIRETAPE_HOME: home, ZOO_MARKER: marker } };
}

/** Ends what the test started and is still there, and removes its folder. */
export async function removePlace({ dir, marker }: Place): Promise<void> {
  await waitFor(() => {
    const left = processesWith(marker);
    for (const { pid } of left) kill(pid);
    return left.length === 0;
  }, 'the end of everything');
  rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Gone by itself.
  }
}

export const it = test.extend<{ place: Place }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest wants a pattern here
  place: async ({}, use) => {
    const place = makePlace();
    try {
      await use(place);
    } finally {
      await removePlace(place);
    }
  },
});
