/**
 * What commands write for people and other programs: offline HTML pages of one file each, and the
 * reports of a conformance run (score, text table, JSON, JUnit XML, HTML).
 */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type ExportDocument, embedDocument } from '../../../contract/export-document.ts';
import type { RuleResult } from '../../../contract/rules/rule.ts';
import type { ArmProfile } from '../../../contract/types.ts';
import { productVersion } from '../../app/product-info.ts';
import { OptionError } from '../config.ts';
import { readInputFile, startupErrorText } from '../output.ts';
import { writeWhole } from '../result-files.ts';

/** The built page, relative to this file in the build and in the sources. */
const TEMPLATES = ['../../../viewer/export.html', '../../../dist/viewer/export.html'];

function pageTemplate(): string {
  for (const path of TEMPLATES) {
    try {
      return readFileSync(new URL(path, import.meta.url), 'utf8');
    } catch {
      // The next path is tried; the error below says what to do.
    }
  }
  throw new Error('the page template is not built: run `npm run build`');
}

/** Product and version, as shown on a page. */
export function generatorName(): string {
  return `armtwin ${productVersion()}`;
}

/** A result could not be written; the message names the file and the reason. */
export class ResultError extends OptionError {
  constructor(file: string, error: unknown) {
    super(`Cannot write ${file}: ${startupErrorText(error)}`);
  }
}

/** Writes a result to a file, whole or not at all. Throws a `ResultError`. */
export function writeResult(file: string, text: string): void {
  try {
    writeWhole(file, text);
  } catch (error) {
    throw new ResultError(file, error);
  }
}

/** Writes a page to a file. Throws as `writeResult`. */
export function writePage(document: ExportDocument, file: string): void {
  writeResult(file, embedDocument(pageTemplate(), document));
}

/**
 * Writes a page per toolpath: to `target` for one file, into the folder `target` for several, with
 * a number behind names that repeat.
 * Invalid files get a page too, which shows the errors.
 */
export function writeToolpathPages(
  files: readonly string[],
  target: string,
  profile?: ArmProfile,
): readonly string[] {
  const [only] = files;
  const seen = new Map<string, number>();
  return files.map((file) => {
    const name = basename(file).replace(/\.json$/i, '');
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    const own = count === 1 ? `${name}.html` : `${name}-${count}.html`;
    const page = file === only && files.length === 1 ? target : join(target, own);
    const text = readInputFile(file);
    const about = { kind: 'toolpath', name, made_by: generatorName(), text } as const;
    writePage(profile ? { ...about, profile } : about, page);
    return page;
  });
}

/** The score of a run. */
export interface Score {
  readonly held: number;
  readonly broken: number;
  readonly skipped: number;
  /** Requirements of which every rule held, and all that the rules cover. */
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
}

const timeOf = (time_s: number | undefined) =>
  time_s === undefined ? '' : ` time="${time_s.toFixed(3)}"`;

function testCase({ group, title, outcome, reason, time_s }: JunitCase): string {
  const names = `classname="${escapeXml(group)}" name="${escapeXml(title)}"`;
  const head = `    <testcase ${names}${timeOf(time_s)}`;
  if (outcome === 'held') return `${head}/>\n`;
  const kind = outcome === 'broken' ? 'failure' : 'skipped';
  return `${head}><${kind} message="${escapeXml(reason)}"/></testcase>\n`;
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

/** A run of the conformance suite as JUnit XML. */
export function ruleJunit(results: readonly RuleResult[], name: string): string {
  const cases = results.map(({ rule, outcome, reason }) => {
    const [group = '', ...words] = rule.id.split('/');
    return { group, title: `${words.join('/')}: ${rule.statement}`, outcome, reason };
  });
  return junitOf(cases, name);
}

const STYLE = `:root{color-scheme:light dark;font:15px/1.5 system-ui,sans-serif}
body{margin:2rem auto;max-width:70rem;padding:0 1rem}
table{border-collapse:collapse;width:100%}
td,th{text-align:left;vertical-align:top;padding:.35rem .75rem .35rem 0;border-top:1px solid #8884}
code{font-size:.9em}.held{color:#2a7d4f}.broken{color:#c0392b;font-weight:600}.skipped{opacity:.6}`;

const HTML_ENTITIES: Readonly<Record<string, string>> = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  '"': '&quot;',
};

function escapeHtml(text: string): string {
  return text.replace(/[<>&"]/g, (character) => HTML_ENTITIES[character] ?? character);
}

function pageRow({ rule, outcome, reason }: RuleResult): string {
  const note = reason === '' ? '' : `<br><small>${escapeHtml(reason)}</small>`;
  const requirements = escapeHtml(rule.requirements.join(', '));
  return (
    `<tr><td class="${outcome}">${outcome}</td><td><code>${escapeHtml(rule.id)}</code></td>` +
    `<td>${escapeHtml(rule.statement)}${note}</td><td>${requirements}</td></tr>`
  );
}

/** Broken rules first, then skipped ones, then those that held. */
const PAGE_ORDER: readonly RuleResult['outcome'][] = ['broken', 'skipped', 'held'];

/** An offline HTML page of a run against `url`: no script, no fetches, all text escaped. */
export function rulePage(results: readonly RuleResult[], url: string): string {
  const sorted = PAGE_ORDER.flatMap((wanted) =>
    results.filter(({ outcome }) => outcome === wanted),
  );
  const policy = "default-src 'none'; style-src 'unsafe-inline'";
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>Rules of ${escapeHtml(url)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>Rules of ${escapeHtml(url)}</h1>
<p>${escapeHtml(scoreText(scoreOf(results)))}</p>
<table>
<thead><tr><th>result</th><th>rule</th><th>statement</th><th>requirements</th></tr></thead>
<tbody>
${sorted.map(pageRow).join('\n')}
</tbody>
</table>
</body>
</html>
`;
}
