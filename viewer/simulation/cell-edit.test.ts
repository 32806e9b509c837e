import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Cell, CellObject, CellObjectState } from '../../contract/types.ts';
import { validate } from '../../contract/validator.ts';
import { checkCell } from '../../physics/cell/check-cell.ts';
import type { CellView } from '../link/arm-store.ts';
import { NEW_DEVICES, withDevice } from './cell-device-form.ts';
import {
  cellParts,
  describedNow,
  dropPlace,
  freePlace,
  NEW_SHAPES,
  newName,
  surfaceUnder,
  turnOf,
  uprightTurn,
  withFixtureMoved,
  withoutPart,
  withPart,
} from './cell-edit.ts';
import { partText } from './cell-panel.ts';

const TRAYS = JSON.parse(
  readFileSync(new URL('../../fixtures/cells/trays.json', import.meta.url), 'utf8'),
) as Cell;

const PART: CellObjectState = {
  name: 'part 1',
  position: { x: 0.35, y: -0.2, z: 0.11 },
  orientation: uprightTurn(0),
  status: 'resting',
  at: 'A1',
  held_by: null,
};
const TUBE: CellObjectState = {
  ...PART,
  name: 'tube 1',
  position: { x: 0.28, y: -0.13, z: 0.11 },
  at: 'A2',
};

function viewOf(description: Cell, ...objects: CellObjectState[]): CellView {
  const state = { objects, grippers: [], sensors: [], conveyors: [], controls: [] };
  return { description, state, events: [] };
}

const view = viewOf(TRAYS, PART, TUBE);

describe('a saved cell', () => {
  it('has its objects in the nest or at the place where they are now', () => {
    const away = { ...PART, at: 'table', position: { x: 0.2, y: 0, z: 0.05 } };
    const saved = describedNow(viewOf(TRAYS, away, { ...TUBE, at: 'B1' }));
    expect(saved.objects?.[0]).toMatchObject({ position: away.position });
    expect(saved.objects?.[0]).not.toHaveProperty('nest');
    expect(saved.objects?.[1]).toMatchObject({ nest: 'B1' });
    expect(checkCell(saved)).toEqual([]);
  });

  it('keeps the start of what is held or moves', () => {
    const held = { ...PART, status: 'held', at: null, held_by: 'gripper' } as const;
    expect(describedNow(viewOf(TRAYS, held, TUBE))).toEqual(TRAYS);
  });
});

describe('an edit', () => {
  it('changes one part and keeps the order of all', () => {
    const heavier = withPart(TRAYS, 'part 1', () => ({ mass_kg: 0.3 }));
    expect(heavier.objects?.[0]).toMatchObject({ name: 'part 1', mass_kg: 0.3, nest: 'A1' });
    expect(cellParts(heavier)).toEqual(cellParts(TRAYS));
    expect(TRAYS.objects?.[0]?.mass_kg).toBe(0.2);
  });

  it('removes a part of any kind', () => {
    for (const { name } of cellParts(TRAYS)) {
      const names = cellParts(withoutPart(TRAYS, name)).map((part) => part.name);
      expect(names).toEqual(
        cellParts(TRAYS)
          .map((part) => part.name)
          .filter((each) => each !== name),
      );
    }
  });

  it('moves a fixture over the ground; what is in its nests goes along', () => {
    const moved = withFixtureMoved(TRAYS, 'tray A', { x: 0.02, y: -0.03 });
    expect(moved.fixtures?.[1]?.position).toEqual({ x: 0.37, y: -0.23, z: 0.05 });
    expect(moved.objects?.[0]?.nest).toBe('A1');
    expect(checkCell(moved)).toEqual([]);
  });

  it('adds an object of each shape at a free place that the check accepts', () => {
    for (const [kind, shape] of Object.entries(NEW_SHAPES)) {
      const position = freePlace(view, shape);
      const object: CellObject = { name: newName(TRAYS, kind), shape, mass_kg: 0.1, position };
      const cell = { ...TRAYS, objects: [...(TRAYS.objects ?? []), object] };
      expect(checkCell(cell)).toEqual([]);
    }
    expect(newName(TRAYS, 'part')).toBe('part 2');
  });
});

