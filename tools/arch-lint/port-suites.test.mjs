import { describe, expect, it } from 'vitest';
import { portSuites } from './port-suites.mjs';
import { treeOf } from './tree.mjs';

const CLASS = { 'bridge/a.ts': 'export class A implements ArmDriver {}' };
const SUITE = { 'bridge/arm-driver.cases.ts': 'export const cases = 1;' };
const USES_CASES = "import { cases } from './arm-driver.cases.ts';";

describe('port suites', () => {
  it('accepts a class whose test runs the cases', () => {
    const test = `import { A } from './a.ts';\n${USES_CASES}`;
    const tree = treeOf({ ...CLASS, ...SUITE, 'bridge/a.test.ts': test });
    expect(portSuites(tree)).toEqual({ checked: 1, problems: [] });
  });

  it.each([
    ['without a test', {}],
    ['whose test does not run the cases', { 'bridge/a.test.ts': "import { A } from './a.ts';" }],
    ['where another test runs them', { 'bridge/b.test.ts': USES_CASES }],
  ])('reports a class %s', (_, tests) => {
    const { problems } = portSuites(treeOf({ ...CLASS, ...SUITE, ...tests }));
    expect(problems).toEqual([expect.stringContaining('no test runs the cases of ArmDriver on A')]);
  });
});
