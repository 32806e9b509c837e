import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{contract,physics,bridge,server,viewer,testing,tools}/**/*.test.ts'],
    exclude: ['**/*.slow.test.ts', 'node_modules/**', 'dist/**'],
    testTimeout: 30_000,
    maxWorkers: 2,
  },
});
