/** Tests for an agent: run where it could be installed, skipped with the reason where not. */
import { describe, inject, test, vi } from 'vitest';
import { it } from '../../support/store.ts';
import type { PackageName } from '../install/versions.ts';

export { it };

// Later than the support folder's own, which is meant for agents that start in no time.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 60_000, maxConcurrency: 2 });

export interface Agent {
  folder: string;
  /** The program, by its own name; empty for a library. */
  program: string;
}

/** Describes tests that need all of these packages. In CI only a missing Python excuses one that is not there. */
export function withAgents<const Names extends readonly PackageName[]>(
  names: Names,
  tests: (...agents: { [i in keyof Names]: Agent }) => void,
): void {
  const found = names.map((name) => ({ name, installed: inject('installed')[name] }));
  describe(names[0]!, () => {
    for (const { name, installed } of found) {
      if (!('missing' in installed)) continue;
      const reason = `${name} could not be installed: ${installed.missing}`;
      if (installed.excused || !process.env.CI) return test.skip(reason, () => {});
      return test(`${name} is installed`, () => {
        throw new Error(reason);
      });
    }
    tests(...(found.map(({ installed }) => installed) as { [i in keyof Names]: Agent }));
  });
}
