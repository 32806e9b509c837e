/** Stages as the fixtures of test runners: vitest and node:test, jest by `openStage` itself. */
import type { TwinOptions } from '../server/index.ts';
import { openStage, type Stage } from './stage.ts';

/** What a fixture of vitest is given: how to hand its value to the test. */
type Use = (stage: Stage) => Promise<void>;

/** For vitest: `const test = base.extend(stageFixture())` gives every test a `stage` of its own. */
export function stageFixture(options: TwinOptions = {}) {
  return {
    stage: async ({ task: _task }: { readonly task: unknown }, use: Use): Promise<void> => {
      const stage = await openStage(options);
      try {
        await use(stage);
      } finally {
        await stage.close();
      }
    },
  };
}

/** What a test of node:test offers. */
interface TestContext {
  after(clean: () => Promise<void>): void;
}

/** For node:test: a stage that closes when the test is over. */
export async function useStage(context: TestContext, options: TwinOptions = {}): Promise<Stage> {
  const stage = await openStage(options);
  context.after(() => stage.close());
  return stage;
}
