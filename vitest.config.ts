import { configDefaults, defineConfig } from 'vitest/config';
import { BUILT_LIBRARY, builtLibrary } from './test/support/built-library.ts';
import { ProcessesFirst } from './test/support/processes-first.ts';
import { runsAll } from './test/support/scale.ts';

// Tests that start processes use the built program: `npm test` builds first. Times and colours are fixed for all.
export default defineConfig({
  plugins: [builtLibrary],
  // Examples in the documents import the package by its name.
  resolve: { alias: { wiretape: new URL('./lib/index.ts', import.meta.url).pathname } },
  test: {
    include: ['test/**/*.test.ts'],
    server: { deps: { external: [BUILT_LIBRARY] } },
    // Real agents are another matter: `npm run compat`.
    exclude: [...configDefaults.exclude, 'test/compat/**', ...(runsAll ? [] : ['test/**/*.long.test.ts'])],
    env: { TZ: 'UTC', NO_COLOR: '1', TERM: 'dumb' },
    // Loading the program costs more than most tests: files that run in one worker share its modules.
    isolate: false,
    // Made for two cores; one more, because many tests wait for processes.
    maxWorkers: 3,
    globalSetup: ['test/support/scratch.ts', 'test/browser/support/notice.ts'],
    sequence: { sequencer: ProcessesFirst },
    // A deadline ends what hangs. What is slow because the machine is busy goes on.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 300_000 } },
    maxConcurrency: 8,
  },
});
