/**
 * The unit tests. Test files share the modules of their worker, which halves the time. Files that
 * measure the heap or mock modules run in isolation.
 */
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { builtThreads } from './server/threads/built-threads.setup.ts';

const ALL = [
  '{arms,contract,conformance,physics,viewer,bridge,server,scheduler,testing}/**/*.test.{ts,tsx}',
  'tools/**/*.test.mjs',
];
const EXCLUDED = ['**/*.slow.test.{ts,mjs}', 'node_modules/**', 'dist/**'];
/** `npm test` leaves them out; `npm run check slow-tests` runs them beside the slow files. */
const SLOW = { name: 'slow', description: 'npm run check slow-tests runs it' };
/** Tests of which quicker ones cover the most. */
const CI = { name: 'ci', description: 'npm test -- --all runs it, as in CI' };
/** Makes JIT optimisation reproducible, which heap measurements need. */
const REPEATABLE = ['--no-concurrent-recompilation'];
/** Tests that need an isolated worker. */
const ISOLATED = [
  'physics/dynamics/dynamics.test.ts',
  'physics/{kinematics,motion}/allocation.test.ts',
  'bridge/simulated/simulated-arm.test.ts',
  'server/service/http/deadline.test.ts',
  'testing/twin-fixture.test.ts',
];

/** The test files that take longest start first, so that no worker ends long after the other. */
const LONGEST = [
  'tools/readme.test.mjs',
  'server/rules.test.ts',
  'server/cell/cells.test.ts',
  'bridge/servo/servo-holding.test.ts',
  'server/service/http/fuzz.test.ts',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) =>
      LONGEST.some((name) => moduleId.endsWith(name));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  plugins: builtThreads(),
  test: {
    sequence: { sequencer: LongestFirst },
    testTimeout: 30_000,
    hookTimeout: 30_000,
    maxWorkers: 2,
    tags: [SLOW, CI],
    setupFiles: ['./server/robot/invariants.setup.ts', './testing/properties.setup.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: ALL,
          exclude: [...EXCLUDED, ...ISOLATED],
          isolate: false,
          setupFiles: ['./server/planning/planning-threads.setup.ts'],
        },
      },
      {
        extends: true,
        test: { name: 'isolated', include: ISOLATED, exclude: EXCLUDED, execArgv: REPEATABLE },
      },
    ],
  },
});
