/**
 * Conformance rules over HTTP, against a twin on the stepped clock, in the fielded dialect. The
 * stage `rules` of `npm test` runs all of them in the documented one. Each rule runs in its own
 * test, so that mutation testing knows which rule runs which code. Test code.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { RULES } from '../conformance/catalogue.ts';
import type { Rule } from '../conformance/rule.ts';
import { type RuleRun, startRuleRun } from '../conformance/runner.ts';
import type { RuleSocketClass } from '../conformance/stream-listener.ts';
import { type RouteId, routeOf } from '../contract/routes.ts';
import { rawTcp } from './cli/commands/raw-tcp.ts';
import { createTwin, type Twin } from './index.ts';

/** Whether a call of the arm's own API takes a body, or answers another status in the field. */
function hasDialects(id: RouteId): boolean {
  const { path, body, status } = routeOf(id);
  const differs = body !== undefined || status.documented !== status.fielded;
  return path.startsWith('/api/') && differs;
}

/** Rules that need wall time run with the browser tests. */
const FAST_RULES = RULES.filter(({ needs }) => needs?.wallTime_s === undefined);

/** Rules that take long, and whose outcome hardly depends on the dialect. */
const LONG = ['stream/slow-readers', 'session/log-in-limit', 'run/returns-home', 'seed/profile'];

/** The rules of calls that the dialect changes, and all others. */
export const DIALECT_RULES = FAST_RULES.filter(
  ({ id, routes }) => routes.some(hasDialects) && !LONG.includes(id),
);
export const OTHER_RULES = FAST_RULES.filter((rule) => !DIALECT_RULES.includes(rule));

/** Runs rules, each in its own test. */
export function fieldedCases(rules: readonly Rule[]): void {
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

    it.each(rules.map((rule) => [rule.id, rule.statement, rule] as const))(
      '%s: %s',
      async (_id, _statement, rule) => {
        const { outcome, reason } = await run.check(rule);
        expect(`${outcome} ${reason}`.trim()).toBe('held');
      },
      120_000,
    );
  });
}
