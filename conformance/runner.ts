/** Runs conformance rules against a service, one at a time, and reports the results. */

import { connect } from '../contract/client.ts';
import { cleanUp } from './clean-up.ts';
import { createContext } from './context.ts';
import type { Rule } from './rule.ts';
import { reasonOf } from './rule-broken.ts';
import type { RuleResult } from './rule-result.ts';
import type { RuleRunOptions } from './run-options.ts';
import { detectSimCapabilities } from './sim-capabilities.ts';
import { type RunCapabilities, skipReason } from './skip-reason.ts';
import { createTestUsers } from './test-users.ts';

async function runRule(rule: Rule, grants: RunCapabilities): Promise<RuleResult> {
  const skip = skipReason(rule.needs ?? {}, grants);
  if (skip !== null) return { rule, outcome: 'skipped', reason: skip };
  const { options, tokens, sim } = grants;
  const { context, afterwards, listeners } = createContext(options, tokens, sim);
  const reasons: string[] = [];
  const note = (error: unknown) => reasons.push(reasonOf(error));
  await (options.prepare?.() ?? Promise.resolve()).then(() => rule.check(context)).catch(note);
  const aftermath = { options, tokens, context: afterwards, listeners };
  await cleanUp(aftermath).catch((error: unknown) => note(`clean-up: ${reasonOf(error)}`));
  const outcome = reasons.length === 0 ? 'held' : 'broken';
  return { rule, outcome, reason: reasons.join('; ') };
}

/** A run of rules with its own users, one rule at a time. */
export interface RuleRun {
  check(rule: Rule): Promise<RuleResult>;
  /** Deletes the users of the run. */
  close(): Promise<void>;
}

/** Prepares a run of rules. Rejects when its users cannot be created. */
export async function startRuleRun(options: RuleRunOptions): Promise<RuleRun> {
  const fetching = options.fetch ? { fetch: options.fetch } : {};
  const client = connect({ baseUrl: options.baseUrl, token: options.token, ...fetching });
  const users = await createTestUsers(client, options);
  const { tokens } = users;
  const grants = { options, tokens, sim: await detectSimCapabilities(client, options) };
  return { check: (rule) => runRule(rule, grants), close: () => users.remove() };
}

/**
 * Runs the rules in sequence, until the signal of the options. Rejects only when the users of the
 * run cannot be created.
 */
export async function runRules(
  rules: readonly Rule[],
  options: RuleRunOptions,
): Promise<readonly RuleResult[]> {
  const run = await startRuleRun(options);
  const results: RuleResult[] = [];
  for (const rule of rules) {
    if (options.signal?.aborted) break;
    const result = await run.check(rule);
    results.push(result);
    options.onResult?.(result);
  }
  // The results stay true without the service, which may have ended.
  await run.close().catch((error: unknown) => options.onLeftover?.(reasonOf(error)));
  return results;
}
