import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { resolved, schemaOf } from '../../../contract/schemas.ts';
import type { Cell, CellObject, CellObjectState } from '../../../contract/types.generated.ts';
import { validate } from '../../../contract/validator.ts';
import { checkCell } from '../../../physics/cell/check-cell.ts';
import type { CellView } from '../../link/cell-view.ts';
import { beamEnd } from './beam-end.ts';
import {
  carriedBy,
  cellParts,
  describedNow,
  movedPart,
  NEW_SHAPES,
  newName,
  partOf,
  withAdded,
  withoutPart,
  withPart,
  withPlaced,
  withRenamed,
} from './cell-edit.ts';
import { NEW_DEVICES } from './device-fields.tsx';
import { createOwnCells } from './own-cells.ts';
import { dropPlace, freePlace, surfaceUnder, turnOf, uprightTurn } from './part-place.ts';
import { partText } from './part-text.ts';

const TRAYS = JSON.parse(
  readFileSync(new URL('../../../fixtures/cells/trays.json', import.meta.url), 'utf8'),
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
    const by = { x: 0.02, y: -0.03, z: 0 };
    const moved = withPlaced(TRAYS, { name: 'tray A', carried: new Set() }, (part) =>
      movedPart(part, by),
    );
    expect(moved.fixtures?.[1]?.position).toEqual({ x: 0.37, y: -0.23, z: 0.05 });
    expect(moved.objects?.[0]?.nest).toBe('A1');
    expect(checkCell(moved)).toEqual([]);
  });

  it('carries along what stands on a part that moves and turns, however high', () => {
    const belt = { x: 0.4, y: 0.1, z: 0.1 };
    const conveyor = {
      ...{ name: 'belt', position: { ...belt, z: 0 }, size_m: { x: 0.4, y: 0.1, z: 0.1 } },
      ...{ speed_m_s: 0.1, output: 'd1' as const },
    };
    const low: CellObject = {
      ...{ name: 'low', shape: NEW_SHAPES.box, mass_kg: 0.1 },
      position: { ...belt, x: 0.5 },
    };
    const high: CellObject = { ...low, name: 'high', position: { ...belt, x: 0.5, z: 0.14 } };
    const cell: Cell = { name: 'c', conveyors: [conveyor], objects: [low, high] };
    const state = (object: CellObject, at: string) =>
      ({ ...PART, name: object.name, position: object.position!, at }) as const;
    const now = viewOf(cell, state(high, 'low'), state(low, 'belt'));
    const carried = carriedBy(now, 'belt');
    expect([...carried].sort()).toEqual(['high', 'low']);
    const placed = withPlaced(cell, { name: 'belt', carried }, () => ({
      ...{ position: { x: 0.4, y: 0, z: 0.02 }, orientation: uprightTurn(Math.PI / 2) },
    }));
    const [first, second] = placed.objects!;
    expect(first?.position?.x).toBeCloseTo(0.4, 12);
    expect(first?.position?.y).toBeCloseTo(0.1, 12);
    expect(first?.position?.z).toBeCloseTo(0.12, 12);
    expect(second?.position?.z).toBeCloseTo(0.16, 12);
    expect(turnOf(second?.orientation)).toBeCloseTo(Math.PI / 2, 12);
    expect(checkCell(placed)).toEqual([]);
  });

  it('moves a beam as a whole or at one end, and other sensors with their place', () => {
    const cell = NEW_DEVICES.filter(([list]) => list === 'sensors').reduce(
      (now, [list, values]) => withAdded(now, list, { ...values, name: `${values['kind']}` }),
      TRAYS,
    );
    const by = { x: 0.01, y: 0.02, z: 0 };
    const moved = (name: string, end: 'from' | 'to' | null = null) =>
      movedPart(partOf(cell, name)!, by, end);
    expect(moved('beam')).toEqual({
      from: { x: 0.31, y: 0.32, z: 0.1 },
      to: { x: 0.51, y: 0.32, z: 0.1 },
    });
    expect(moved('beam', 'to')).toEqual({ to: { x: 0.51, y: 0.32, z: 0.1 } });
    expect(Object.keys(moved('presence'))).toEqual(['position']);
    expect(Object.keys(moved('distance'))).toEqual(['position']);
    expect(moved('weight')).toEqual({});
    expect(movedPart(partOf(cell, 'door')!, by)).toEqual({});
    const ends = [0.31, 0.4, 0.49].map((x) => beamEnd(cell, 'beam', { x, y: 0.3, z: 0.1 }));
    expect(ends).toEqual(['from', null, 'to']);
    expect(beamEnd(cell, 'presence', by)).toBeNull();
  });

  it('renames a part of any kind with what refers to it', () => {
    for (const { name } of cellParts(TRAYS)) {
      const renamed = withRenamed(TRAYS, name, 'other');
      expect(cellParts(renamed)).toEqual(
        cellParts(TRAYS).map((part) => (part.name === name ? { ...part, name: 'other' } : part)),
      );
      expect(checkCell(renamed)).toEqual([]);
    }
    const scale = { kind: 'weight', name: 'scale', input: 'a0', of: 'table' };
    const weighed = withAdded(TRAYS, 'sensors', {
      ...{ ...scale, full_scale_kg: 1, at_zero: 0, at_full_scale: 10 },
    });
    const renamed = withRenamed(weighed, 'table', 'bench');
    expect(partOf(renamed, 'scale')).toMatchObject({ of: 'bench' });
    expect(checkCell(renamed)).toEqual([]);
    const other = withRenamed(weighed, 'gripper', 'jaws');
    expect(partOf(other, 'scale')).toMatchObject({ of: 'table' });
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
  it.each([
    ['grippers', 'CellGripper'],
    ['sensors', 'CellSensor'],
    ['controls', 'CellControl'],
  ] as const)('can be of every kind of %s', (list, schema) => {
    const kinds = schemaOf(schema).oneOf!.map((one) => resolved(one).properties!['kind']!.const);
    const offered = NEW_DEVICES.filter(([own]) => own === list).map(([, { kind }]) => kind);
    expect(offered.toSorted(), 'NEW_DEVICES in device-fields.tsx').toEqual(kinds.toSorted());
  });

  it.each(NEW_DEVICES)('of %s is a valid part of a cell: %o', (list, values) => {
    const name = newName(TRAYS, 'device');
    const device = { ...values, name };
    const [fixture] = TRAYS.fixtures!;
    const whole = 'of' in device ? { ...device, of: fixture!.name } : device;
    // The arm of the sample has its own gripper.
    const start = list === 'grippers' ? withoutPart(TRAYS, TRAYS.grippers![0]!.name) : TRAYS;
    const cell = withAdded(start, list, whole);
    expect(validate('Cell', cell, { dialect: 'documented' })).toMatchObject({ ok: true });
    expect(checkCell(cell)).toEqual([]);
  });

  it('is changed in place, with the fields that it keeps', () => {
    const [belt] = NEW_DEVICES.filter(([list]) => list === 'conveyors');
    const cell = withAdded(TRAYS, 'conveyors', { ...belt![1], name: 'belt' });
    const slow = withPart(cell, 'belt', () => ({ speed_m_s: 0.02 }));
    expect(slow.conveyors).toEqual([{ ...belt![1], name: 'belt', speed_m_s: 0.02 }]);
    expect(withoutPart(slow, 'belt').conveyors).toEqual([]);
  });
});

it('separates a cell of another client from those that this page makes', async () => {
  let now_ms = 0;
  const own = createOwnCells(() => now_ms);
  const other: Cell = { name: 'other' };
  await own.change(async () => {
    expect(own.isReplaced(TRAYS)).toBe(false);
  });
  // The stream may send it after the reply, and again after a reconnection.
  now_ms = 500;
  expect(own.isReplaced(null)).toBe(false);
  expect(own.isReplaced(TRAYS)).toBe(false);
  now_ms = 5000;
  expect(own.isReplaced(structuredClone(TRAYS))).toBe(false);
  expect(own.isReplaced(other)).toBe(true);
  expect(own.isReplaced(other)).toBe(false);
  expect(own.isReplaced(null)).toBe(true);
});
