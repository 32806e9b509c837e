/** Every rule of the spec over the wire, against a twin on the stepped clock, in both dialects. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { Dialect } from '../contract/routes.ts';
import { RULES } from '../contract/rules/catalogue.ts';
import { ALLOWED_PAGE } from '../contract/rules/data-rules.ts';
import type { RuleSocketClass } from '../contract/rules/listener.ts';
import type { RuleResult } from '../contract/rules/run-options.ts';
import { runRules } from '../contract/rules/runner.ts';
import { createTwin, type Twin } from './index.ts';
import { ground } from './verbs/ground.ts';

/** What takes wall time is proven beside the browser's tests, where there is time to wait. */
const SWIFT = RULES.filter(({ needs }) => needs?.wallTime_s === undefined);
const DIALECTS: readonly Dialect[] = ['documented', 'fielded'];

describe.each(DIALECTS)('the spec in the %s dialect', (dialect) => {
  let twin: Twin;
  const results = new Map<string, RuleResult>();

  beforeAll(async () => {
    const allowedOrigins = dialect === 'documented' ? [ALLOWED_PAGE] : [];
    twin = await createTwin({ dialect, allowedOrigins });
    const found = await runRules(SWIFT, {
      baseUrl: twin.url,
      token: twin.token,
      WebSocket: WebSocket as RuleSocketClass,
      settle: (duration_s) => twin.advance(duration_s),
      ground,
      dialect,
      update: true,
      patience_s: Number.POSITIVE_INFINITY,
    });
    for (const result of found) results.set(result.rule.id, result);
  }, 120_000);
  afterAll(() => twin.close());

  it.each(SWIFT.map((rule) => [rule.id, rule.statement] as const))('%s: %s', (id) => {
    const { outcome, reason } = results.get(id)!;
    expect(`${outcome} ${reason}`.trim()).toBe('held');
  });
});
