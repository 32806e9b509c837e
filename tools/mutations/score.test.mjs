import { expect, it } from 'vitest';
import { scoreOf, survivorsOf } from './score.mjs';

const mutant = (/** @type {string} */ status, line = 1) => ({
  status,
  mutatorName: 'EqualityOperator',
  replacement: 'a >= b',
  location: { start: { line } },
});
const report = {
  files: {
    'server/robot/robot-context.ts': {
      source: 'if (a < b) return;\nif (c) return;',
      mutants: [mutant('Killed'), mutant('Timeout'), mutant('Survived'), mutant('NoCoverage', 2)],
    },
    'server/robot/io.ts': { source: 'x', mutants: [mutant('Ignored'), mutant('Killed')] },
  },
};

it('counts every mutant but the ignored ones, and what no test covers as a survivor', () => {
  expect(scoreOf(report, [])).toEqual({ mutants: 5, killed: 3 });
});

it('prints the place, the source line and the replacement of a survivor', () => {
  expect(survivorsOf(report, [])).toEqual([
    '  server/robot/robot-context.ts:1 EqualityOperator: if (a < b) return; -> a >= b',
    '  server/robot/robot-context.ts:2 EqualityOperator: if (c) return; -> a >= b',
  ]);
});

it('leaves out accepted mutants, by file, source line and mutator', () => {
  const accepted = [
    {
      path: 'server/robot/robot-context.ts',
      source: 'if (c) return;',
      mutator: 'EqualityOperator',
      reason: 'an example',
    },
  ];
  expect(scoreOf(report, accepted)).toEqual({ mutants: 4, killed: 3 });
});
