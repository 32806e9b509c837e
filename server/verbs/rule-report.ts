/**
 * What a run of the spec's rules comes to: a score, a table for people, JSON and JUnit for
 * machines. Pure functions of the results, apart from the verb that makes them.
 */
import type { RuleResult } from '../../contract/rules/run-options.ts';

/** The figures of a run. */
export interface Score {
  readonly held: number;
  readonly broken: number;
  readonly skipped: number;
  /** Requirements that every rule about them has proven, and all that the rules are about. */
  readonly requirements_proven: number;
  readonly requirements: number;
  /** Rules that held among those that ran, 0 to 1; 0 when none ran. */
  readonly share: number;
}

/** Counts rules, and requirements by their weakest rule. */
export function scoreOf(results: readonly RuleResult[]): Score {
  const count = (wanted: RuleResult['outcome']) =>
    results.filter(({ outcome }) => outcome === wanted).length;
  const [held, broken, skipped] = [count('held'), count('broken'), count('skipped')];
  const all = new Set(results.flatMap(({ rule }) => rule.requirements));
  const failing = results.filter(({ outcome }) => outcome !== 'held');
  const open = new Set(failing.flatMap(({ rule }) => rule.requirements));
  return {
    held,
    broken,
    skipped,
    requirements_proven: all.size - open.size,
    requirements: all.size,
    share: held === 0 ? 0 : held / (held + broken),
  };
}

/** The score as a sentence. */
export function scoreText(score: Score): string {
  const { held, broken, skipped, requirements_proven, requirements } = score;
  const percent = Math.floor(score.share * 1000) / 10;
  const rules = `${held} of ${held + broken} rules held (${percent} %), ${skipped} skipped`;
  return `${rules}; ${requirements_proven} of ${requirements} requirements proven`;
}

/** A table with what broke first told in full, then every rule on a line. */
export function ruleTable(results: readonly RuleResult[]): string {
  const width = Math.max(4, ...results.map(({ rule }) => rule.id.length));
  const lines = results.map(({ rule, outcome, reason }) => {
    const line = `${rule.id.padEnd(width)}  ${outcome.padEnd(7)}  ${rule.statement}\n`;
    return reason === '' ? line : `${line}${' '.repeat(width + 2)}${reason}\n`;
  });
  return `${'RULE'.padEnd(width)}  RESULT   STATEMENT\n${lines.join('')}`;
}

/** The run as data: the score and each rule with its requirements, outcome and reason. */
export function ruleJson(results: readonly RuleResult[], about: object): string {
  const rules = results.map(({ rule, outcome, reason }) => {
    const { id, requirements, statement } = rule;
    return { id, requirements, statement, outcome, reason };
  });
  return `${JSON.stringify({ ...about, score: scoreOf(results), rules }, null, 2)}\n`;
}

const ENTITIES: { readonly [character: string]: string } = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Text as XML holds it: entities, and no control character, which XML has no way to write. */
function xml(text: string): string {
  const printable = [...text].filter((character) => character >= ' ' || character === '\n');
  return printable.map((character) => ENTITIES[character] ?? character).join('');
}

function testCase({ rule, outcome, reason }: RuleResult): string {
  const [group = '', ...name] = rule.id.split('/');
  const title = `${name.join('/')}: ${rule.statement}`;
  const head = `    <testcase classname="${xml(group)}" name="${xml(title)}"`;
  if (outcome === 'held') return `${head}/>\n`;
  const kind = outcome === 'broken' ? 'failure' : 'skipped';
  return `${head}><${kind} message="${xml(reason)}"/></testcase>\n`;
}

/** The run as JUnit XML, as build servers read it. */
export function ruleJunit(results: readonly RuleResult[], name: string): string {
  const { held, broken, skipped } = scoreOf(results);
  const counts = `tests="${held + broken + skipped}" failures="${broken}" skipped="${skipped}"`;
  const cases = results.map(testCase).join('');
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
    `<testsuites>\n  <testsuite name="${xml(name)}" ${counts}>\n${cases}  </testsuite>\n` +
    '</testsuites>\n'
  );
}
