/**
 * Plugins that StrykerJS loads in the copy of the sources: `sentences` leaves out texts for people,
 * and `lines` appends each result to a file at once, so that a run that is cut off keeps them.
 */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { digestOf, mutantId, SENTENCE } from './score.mjs';

/**
 * Several words in a row, as in the text of an error or of a log: tests compare kinds and fields
 * of errors, not their wording. Keys, paths, patterns and single words count.
 */
const WORDS = /\p{L}{2,}[,:;]? \p{L}+/u;

/** @typedef {{ type: string, [key: string]: any }} SyntaxNode */
/** @typedef {import('./score.mjs').Mutant & { fileName: string }} Planned */

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

/** Path and digest of the source of a mutant. @param {string} fileName */
const sourceOf = (fileName) => ({
  path: relative(process.cwd(), fileName).replaceAll('\\', '/'),
  text: digestOf(readFileSync(fileName, 'utf8')),
});

const lines = {
  /** @param {object} line */
  write(line) {
    const file = process.env['MUTATION_LINES'];
    if (file) appendFileSync(file, `${JSON.stringify(line)}\n`);
  },
  /**
   * @param {{ result: {
   *   tests: { id: string, timeSpentMs: number }[], mutantCoverage?: { perTest: object },
   * } }} dryRun
   */
  onDryRunCompleted({ result }) {
    const fileOf = (/** @type {string} */ id) => String(id.split('#')[0]);
    const tests = Object.keys(result.mutantCoverage?.perTest ?? {});
    /** @type {Record<string, number>} */
    const slowest = {};
    for (const { id, timeSpentMs } of result.tests) {
      slowest[fileOf(id)] = Math.max(slowest[fileOf(id)] ?? 0, timeSpentMs);
    }
    if (process.env['MUTATION_TIMES']) {
      writeFileSync(process.env['MUTATION_TIMES'], JSON.stringify(slowest));
    }
    const covering = new Set(tests.map(fileOf)).size;
    this.write({ covering, testFiles: Object.keys(slowest).length });
  },
  /** @param {{ mutantPlans: { mutant: Planned }[] }} plan */
  onMutationTestingPlanReady({ mutantPlans }) {
    // A plan has places from 0, a result has places from 1.
    const from1 = (/** @type {import('./score.mjs').Position} */ { line, column }) => ({
      line: line + 1,
      column: column + 1,
    });
    /** @type {Record<string, string[]>} */
    const planned = {};
    for (const { mutant } of mutantPlans) {
      const { start, end } = mutant.location;
      const location = { start: from1(start), end: from1(end) };
      const others = planned[mutant.fileName] ?? [];
      planned[mutant.fileName] = [...others, mutantId({ ...mutant, location })];
    }
    for (const [name, ids] of Object.entries(planned)) {
      this.write({ ...sourceOf(name), planned: ids });
    }
  },
  /**
   * @param {Planned & { duration?: number, testsCompleted?: number, coveredBy?: object[] }} result
   */
  onMutantTested(result) {
    const { fileName, status, statusReason, mutatorName, replacement, location } = result;
    const isExplained = status === 'Ignored' || status === 'RuntimeError';
    const reason = isExplained && statusReason ? { statusReason: statusReason.slice(0, 500) } : {};
    const { duration, testsCompleted, coveredBy = [] } = result;
    const mutant = { status, ...reason, mutatorName, replacement, location };
    this.write({
      ...sourceOf(fileName),
      mutant,
      duration,
      testsCompleted,
      covered: coveredBy.length,
      ...(process.env['MUTATION_SECONDS'] ? { isLimited: true } : {}),
    });
  },
};

export const strykerPlugins = [
  { kind: 'Ignore', name: 'sentences', value: { shouldIgnore } },
  { kind: 'Reporter', name: 'lines', value: lines },
];
