/**
 * The quick suite, beside the code it proves. The files of the pure rooms share the modules of
 * their worker, which halves their time; the others, and those that count bytes, run apart.
 */
import { defineConfig } from 'vitest/config';

const PURE = ['{contract,physics,viewer}/**/*.test.ts'];
const LIVING = ['{bridge,server,testing}/**/*.test.ts', 'tools/**/*.test.mjs'];
const NEVER = ['**/*.slow.test.ts', 'node_modules/**', 'dist/**'];
/** What they leave on the heap tells nothing where other tests have been. */
const COUNTING = ['physics/dynamics/dynamics.test.ts', 'physics/{kinematics,motion}/allocation.test.ts'];

export default defineConfig({
  test: {
    testTimeout: 30_000,
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: { name: 'pure', include: PURE, exclude: [...NEVER, ...COUNTING], isolate: false },
      },
      { extends: true, test: { name: 'apart', include: [...LIVING, ...COUNTING], exclude: NEVER } },
    ],
  },
});