describe('a dropped object', () => {
  it('goes into a free nest nearby', () => {
    expect(dropPlace(view, 'part 1', { x: 0.36, y: 0.19, z: 0.2 })).toEqual({ nest: 'B1' });
  });

  it('goes onto what lies below it, and keeps its turn', () => {
    const at = (x: number, y: number) => dropPlace(view, 'part 1', { x, y, z: 0.11 }).position?.z;
    expect(at(0.35, 0)).toBeCloseTo(0.05, 9);
    expect(at(0.42, 0.27)).toBeCloseTo(0.11, 9);
    expect(at(0.1, 0.3)).toBe(0);
    expect(at(0.28, -0.13)).toBeCloseTo(0.17, 9);
    const turned = viewOf(TRAYS, { ...PART, orientation: uprightTurn(0.7) }, TUBE);
    const { orientation } = dropPlace(turned, 'part 1', { x: 0.35, y: 0, z: 0.11 });
    expect(turnOf(orientation)).toBeCloseTo(0.7, 9);
    const lying = { ...PART, status: 'tipped', orientation: { w: 1, x: 1, y: 0, z: 0 } } as const;
    const lifted = dropPlace(viewOf(TRAYS, lying, TUBE), 'part 1', { x: 0.35, y: 0, z: 0.11 });
    expect(lifted.orientation).toMatchObject({ w: 1, x: 0, y: 0 });
  });

  it('finds the surface of a turned fixture', () => {
    const orientation = uprightTurn(Math.PI / 4);
    const [table, tray] = TRAYS.fixtures!;
    const turned = viewOf({ ...TRAYS, fixtures: [table!, { ...tray!, orientation }] });
    expect(surfaceUnder(turned, { x: 0.35, y: -0.33, z: 0 }, '')).toBeCloseTo(0.11, 9);
    expect(surfaceUnder(turned, { x: 0.44, y: -0.29, z: 0 }, '')).toBeCloseTo(0.05, 9);
  });
});

it('each part says its state in a few words', () => {
  const held = { ...PART, status: 'held', at: null, held_by: 'gripper' } as const;
  const { state } = viewOf(TRAYS, held, { ...TUBE, status: 'tipped', at: 'table' });
  const all = {
    ...state,
    grippers: [{ name: 'gripper', opening_m: 0, closed: true, holds: null }],
    sensors: [{ name: 'gate', active: true, value: true }],
    conveyors: [{ name: 'belt', running: false, travel_m: 0 }],
  };
  expect(
    ['part 1', 'tube 1', 'gripper', 'gate', 'belt'].map((name) => partText(all, name)),
  ).toEqual(['held by gripper', 'fell over on table', 'closed, empty', 'sees something', 'stands']);
});

describe('a new device', () => {
  it.each(NEW_DEVICES)('of %s is a valid part of a cell: %o', (list, values) => {
    const name = newName(TRAYS, 'device');
    const device = { ...values, name };
    const [fixture] = TRAYS.fixtures!;
    const whole = 'of' in device ? { ...device, of: fixture!.name } : device;
    // The arm of the sample has its own gripper.
    const start = list === 'grippers' ? withoutPart(TRAYS, TRAYS.grippers![0]!.name) : TRAYS;
    const cell = withDevice(start, list, whole);
    expect(validate('Cell', cell, { dialect: 'documented' })).toMatchObject({ ok: true });
    expect(checkCell(cell)).toEqual([]);
  });

  it('is changed in place, with the fields that it keeps', () => {
    const [belt] = NEW_DEVICES.filter(([list]) => list === 'conveyors');
    const cell = withDevice(TRAYS, 'conveyors', { ...belt![1], name: 'belt' });
    const slow = withPart(cell, 'belt', () => ({ speed_m_s: 0.02 }));
    expect(slow.conveyors).toEqual([{ ...belt![1], name: 'belt', speed_m_s: 0.02 }]);
    expect(withoutPart(slow, 'belt').conveyors).toEqual([]);
  });
});
