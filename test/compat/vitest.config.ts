import { defineConfig } from 'vitest/config';

// Real agents take seconds to start and keep a core busy meanwhile: few at once, and deadlines far beyond.
export default defineConfig({
  test: {
    include: ['test/compat/**/*.test.ts'],
    globalSetup: ['test/compat/setup.ts'],
    env: { TZ: 'UTC', NO_COLOR: '1', TERM: 'dumb' },
    maxWorkers: 2,
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
