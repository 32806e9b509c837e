import type { Problem } from '../../../contract/problem.ts';
import type { Cell, RehearsalExpectations } from '../../../contract/types.generated.ts';
import { goalProblems, unknownNameText } from '../../../physics/cell/object-goal.ts';

/** What expectations ask of parts that a cell does not have, or do not say; each with its place. */
export function expectationProblems(cell: Cell, expected: RehearsalExpectations): Problem[] {
  const problems: Problem[] = [];
  expected.objects?.forEach((goal, i) => {
    const own = goalProblems(cell, goal);
    problems.push(...own.map(({ path, problem }) => ({ path: `/objects/${i}${path}`, problem })));
    if (goal.at !== undefined || goal.held_by !== undefined) return;
    const problem = 'needs at or held_by, or it expects nothing';
    problems.push({ path: `/objects/${i}`, problem });
  });
  if (expected.objects?.length === 0) {
    const problem = 'is empty: it expects nothing, and mishaps are no problem beside it';
    problems.push({ path: '/objects', problem });
  }
  expected.signals?.forEach(({ input, output }, i) => {
    if ((input === undefined) !== (output === undefined)) return;
    problems.push({ path: `/signals/${i}`, problem: 'needs either an input or an output' });
  });
  const { controls = [] } = cell;
  expected.press?.forEach((name, i) => {
    if (controls.some((control) => control.name === name)) return;
    const problem = unknownNameText('control', name, controls);
    problems.push({ path: `/press/${i}`, problem });
  });
  return problems;
}
