import { readFileSync } from 'node:fs';
import { Box3, Matrix4, type Mesh, MeshStandardMaterial, Quaternion, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import type { Cell, CellState } from '../../contract/types.generated.ts';
import { FLANGE_M } from '../../physics/arm/arm-model.ts';
import { createArm } from './arm.ts';
import { CellBodies } from './cell-bodies.ts';
import { CellFixtures } from './cell-fixtures.ts';
import { CellGrippers } from './cell-grippers.ts';
import { drawSensor } from './cell-sensors.ts';
import { objectGeometry } from './object-shapes.ts';

const TRAYS = JSON.parse(
  readFileSync(new URL('../../fixtures/cells/trays.json', import.meta.url), 'utf8'),
) as Cell;
const UPRIGHT = { w: 1, x: 0, y: 0, z: 0 } as const;
const BENT = [0.3, -0.4, -1.1, 0.2, -0.9, 0.5];
/** Long enough for a loose body to reach its place (ms). */
const LONG_MS = 5000;

function stateOf(part: Partial<CellState['objects'][number]>): CellState {
  const object = {
    name: 'part 1',
    position: { x: 0.35, y: -0.2, z: 0.11 },
    orientation: UPRIGHT,
    status: 'resting',
    at: 'A1',
    held_by: null,
    ...part,
  } as const;
  return { objects: [object], grippers: [], sensors: [], conveyors: [], controls: [] };
}

const HELD_AT = { position: { x: 0, y: 0, z: 0.08 }, orientation: { w: 0, x: 1, y: 0, z: 0 } };

function held(): CellState {
  const gripper = { name: 'gripper', opening_m: 0.04, closed: true, holds: 'part 1' };
  const state = stateOf({ status: 'held', at: null, held_by: 'gripper' });
  return { ...state, grippers: [{ ...gripper, holds_at: HELD_AT }] };
}

describe('objects', () => {
  it('stand where the twin has them, and glide when they move', () => {
    const bodies = new CellBodies(createArm());
    bodies.build(TRAYS.objects ?? []);
    bodies.show(stateOf({}));
    bodies.move(0);
    expect(bodies.drawn()[0]).toEqual({ name: 'part 1', at_m: [0.35, -0.2, 0.11], held: false });
    bodies.show(stateOf({ position: { x: 0.37, y: -0.2, z: 0.11 } }));
    expect(bodies.move(10)).toBe(true);
    const [x] = bodies.drawn()[0]!.at_m;
    expect(x).toBeGreaterThan(0.35);
    expect(x).toBeLessThan(0.37);
    bodies.move(LONG_MS);
    bodies.move(LONG_MS);
    expect(bodies.drawn()[0]!.at_m[0]).toBeCloseTo(0.37, 6);
    expect(bodies.move(LONG_MS)).toBe(false);
  });

  it('move with the drawn flange while what a gripper holds carries them', () => {
    const arm = createArm();
    const bodies = new CellBodies(arm);
    bodies.build(TRAYS.objects ?? []);
    const gripper = { name: 'gripper', opening_m: 0.04, closed: true, holds: 'part 2' };
    const carries = [{ object: 'part 1', ...HELD_AT }];
    const state = stateOf({ status: 'carried', at: 'part 2' });
    bodies.show({ ...state, grippers: [{ ...gripper, carries }] });
    arm.setPose(BENT);
    expect(bodies.move(1)).toBe(true);
    const expected = new Vector3(0, 0, FLANGE_M + 0.08).applyMatrix4(arm.links[6]!.matrix);
    expect(new Vector3(...bodies.drawn()[0]!.at_m).distanceTo(expected)).toBeLessThan(1e-9);
  });

  it('move with the drawn flange while they are held', () => {
    const arm = createArm();
    const bodies = new CellBodies(arm);
    bodies.build(TRAYS.objects ?? []);
    bodies.show(held());
    for (const pose of [[0, 0, 0, 0, 0, 0], BENT]) {
      arm.setPose(pose);
      expect(bodies.move(1)).toBe(true);
      const expected = new Vector3(0, 0, FLANGE_M + 0.08).applyMatrix4(arm.links[6]!.matrix);
      const [drawn] = bodies.drawn();
      expect(drawn!.held).toBe(true);
      expect(new Vector3(...drawn!.at_m).distanceTo(expected)).toBeLessThan(1e-9);
    }
  });

  it.each([
    { kind: 'box', size_m: { x: 0.04, y: 0.05, z: 0.03 } },
    { kind: 'cylinder', diameter_m: 0.05, height_m: 0.08 },
    { kind: 'tube', diameter_m: 0.016, height_m: 0.06 },
    { kind: 'microplate' },
  ] as const)('have the size of their shape: $kind', (shape) => {
    const size = new Box3().setFromBufferAttribute(
      objectGeometry(shape).getAttribute('position') as never,
    );
    const [x, y, z] = {
      box: [0.04, 0.05, 0.03],
      cylinder: [0.05, 0.05, 0.08],
      tube: [0.016, 0.016, 0.06],
      microplate: [0.12776, 0.08548, 0.01435],
    }[shape.kind] as [number, number, number];
    const found = size.getSize(new Vector3());
    expect(found.x).toBeCloseTo(x, 3);
    expect(found.y).toBeCloseTo(y, 3);
    expect(found.z).toBeCloseTo(z, 3);
    expect(size.min.z).toBeCloseTo(0, 3);
  });
});

it('the jaws stand as far apart as the gripper is open, with their pads at the tip', () => {
  const arm = createArm();
  const grippers = new CellGrippers(arm);
  grippers.build(TRAYS.grippers ?? []);
  for (const opening_m of [0.06, 0.04, 0]) {
    const state = { name: 'gripper', opening_m, closed: opening_m < 0.06, holds: null };
    grippers.show({ ...stateOf({}), grippers: [state] });
    expect(grippers.drawn()[0]!.opening_m).toBeCloseTo(opening_m, 9);
  }
  arm.setPose(BENT);
  const tip = new Vector3(0, 0, FLANGE_M + 0.1).applyMatrix4(arm.links[6]!.matrix);
  expect(grippers.tips()[0]!.distanceTo(tip)).toBeLessThan(1e-9);
  arm.setPose([0, 0, 0, 0, 0, 0]);
  const [object] = arm.links[6]!.children.slice(-1);
  expect(object!.position.z).toBeCloseTo(FLANGE_M + 0.1, 9);
  const fingers = new Box3().setFromObject(object!);
  expect(fingers.max.z - fingers.min.z).toBeGreaterThan(0.1);
  grippers.build([]);
  expect(arm.links[6]!.children).not.toContain(object);
});

it('a dragged fixture is drawn beside its place, and back', () => {
  const fixtures = new CellFixtures(new MeshStandardMaterial());
  fixtures.build(TRAYS);
  const x = () => new Vector3().setFromMatrixPosition(fixtures.group.children[1]!.matrix).x;
  expect(x()).toBeCloseTo(0.35, 9);
  fixtures.offset('tray A', new Vector3(0.05, 0, 0));
  expect(x()).toBeCloseTo(0.4, 9);
  fixtures.offset('tray A', null);
  expect(x()).toBeCloseTo(0.35, 9);
  expect(fixtures.of(fixtures.group.children[1]!.children[0]!)).toBe('tray A');
});

it('a beam spans its ends and is lit while something breaks it', () => {
  const beam = drawSensor({
    ...{ kind: 'beam', name: 'gate', input: 'd0' },
    ...{ from: { x: 0.4, y: 0.2, z: 0.1 }, to: { x: 0.4, y: 0.3, z: 0.1 } },
  })!;
  beam.show({ name: 'gate', active: false, value: false });
  expect(beam.lit()).toBe(false);
  beam.show({ name: 'gate', active: true, value: true });
  expect(beam.lit()).toBe(true);
  const core = beam.object.children[0] as Mesh;
  core.updateMatrix();
  const end = new Vector3(0, 0, 1).applyMatrix4(core.matrix);
  expect(end.distanceTo(new Vector3(0.4, 0.3, 0.1))).toBeLessThan(1e-9);
});

it('a rotated pose keeps its turn', () => {
  const bodies = new CellBodies(createArm());
  bodies.build(TRAYS.objects ?? []);
  bodies.show(stateOf({ orientation: { w: Math.SQRT1_2, x: 0, y: 0, z: Math.SQRT1_2 } }));
  bodies.move(LONG_MS);
  const matrix = (bodies.group.children[0] as Mesh).matrix;
  const turn = new Quaternion().setFromRotationMatrix(new Matrix4().extractRotation(matrix));
  expect(turn.z).toBeCloseTo(Math.SQRT1_2, 6);
});
