import type { Rule } from './rule.ts';

export interface RuleResult {
  readonly rule: Rule;
  readonly outcome: 'held' | 'broken' | 'skipped';
  /** The reason why the rule is broken or skipped; else empty. */
  readonly reason: string;
}
