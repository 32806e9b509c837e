/** The reports of a conformance run: a text table, JSON and JUnit XML. */
import type { RuleResult } from '../../../conformance/rule-result.ts';
import { junitOf } from './junit.ts';
import { scoreOf } from './rule-score.ts';

/** A text table: a line per rule, with the reason below a rule that did not hold. */
export function ruleTable(results: readonly RuleResult[]): string {
  const width = Math.max(4, ...results.map(({ rule }) => rule.id.length));
  const lines = results.map(({ rule, outcome, reason }) => {
    const line = `${rule.id.padEnd(width)}  ${outcome.padEnd(7)}  ${rule.statement}\n`;
    return reason === '' ? line : `${line}${' '.repeat(width + 2)}${reason}\n`;
  });
  return `${'RULE'.padEnd(width)}  RESULT   STATEMENT\n${lines.join('')}`;
}

/** The run as JSON: the score, and each rule with its requirements, outcome and reason. */
export function ruleJson(results: readonly RuleResult[], about: object): string {
  const rules = results.map(({ rule, outcome, reason }) => {
    const { id, requirements, statement } = rule;
    return { id, requirements, statement, outcome, reason };
  });
  return `${JSON.stringify({ ...about, score: scoreOf(results), rules }, null, 2)}\n`;
}

/** A run of the conformance suite as JUnit XML. */
export function ruleJunit(results: readonly RuleResult[], name: string): string {
  const cases = results.map(({ rule, outcome, reason }) => {
    const [group = '', ...words] = rule.id.split('/');
    return { group, title: `${words.join('/')}: ${rule.statement}`, outcome, reason };
  });
  return junitOf(cases, name);
}
