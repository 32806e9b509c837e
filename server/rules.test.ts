/**
 * Every conformance rule over HTTP, against a twin on the stepped clock, in the fielded dialect.
 * The stage `rules` of `npm test` runs them in the documented one.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { RULES } from '../contract/rules/catalogue.ts';
import type { RuleResult, RuleSocketClass } from '../contract/rules/rule.ts';
import { runRules } from '../contract/rules/runner.ts';
import { rawTcp } from './cli/commands/verify.ts';
import { createTwin, type Twin } from './index.ts';

/** Rules that need wall time run with the browser tests. */
const FAST_RULES = RULES.filter(({ needs }) => needs?.wallTime_s === undefined);

describe('the specification in the fielded dialect', () => {
  let twin: Twin;
  const results = new Map<string, RuleResult>();

  beforeAll(async () => {
    twin = await createTwin({ dialect: 'fielded' });
    const found = await runRules(FAST_RULES, {
      baseUrl: twin.url,
      token: twin.token,
      WebSocket: WebSocket as RuleSocketClass,
      settle: (duration_s) => twin.advance(duration_s),
      rawTcp,
      dialect: 'fielded',
      update: true,
      ruleLimit_s: Number.POSITIVE_INFINITY,
    });
    for (const result of found) results.set(result.rule.id, result);
  }, 120_000);
  afterAll(() => twin.close());

  it.each(FAST_RULES.map((rule) => [rule.id, rule.statement] as const))('%s: %s', (id) => {
    const { outcome, reason } = results.get(id)!;
    expect(`${outcome} ${reason}`.trim()).toBe('held');
  });
});
