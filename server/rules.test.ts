/**
 * Every conformance rule over HTTP, against a twin on the stepped clock, in the fielded dialect.
 * The stage `rules` of `npm test` runs them in the documented one. Each rule runs in its own test,
 * so that mutation testing knows which rule runs which code.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { RULES } from '../contract/rules/catalogue.ts';
import type { RuleSocketClass } from '../contract/rules/rule.ts';
import { type RuleRun, startRuleRun } from '../contract/rules/runner.ts';
import { rawTcp } from './cli/commands/verify.ts';
import { createTwin, type Twin } from './index.ts';

/** Rules that need wall time run with the browser tests. */
const FAST_RULES = RULES.filter(({ needs }) => needs?.wallTime_s === undefined);

describe('the specification in the fielded dialect', () => {
  let twin: Twin;
  let run: RuleRun;

  beforeAll(async () => {
    twin = await createTwin({ dialect: 'fielded' });
    run = await startRuleRun({
      baseUrl: twin.url,
      token: twin.token,
      WebSocket: WebSocket as RuleSocketClass,
      settle: (duration_s) => twin.advance(duration_s),
      rawTcp,
      dialect: 'fielded',
      update: true,
      ruleLimit_s: Number.POSITIVE_INFINITY,
    });
  }, 120_000);
  afterAll(async () => {
    await run.close();
    await twin.close();
  });

  it.each(FAST_RULES.map((rule) => [rule.id, rule.statement, rule] as const))(
    '%s: %s',
    async (_id, _statement, rule) => {
      const { outcome, reason } = await run.check(rule);
      expect(`${outcome} ${reason}`.trim()).toBe('held');
    },
    120_000,
  );
});
