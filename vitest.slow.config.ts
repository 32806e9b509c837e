/** The slow tests: long random runs and comparisons with oracles. */
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
