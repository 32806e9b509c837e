/** The quick suite: every test beside the code, but the slow ones (vitest.slow.config.ts). */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [
      '{contract,physics,bridge,server,viewer,testing}/**/*.test.ts',
      'tools/**/*.test.mjs',
    ],
    exclude: ['**/*.slow.test.ts', 'node_modules/**', 'dist/**'],
    testTimeout: 30_000,
    maxWorkers: 2,
  },
});
