/** The slow tests: long random runs and comparisons with oracles. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['**/*.slow.test.{ts,mjs}'],
    exclude: ['node_modules/**', 'dist/**'],
    testTimeout: 300_000,
    setupFiles: ['./server/robot/invariants.setup.ts'],
    maxWorkers: 2,
    passWithNoTests: true,
  },
});
