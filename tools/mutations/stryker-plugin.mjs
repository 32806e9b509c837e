/**
 * Plugins that StrykerJS loads in the copy of the sources: `sentences` leaves out texts for people,
 * and `lines` appends each result to a file at once, so that a run that is cut off keeps them.
 */
import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import { SENTENCE } from './score.mjs';

/**
 * Several words in a row, as in the text of an error or of a log: tests compare kinds and fields
 * of errors, not their wording. Keys, paths, patterns and single words count.
 */
const WORDS = /\p{L}{2,}[,:;]? \p{L}+/u;

/** @typedef {{ type: string, [key: string]: any }} SyntaxNode */

/** The reason to leave the node out, or undefined. @param {{ node: SyntaxNode }} path */
export function shouldIgnore({ node }) {
  if (node.type === 'StringLiteral') return WORDS.test(node['value']) ? SENTENCE : undefined;
  if (node.type !== 'TemplateLiteral') return undefined;
  // What a template calls or decides counts: only plain values go with it.
  const isPlain = node['expressions'].every((/** @type {SyntaxNode} */ one) =>
    ['Identifier', 'MemberExpression'].includes(one.type),
  );
  const text = node['quasis'].map((/** @type {any} */ one) => one.value.raw).join('x');
  return isPlain && WORDS.test(text) ? SENTENCE : undefined;
}

/** Path of a mutant's file below the copy. @param {string} fileName */
const pathOf = (fileName) => relative(process.cwd(), fileName).replaceAll('\\', '/');

const lines = {
  /** @param {object} line */
  write(line) {
    const file = process.env['MUTATION_LINES'];
    if (file) appendFileSync(file, `${JSON.stringify(line)}\n`);
  },
  /**
   * @param {{ result: { tests: { id: string }[], mutantCoverage?: { perTest: object } } }} dryRun
   */
  onDryRunCompleted({ result }) {
    const tests = Object.keys(result.mutantCoverage?.perTest ?? {});
    const filesOf = (/** @type {string[]} */ ids) =>
      new Set(ids.map((id) => id.split('#')[0])).size;
    const testFiles = filesOf(result.tests.map(({ id }) => id));
    this.write({ covering: filesOf(tests), testFiles });
  },
  /** @param {{ mutantPlans: { mutant: { fileName: string } }[] }} plan */
  onMutationTestingPlanReady({ mutantPlans }) {
    /** @type {Record<string, number>} */
    const planned = {};
    for (const { mutant } of mutantPlans) {
      const path = pathOf(mutant.fileName);
      planned[path] = (planned[path] ?? 0) + 1;
    }
    this.write({ planned });
  },
  /** @param {import('./score.mjs').Mutant & { fileName: string, [key: string]: any }} result */
  onMutantTested(result) {
    const { fileName, status, statusReason, mutatorName, replacement, location } = result;
    const reason = status === 'Ignored' ? { statusReason } : {};
    const { duration, testsCompleted } = result;
    const mutant = { status, ...reason, mutatorName, replacement, location };
    this.write({ path: pathOf(fileName), mutant, duration, testsCompleted });
  },
};

export const strykerPlugins = [
  { kind: 'Ignore', name: 'sentences', value: { shouldIgnore } },
  { kind: 'Reporter', name: 'lines', value: lines },
];
