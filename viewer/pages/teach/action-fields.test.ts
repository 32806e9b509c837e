import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Action, Toolpath } from '../../../contract/types.generated.ts';
import { checkToolpath } from '../../../physics/toolpath/check.ts';
import { allActions } from '../../toolpath/placed-action.ts';
import { shapeProblems } from '../../toolpath/shape-check.ts';
import { actionAt, withValue } from '../../toolpath/toolpath-edit.ts';
import { type FormField, numberFormField } from '../../ui/form-field.ts';
import { actionFields } from './action-fields.ts';
import { testFields } from './io-fields.ts';
import { NEW_ACTIONS } from './new-actions.ts';

const sorter = JSON.parse(
  readFileSync(new URL('../../../fixtures/toolpaths/sorter.json', import.meta.url), 'utf8'),
) as Toolpath;
const MOVE: Action = { type: 'trajectory', trajectory: 'linear', waypoint_id: 0, max_speed: 0.1 };
const WAIT: Action = { type: 'wait', condition: { type: 'time', duration: 1 } };

function field<Subject>(fields: readonly FormField<Subject>[], label: string): FormField<Subject> {
  return fields.find((one) => one.label === label)!;
}

describe('a field for numbers', () => {
  it('stores metres for displayed millimetres, without rounding noise', () => {
    const row = { label: '', factor: 1000, min: -200, max: 200 };
    const { value, set } = numberFormField(row, 0.1 + 0.2 - 0.2, (m) => m);
    expect([value, set('0.3'), set('201')]).toEqual(['100', 0.0003, null]);
  });
});

describe('the fields of a move', () => {
  const fields = actionFields(MOVE, sorter);

  it('shows speed in mm/s and never both speed and time', () => {
    expect(field(fields, 'Speed').value).toBe('100');
    const timed = field(fields, 'Pace').set('time')!;
    expect(timed).toEqual({ type: 'trajectory', trajectory: 'linear', waypoint_id: 0, time: 2 });
    expect(field(fields, 'Pace').set('default')).not.toHaveProperty('max_speed');
  });

  it('rejects invalid speeds, moves and waypoints', () => {
    expect(field(fields, 'Speed').set('0')).toBeNull();
    expect(field(fields, 'Move').set('curved')).toBeNull();
    expect(field(fields, 'To').set('99')).toBeNull();
  });

  it('drops the fields that a pass-through lacks, and restores them', () => {
    const passing = field(fields, 'Pass through').set('true')!;
    expect(passing).toEqual({ type: 'trajectory', waypoint_id: 0, pass_through: true });
    const back = field(actionFields(passing, sorter), 'Pass through').set('false')!;
    expect(back).toEqual({ type: 'trajectory', waypoint_id: 0, trajectory: 'joint_space' });
  });
});

it('changes a wait from time to input and back', () => {
  const waiting = field(actionFields(WAIT, sorter), 'Wait for').set('input')!;
  expect(waiting).toMatchObject({ condition: { type: 'input', value: true } });
  const analog = field(actionFields(waiting, sorter), 'Line').set('end_effector analog 1')!;
  expect(analog).toMatchObject({ condition: { operator: 'above', thresholds: { upper: 5 } } });
  expect(field(actionFields(analog, sorter), 'Above').set('8')).toMatchObject({
    condition: { thresholds: { lower: 0, upper: 8 } },
  });
  expect(field(actionFields(analog, sorter), 'Wait for').set('time')).toEqual(WAIT);
});

it('gives a condition only the fields of its operator', () => {
  const io = { location: 'base', type: 'analog', index: 0 } as const;
  const above = {
    type: 'input',
    io,
    operator: 'above',
    thresholds: { lower: 0, upper: 5 },
  } as const;
  const equal = field(
    testFields(above, (one) => one),
    'Line value',
  ).set('equal')!;
  expect(equal).toEqual({ type: 'input', io, operator: 'equal', value: 5 });
});

/** Every value that a field accepts, for trying. */
function settings({ kind, options, value }: FormField<Action>): string[] {
  if (kind === 'choice') return options.map(([option]) => option);
  return kind === 'flag' ? ['true', 'false'] : [value, '1', '7', ''];
}

it('keeps every action of the sorter valid for any value of any field', () => {
  let tried = 0;
  for (const { at, action } of allActions(sorter)) {
    for (const one of actionFields(action, sorter)) {
      for (const text of settings(one)) {
        const changed = one.set(text);
        if (changed === null) continue;
        tried++;
        expect(shapeProblems('Action', changed), `${at} ${one.label} ${text}`).toEqual([]);
      }
    }
  }
  expect(tried).toBeGreaterThan(200);
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
