import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Action, TestCondition, Toolpath } from '../../../contract/types.generated.ts';
import { checkToolpath } from '../../../physics/toolpath/check.ts';
import { allActions } from '../../toolpath/placed-action.ts';
import { shapeProblems } from '../../toolpath/shape-check.ts';
import { actionAt, withValue } from '../../toolpath/toolpath-edit.ts';
import { ActionFields } from './action-fields.tsx';
import { drawForm } from './drawn-form.cases.tsx';
import { NumberRow } from './field-rows.tsx';
import { TestFields } from './io-fields.tsx';
import { NEW_ACTIONS } from './new-actions.ts';

afterEach(() => vi.unstubAllGlobals());

const sorter = JSON.parse(
  readFileSync(new URL('../../../fixtures/toolpaths/sorter.json', import.meta.url), 'utf8'),
) as Toolpath;
const MOVE: Action = { type: 'trajectory', trajectory: 'linear', waypoint_id: 0, max_speed: 0.1 };
const WAIT: Action = { type: 'wait', condition: { type: 'time', duration: 1 } };

/** The form of an action of the sorter. */
const formOf = (action: Action) =>
  drawForm<Action>((bound) => <ActionFields {...bound} toolpath={sorter} />, action);

it('stores metres for displayed millimetres, without rounding noise', async () => {
  const form = drawForm<number>(
    (bound) => <NumberRow label="Length" unit="mm" scale={1000} max={200} {...bound} />,
    0.1 + 0.2 - 0.2,
  );
  expect(form.text('Length')).toBe('100');
  await form.enter('Length', '0.3');
  expect(form.value()).toBe(0.0003);
  await form.enter('Length', '201');
  expect([form.value(), form.isWrong('Length')]).toEqual([0.0003, true]);
});

describe('the fields of a move', () => {
  it('show speed in mm/s and never both speed and time', async () => {
    const form = formOf(MOVE);
    expect(form.text('Speed')).toBe('100');
    await form.enter('Pace', 'time');
    const timed = { type: 'trajectory', trajectory: 'linear', waypoint_id: 0, time: 2 };
    expect(form.value()).toEqual(timed);
    expect(form.labels()).toEqual(['To', 'Move', 'Pace', 'Time', 'Pass through']);
    await form.enter('Pace', 'default');
    expect(form.value()).toEqual({ type: 'trajectory', trajectory: 'linear', waypoint_id: 0 });
  });

  it('reject an invalid speed', async () => {
    const form = formOf(MOVE);
    await form.enter('Speed', '0');
    expect([form.value(), form.isWrong('Speed')]).toEqual([MOVE, true]);
  });

  it('drop what a pass-through lacks, and restore it', async () => {
    const form = formOf(MOVE);
    await form.enter('Pass through', 'true');
    expect(form.value()).toEqual({ type: 'trajectory', waypoint_id: 0, pass_through: true });
    expect(form.labels()).toEqual(['To', 'Pass through']);
    await form.enter('Pass through', 'false');
    const back = { type: 'trajectory', waypoint_id: 0, trajectory: 'joint_space' };
    expect(form.value()).toEqual(back);
  });
});

it('changes a wait from time to input and back', async () => {
  const form = formOf(WAIT);
  await form.enter('Wait for', 'input');
  expect(form.value()).toMatchObject({ condition: { type: 'input', value: true } });
  await form.enter('Line', 'end_effector analog 1');
  expect(form.value()).toMatchObject({
    condition: { operator: 'above', thresholds: { upper: 5 } },
  });
  await form.enter('Above', '8');
  expect(form.value()).toMatchObject({ condition: { thresholds: { lower: 0, upper: 8 } } });
  await form.enter('Wait for', 'time');
  expect(form.value()).toEqual(WAIT);
});

it('gives a condition only the fields of its operator', async () => {
  const io = { location: 'base', type: 'analog', index: 0 } as const;
  const thresholds = { lower: 0, upper: 5 };
  const form = drawForm<TestCondition>(TestFields, {
    ...{ type: 'input', io, operator: 'inside', thresholds },
  });
  expect(form.labels()).toEqual(['Line', 'Line value', 'From', 'To']);
  await form.enter('Line value', 'equal');
  expect(form.value()).toEqual({ type: 'input', io, operator: 'equal', value: 5 });
  expect(form.labels()).toEqual(['Line', 'Line value', 'Value']);
});

it('keeps every action of the sorter valid for any value of any field', async () => {
  let tried = 0;
  for (const { at, action } of allActions(sorter)) {
    const form = formOf(action);
    for (const label of form.labels()) {
      for (const text of form.settings(label)) {
        await form.enter(label, text);
        if (form.value() !== action) tried++;
        expect(shapeProblems('Action', form.value()), `${at} ${label} ${text}`).toEqual([]);
        await form.reset();
      }
    }
  }
  expect(tried).toBeGreaterThan(100);
});

describe('additions', () => {
  const joints = sorter.waypoints[0]!.joints;

  it.each(NEW_ACTIONS)('$label is valid and selected wherever nothing is missing', (one) => {
    const rows = [null, ...allActions(sorter).map(({ at }) => at), '/timeline/4/branches/0'];
    const places = rows.filter((selected) => !one.missing({ toolpath: sorter, selected, joints }));
    expect(places.length).toBeGreaterThan(0);
    for (const selected of places) {
      const { toolpath, selected: at } = one.add({ toolpath: sorter, selected, joints });
      expect(shapeProblems('Toolpath', toolpath)).toEqual([]);
      expect(actionAt(toolpath, at) ?? at).toBeTruthy();
      const places = checkToolpath(toolpath).map(({ problem }) => problem);
      expect(places).not.toContain('may stand only inside a grid');
    }
  });

  it('states the missing preconditions in an empty toolpath', () => {
    const toolpath = withValue(sorter, '/waypoints', []);
    const lacking = NEW_ACTIONS.filter(({ missing }) =>
      missing({ toolpath: { ...toolpath, timeline: [], routines: [] }, selected: null, joints }),
    );
    expect(lacking.map(({ label }) => label)).toEqual([
      'Pass-through',
      'Move to a waypoint',
      'Grid',
      'Move to the cell',
      'Branch',
      'Restart',
      'Call a routine',
    ]);
  });
});
