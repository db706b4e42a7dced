import { configDefaults, defineConfig } from 'vitest/config';
import { BUILT_LIBRARY, builtLibrary } from './test/support/built-library.ts';
import { SlowFirst } from './test/support/slow-first.ts';

// Tests that start processes use the built program: `npm test` builds first. Times and colours are fixed for all.
export default defineConfig({
  plugins: [builtLibrary],
  // Examples in the documents import the package by its name.
  resolve: { alias: { wiretape: new URL('./lib/index.ts', import.meta.url).pathname } },
  test: {
    include: ['test/**/*.test.ts'],
    server: { deps: { external: [BUILT_LIBRARY] } },
    // Real agents are another matter: `npm run compat`.
    exclude: [...configDefaults.exclude, 'test/compat/**'],
    env: { TZ: 'UTC', NO_COLOR: '1', TERM: 'dumb' },
    // Loading the program costs more than most tests: files that run in one worker share its modules.
    isolate: false,
    // Made for two cores; one more, because many tests wait for processes.
    maxWorkers: 3,
    globalSetup: ['test/support/scratch.ts', 'test/browser/support/notice.ts'],
    sequence: { sequencer: SlowFirst },
    // Processes are slow to start on a busy machine: a deadline is an upper bound, never a measurement.
    testTimeout: 60_000,
    hookTimeout: 180_000,
    maxConcurrency: 8,
  },
});
