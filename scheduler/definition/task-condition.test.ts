/** Conditions on what tasks return: read, judged, and counted in plans. */

import { describe, expect, it } from 'vitest';
import { checkDefinition } from './checked-definition.ts';
import { holds, type ModelCondition, uncountedTasks } from './task-condition.ts';
import { washAndRead } from './workflow.cases.ts';

const on = (bound: Partial<ModelCondition>): ModelCondition => {
  return { task: 0, output: 'od', ...bound };
};

describe('a condition', () => {
  it.each<[Partial<ModelCondition>, unknown, boolean]>([
    [{ equals: 'A' }, 'A', true],
    [{ equals: 'A' }, 'a', false],
    [{ equals: 1 }, '1', false],
    [{ equals: false }, false, true],
    [{ not_equals: 'A' }, 'B', true],
    [{ not_equals: 'A' }, 'A', false],
    [{ not_equals: 'A' }, null, false],
    [{ at_least: 0.5 }, 0.5, true],
    [{ at_least: 0.5 }, 0.49, false],
    [{ at_least: 0.5 }, '0.6', false],
    [{ below: 0.5 }, 0.5, false],
    [{ below: 0.5 }, -1, true],
    [{ at_least: 0.2, below: 0.5 }, 0.3, true],
    [{ at_least: 0.2, below: 0.5 }, 0.1, false],
  ])('%j holds for %j: %s', (bound, od, isMet) => {
    expect(holds(on(bound), { od } as never)).toBe(isMet);
  });

  it('does not hold where nothing was returned', () => {
    expect(holds(on({ not_equals: 3 }), null)).toBe(false);
    expect(holds(on({ not_equals: 3 }), {})).toBe(false);
  });
});

describe('the branches that a plan does not count', () => {
  type Branch = readonly [number, ...Partial<ModelCondition>[]];
  const counted = (branches: readonly Branch[]) => {
    const tasks = branches.map(([estimate_s, ...bounds]) => {
      return { estimate_s, conditions: bounds.map(on) };
    });
    return uncountedTasks(
      tasks,
      () => false,
      () => false,
    ).sort();
  };

  it.each<[string, Branch[], number[]]>([
    [
      'the shorter of two',
      [
        [5, { below: 1 }],
        [9, { at_least: 1 }],
      ],
      [0],
    ],
    [
      'none of those that can go together',
      [
        [5, { below: 2 }],
        [9, { at_least: 1 }],
      ],
      [],
    ],
    [
      'all but the longest of three',
      [
        [1, { equals: 'a' }],
        [2, { equals: 'b' }],
        [3, { equals: 'c' }],
      ],
      [0, 1],
    ],
    [
      'the shorter by the sum',
      [
        [5, { below: 1 }],
        [7, { at_least: 1 }],
        [4, { below: 1 }],
      ],
      [1],
    ],
    [
      'what cannot equal a value',
      [
        [5, { equals: 3 }],
        [9, { not_equals: 3 }],
      ],
      [0],
    ],
    [
      'a value outside of a range',
      [
        [5, { equals: 3 }],
        [9, { below: 3 }],
      ],
      [0],
    ],
    [
      'none on results of other names',
      [
        [5, { below: 1 }],
        [9, { at_least: 1, output: 'ph' }],
      ],
      [],
    ],
    [
      'none on other tasks',
      [
        [5, { below: 1 }],
        [9, { at_least: 1, task: 7 }],
      ],
      [],
    ],
  ])('are %s', (_, branches, wanted) => {
    expect(counted(branches)).toEqual(wanted);
  });

  it('are none once the result is known', () => {
    const tasks = [{ below: 1 }, { at_least: 1 }].map((bound) => {
      return { estimate_s: 1, conditions: [on(bound)] };
    });
    expect(
      uncountedTasks(
        tasks,
        () => true,
        () => false,
      ),
    ).toEqual([]);
  });
});

/** The findings of a wash of plate 1 that depends on these conditions. */
function findingsOf(only_if: unknown, read: object = {}) {
  const definition = structuredClone(washAndRead({ plates: 2 }));
  const tasks = definition.workflow.tasks as Record<string, Record<string, unknown>>;
  Object.assign(tasks['wash_plate_1']!, { only_if });
  Object.assign(tasks['read_plate_2']!, read);
  const { errors, warnings } = checkDefinition(definition);
  return [...errors.map(({ path, message }) => `${path} ${message}`), ...warnings];
}

describe('the check of conditions', () => {
  const PATH = '/workflow/tasks/wash_plate_1/only_if';
  const good = { task_id: 'read_plate_2', output: 'od', below: 1 };
  const returns = { mock_behaviour: { data_outputs: { od: 1 } } };

  it.each<[string, unknown, object, string]>([
    [
      'an unknown task',
      [{ ...good, task_id: 'x' }],
      returns,
      `${PATH}/0/task_id there is no task x`,
    ],
    [
      'nothing to compare with',
      [{ task_id: 'read_plate_2', output: 'od' }],
      returns,
      `${PATH}/0 says neither equals, not_equals, at_least nor below`,
    ],
    [
      'a range without values',
      [{ ...good, at_least: 1 }],
      returns,
      `${PATH} can never hold: od of read_plate_2 is at least 1 and is below 1`,
    ],
    [
      'two that exclude each other',
      [good, { ...good, below: undefined, equals: 2 }],
      returns,
      `${PATH} can never hold: od of read_plate_2 is below 1, and od of read_plate_2 is 2`,
    ],
    [
      'a task that is skipped',
      [good],
      { skip: true },
      `${PATH}/0/task_id is read_plate_2, which is skipped and returns nothing`,
    ],
    [
      'a task that waits for the one that it decides on',
      [{ ...good, task_id: 'read_plate_1' }],
      {},
      '/workflow/tasks these wait for each other in a cycle: wash_plate_1, read_plate_1',
    ],
    [
      'a value that nothing returns',
      [good],
      {},
      'read_plate_2 returns no od, which decides on wash_plate_1, and fails: give it mock_behaviour.data_outputs, or its instrument data_outputs',
    ],
    ['no list', { ...good }, returns, `${PATH} must be array`],
  ])('names %s', (_, only_if, read, text) => {
    expect(findingsOf(only_if, read)[0]).toContain(text);
  });

  it('finds nothing where a task, an instrument or a person returns the value', () => {
    expect(findingsOf([good], returns)).toEqual([]);
    expect(findingsOf([good], { prompt: 'Read it' })).toEqual([]);
  });
});
