import { expect, it } from 'vitest';
import { keyOf, resultsOf } from './run.mjs';
import {
  digestOf,
  mutantId,
  recordAgain,
  recordOf,
  SENTENCE,
  scoreOf,
  UNCAUGHT,
  unusedEntries,
} from './score.mjs';
import { shouldIgnore } from './stryker-plugin.mjs';

const path = 'server/robot/robot-context.ts';
const text = 'if (a < b) return;\nif (c) return;\nif (c) return;';
const mutant = (/** @type {string} */ status, line = 1) => ({
  status,
  mutatorName: 'EqualityOperator',
  replacement: 'a >= b',
  location: { start: { line, column: 5 }, end: { line, column: 10 } },
});
const MUTANTS = [
  mutant('Killed'),
  mutant('Timeout'),
  mutant('Survived', 2),
  mutant('NoCoverage', 3),
  mutant('Ignored'),
  { ...mutant('Ignored'), statusReason: SENTENCE },
  mutant('RuntimeError'),
];
const record = recordOf(text, MUTANTS, { date: '2026-01-02', tests: 'near' });
const files = [{ path, text }];
const entry = {
  path,
  source: 'if (c) return;',
  mutator: 'EqualityOperator',
  replacement: 'a >= b',
  reason: 'an example',
};

it('records every mutant of a file once, with the places of the survivors', () => {
  const { survivors, ...counts } = record;
  expect(counts).toEqual({
    text: digestOf(text),
    date: '2026-01-02',
    tests: 'near',
    killed: 1,
    timeouts: 1,
    sentences: 1,
    static: 1,
    errors: 1,
  });
  expect(survivors.map(({ at, covered }) => [at, covered])).toEqual([
    ['2:5-2:10', true],
    ['3:5-3:10', false],
  ]);
});

it('counts what no test covers as a survivor, and files of another text not at all', () => {
  expect(scoreOf(files, { [path]: record }, [])).toMatchObject({
    files: 1,
    measured: 1,
    mutants: 4,
    noticed: 2,
    accepted: 0,
    near: 1,
    stale: [],
    missing: [],
  });
  const changed = [
    { path, text: `${text}\n` },
    { path: 'server/robot/io.ts', text },
  ];
  expect(scoreOf(changed, { [path]: record }, [])).toMatchObject({
    files: 2,
    measured: 0,
    mutants: 0,
    stale: [path],
    missing: ['server/robot/io.ts'],
  });
});

it('leaves out one survivor for each accepted entry', () => {
  const one = scoreOf(files, { [path]: record }, [entry]);
  expect(one).toMatchObject({ mutants: 3, noticed: 2, accepted: 1 });
  expect(one.open[0]?.mutants.map(({ line }) => line)).toEqual([3]);
  expect(scoreOf(files, { [path]: record }, [entry, entry])).toMatchObject({ mutants: 2 });
});

it.each([
  ['the replacement', { replacement: 'a > b' }],
  ['the mutator', { mutator: 'ConditionalExpression' }],
  ['the source line', { source: 'if (d) return;' }],
  ['the file', { path: 'server/robot/io.ts' }],
])('finds entries that differ in %s from every survivor', (_, other) => {
  const wrong = { ...entry, ...other };
  expect(scoreOf(files, { [path]: record }, [wrong]).mutants).toBe(4);
  expect(unusedEntries(files, { [path]: record }, [entry, wrong])).toEqual([wrong]);
});

it('counts an error that no test caught as noticed', () => {
  const uncaught = { ...mutant('RuntimeError', 2), statusReason: `${UNCAUGHT}: rejected` };
  const run = /** @type {const} */ ({ date: '2026-01-03', tests: 'all' });
  expect(recordOf(text, [uncaught], run)).toMatchObject({ killed: 1, errors: 0 });
  expect(recordAgain(record, [uncaught], run)).toMatchObject({ killed: 2 });
});

it('moves survivors that a later run notices, and keeps the others', () => {
  const run = /** @type {const} */ ({ date: '2026-01-03', tests: 'all' });
  const again = recordAgain(record, [mutant('Killed', 2), mutant('Survived', 3)], run);
  expect(again).toMatchObject({ killed: 2, timeouts: 1, ...run });
  expect(again.survivors.map(({ at }) => at)).toEqual(['3:5-3:10']);
});

/** @param {object[]} rows */
const linesOf = (...rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

it('adds up the results of runs that were cut off, per text of a file', () => {
  const source = { path, text: digestOf(text) };
  const [first, second] = [mutant('Killed', 1), mutant('Survived', 2)];
  const plan = { ...source, planned: [first, second].map(mutantId) };
  const begun = linesOf(plan, { ...source, mutant: first });
  expect(resultsOf(`${begun}{"path":"serv`).get(keyOf(source))).toEqual({
    mutants: [first],
    left: [mutantId(second)],
  });
  const other = { path, text: digestOf('another text') };
  const rest = linesOf(
    { ...other, mutant: second },
    { ...source, planned: [mutantId(second)] },
    { ...source, mutant: second },
  );
  const results = resultsOf(begun + rest);
  expect(results.get(keyOf(source))).toEqual({ mutants: [first, second], left: [] });
  expect(results.get(keyOf(other))?.mutants).toEqual([second]);
});

it('takes no results when the coverage is of one test file alone', () => {
  expect(() => resultsOf(linesOf({ covering: 1, testFiles: 150 }))).toThrow('one test file alone');
  expect(
    resultsOf(linesOf({ covering: 2, testFiles: 150 }, { covering: 1, testFiles: 1 })).size,
  ).toBe(0);
});

it('takes no results when files of the copy of the sources are gone', () => {
  const reason = (/** @type {string} */ file) => ({
    ...mutant('RuntimeError'),
    statusReason: `${UNCAUGHT}: ENOENT: no such file or directory, open '${file}'`,
  });
  const gone = { path, text, mutant: reason('/tmp/armtwin-mutations-1/server/store/store.ts') };
  expect(() => resultsOf(linesOf(gone))).toThrow('files of the copy');
  expect(resultsOf(linesOf({ ...gone, mutant: reason('/tmp/armtwin-x/data') })).size).toBe(1);
});

it('takes no results when a survivor met few of the tests that cover it', () => {
  const row = { path, text, mutant: mutant('Survived'), testsCompleted: 2 };
  expect(() => resultsOf(linesOf({ ...row, covered: 3 }))).toThrow('only 2 of 3 tests');
  for (const testsCompleted of [2, 3]) {
    expect(resultsOf(linesOf({ ...row, testsCompleted, covered: testsCompleted })).size).toBe(1);
  }
  expect(resultsOf(linesOf({ ...row, testsCompleted: 67, covered: 68 })).size).toBe(1);
  expect(resultsOf(linesOf({ ...row, covered: 3, isLimited: true })).size).toBe(1);
});

it('leaves out texts of several words, and nothing that a template decides', () => {
  const literal = (/** @type {string} */ value) =>
    shouldIgnore({ node: { type: 'StringLiteral', value } });
  expect(literal('The update package is empty')).toBe(SENTENCE);
  for (const value of ['wrong_state', '/livez', 'a: b', 'GET', '']) {
    expect(literal(value)).toBeUndefined();
  }
  const template = (/** @type {string} */ type) =>
    shouldIgnore({
      node: {
        type: 'TemplateLiteral',
        expressions: [{ type }],
        quasis: [{ value: { raw: 'Installing version ' } }, { value: { raw: '' } }],
      },
    });
  expect(template('Identifier')).toBe(SENTENCE);
  expect(template('ConditionalExpression')).toBeUndefined();
});
