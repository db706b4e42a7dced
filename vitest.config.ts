import { configDefaults, defineConfig } from 'vitest/config';

// Tests that start processes use the built program: `npm test` builds first. Times and colours are fixed for all.
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Real agents are another matter: `npm run compat`.
    exclude: [...configDefaults.exclude, 'test/compat/**'],
    env: { TZ: 'UTC', NO_COLOR: '1', TERM: 'dumb' },
    // Hundreds of real processes on a busy machine: a test that fails once and passes again is shown as such.
    retry: process.env.CI ? 2 : 0,
    // Most of the time tests wait for processes; vitest would leave one of two cores alone.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
