/** Reports as JUnit XML, for CI servers. */
import type { RuleResult } from '../../../conformance/rule-result.ts';

const XML_ENTITIES: { readonly [character: string]: string } = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Escapes text for XML; drops control characters, which XML cannot represent. */
function escapeXml(text: string): string {
  const printable = [...text].filter((character) => character >= ' ' || character === '\n');
  return printable.map((character) => XML_ENTITIES[character] ?? character).join('');
}

/** One test case of a JUnit report. */
export interface JunitCase {
  readonly group: string;
  readonly title: string;
  readonly outcome: RuleResult['outcome'];
  readonly reason: string;
  /** How long it took (s): of a rehearsal in the time of the twin. */
  readonly time_s?: number;
  /** What else there is to know of it. */
  readonly output?: string;
}

const timeOf = (time_s: number | undefined) =>
  time_s === undefined ? '' : ` time="${time_s.toFixed(3)}"`;

function testCase({ group, title, outcome, reason, time_s, output = '' }: JunitCase): string {
  const names = `classname="${escapeXml(group)}" name="${escapeXml(title)}"`;
  const head = `    <testcase ${names}${timeOf(time_s)}`;
  const kind = outcome === 'broken' ? 'failure' : 'skipped';
  const result = outcome === 'held' ? '' : `<${kind} message="${escapeXml(reason)}"/>`;
  const printed = output === '' ? '' : `<system-out>${escapeXml(output)}</system-out>`;
  const content = result + printed;
  return content === '' ? `${head}/>\n` : `${head}>${content}</testcase>\n`;
}

/** What a report without a case has: CI servers take a suite of no tests for a failure. */
const NO_CASE: JunitCase = {
  group: 'armtwin',
  title: 'nothing to test',
  outcome: 'skipped',
  reason: 'this shard has no files',
};

/** Test cases as JUnit XML, for CI servers. */
export function junitOf(given: readonly JunitCase[], name: string): string {
  const cases = given.length > 0 ? given : [NO_CASE];
  const times = cases.flatMap(({ time_s }) => time_s ?? []);
  const total_s = times.length > 0 ? times.reduce((sum, each) => sum + each, 0) : undefined;
  const count = (wanted: string) => cases.filter(({ outcome }) => outcome === wanted).length;
  const counts = `failures="${count('broken')}" skipped="${count('skipped')}"`;
  const about = `name="${escapeXml(name)}" tests="${cases.length}" ${counts}`;
  const suite = `<testsuite ${about}${timeOf(total_s)}>`;
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
    `<testsuites>\n  ${suite}\n${cases.map(testCase).join('')}  </testsuite>\n` +
    '</testsuites>\n'
  );
}
