/** The slow suite: long random runs and oracles, apart so that the quick one stays quick. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['**/*.slow.test.ts'],
    exclude: ['node_modules/**', 'dist/**'],
    testTimeout: 300_000,
    maxWorkers: 2,
    passWithNoTests: true,
  },
});
