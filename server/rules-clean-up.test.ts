/**
 * The clean-up after a conformance rule that fails while a button is held. Test code.
 * @module-tag ci
 */
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { Rule } from '../conformance/rule.ts';
import { startRuleRun } from '../conformance/runner.ts';
import type { RuleSocketClass } from '../conformance/stream-listener.ts';
import { createTwin } from './index.ts';

it.each([
  ['setButtons', { backdriving: true }],
  ['setEmergencyStop', { engaged: true }],
] as const)('a rule that fails after %s leaves the robot ready', async (call, body) => {
  const twin = await createTwin();
  const run = await startRuleRun({
    baseUrl: twin.url,
    token: twin.token,
    WebSocket: WebSocket as RuleSocketClass,
    settle: (duration_s) => twin.advance(duration_s),
  });
  const rule: Rule = {
    id: 'sim/half-way',
    requirements: [],
    routes: [call],
    statement: 'An example.',
    needs: {},
    async check({ as }) {
      const admin = await as('admin');
      if (call === 'setButtons') await admin.does('takeLock');
      await admin.does(call, body as never);
      throw new Error('a bug');
    },
  };
  try {
    const { reason } = await run.check(rule);
    // A clean-up that fails adds its own sentence.
    expect(reason).toBe('Error: a bug');
  } finally {
    await run.close();
    await twin.close();
  }
});
