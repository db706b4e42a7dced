import { defineConfig } from 'vitest/config';

// Tests that start processes use the built program: `npm test` builds first. Times and colours are fixed for all.
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    env: { TZ: 'UTC', NO_COLOR: '1', TERM: 'dumb' },
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
