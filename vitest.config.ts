/**
 * The quick suite, beside the code it proves. Files share the modules of their worker, which halves
 * their time; those that count what is left on the heap, or put another module in a module's place,
 * run apart.
 */
import { defineConfig } from 'vitest/config';

const ALL = ['{contract,physics,viewer,bridge,server,testing}/**/*.test.ts', 'tools/**/*.test.mjs'];
const NEVER = ['**/*.slow.test.ts', 'node_modules/**', 'dist/**'];
/** Optimises at the same call whatever else the machine does: what is boxed hangs on that. */
const REPEATABLE = ['--no-concurrent-recompilation'];
/** What these find tells nothing where other tests have been. */
const APART = [
  'physics/dynamics/dynamics.test.ts',
  'physics/{kinematics,motion}/allocation.test.ts',
  'bridge/simulated-arm.test.ts',
  'server/http/deadline.test.ts',
  'server/store/io-error.test.ts',
  'testing/*.test.ts',
];

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 30_000,
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: { name: 'together', include: ALL, exclude: [...NEVER, ...APART], isolate: false },
      },
      {
        extends: true,
        test: { name: 'apart', include: APART, exclude: NEVER, execArgv: REPEATABLE },
      },
    ],
  },
});
