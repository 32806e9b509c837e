/**
 * Exported cells, read by urdf-loader, MuJoCo and the validator of Khronos: bodies and nests are
 * where the twin has them, with their sizes, masses and names.
 */
import { readFileSync } from 'node:fs';
import loadMujoco from '@mujoco/mujoco';
// @ts-expect-error: the package has no types.
import validator from 'gltf-validator';
import { DOMParser, parseHTML } from 'linkedom';
import { Matrix4, Quaternion, Vector3 } from 'three';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Cell } from '../../contract/types.generated.ts';
import { FRAME_NAMES, JOINT_NAMES, LINK_MASSES } from '../arm/arm-model.ts';
import { type CellModel, compileCell } from '../cell/cell-model.ts';
import { checkCell } from '../cell/check-cell.ts';
import { randomPoses } from '../dynamics/states.cases.ts';
import { createFrames, FLANGE_FRAME, FRAME_SIZE, forward } from '../kinematics/forward.ts';
import { largestDifference } from '../math/vector.ts';
import { partsInFrames } from './cell-parts.ts';
import { armAsGltf } from './gltf.ts';
import { armAsMjcf } from './mjcf.ts';
import { armAsUrdf } from './urdf.ts';

const SEED = 24;
const TOLERANCE = 1e-9;

function read(name: string): Cell {
  return JSON.parse(readFileSync(`fixtures/cells/${name}.json`, 'utf8')) as Cell;
}

/** Turned and tilted things, a nest on an object, and names that formats cannot carry. */
const TILTED: Cell = {
  name: 'tilted',
  fixtures: [
    {
      name: 'flange',
      position: { x: 0.5, y: -0.3, z: 0.1 },
      orientation: { w: 0.9, x: 0.1, y: -0.3, z: 0.4 },
      boxes: [
        { size_m: { x: 0.1, y: 0.2, z: 0.03 } },
        {
          size_m: { x: 0.02, y: 0.03, z: 0.1 },
          position: { x: 0.02, y: 0.05, z: 0.03 },
          orientation: { w: 0.8, x: 0.6, y: 0, z: 0 },
        },
      ],
      nests: [{ name: 'テーブル', position: { x: 0.01, y: 0.02, z: 0.03 } }],
    },
    {
      // A pitch of a quarter turn, where roll and yaw are one angle.
      name: 'wall & <side>',
      position: { x: -0.5, y: 0.3, z: 0.2 },
      orientation: { w: Math.SQRT1_2, x: 0, y: Math.SQRT1_2, z: 0 },
      boxes: [{ size_m: { x: 0.1, y: 0.2, z: 0.03 } }],
    },
  ],
  objects: [
    {
      name: 'rack',
      shape: { kind: 'box', size_m: { x: 0.1, y: 0.06, z: 0.02 } },
      mass_kg: 0.1,
      position: { x: 0.3, y: 0.4, z: 0 },
      orientation: { w: 0.9, x: 0, y: 0, z: 0.3 },
      nests: [
        {
          name: 'hole',
          position: { x: 0.02, y: 0.01, z: 0.02 },
          orientation: { w: 1, x: 0, y: 0, z: 1 },
        },
      ],
    },
    {
      name: 'link 1',
      shape: { kind: 'tube', diameter_m: 0.016, height_m: 0.06 },
      mass_kg: 0.02,
      nest: 'hole',
    },
  ],
  conveyors: [
    {
      name: 'belt',
      position: { x: 0, y: 0.8, z: 0 },
      orientation: { w: 0.7, x: 0, y: 0, z: 0.7 },
      size_m: { x: 0.6, y: 0.1, z: 0.1 },
      speed_m_s: 0.1,
    },
  ],
  grippers: [
    {
      kind: 'jaws',
      name: 'hand',
      output: 'ee_d0',
      tip_m: { x: 0.01, y: -0.02, z: 0.11 },
      jaw_angle_rad: 0.4,
      stroke_m: 0.06,
      force_n: 20,
      closing_time_s: 0.2,
      pad_width_m: 0.02,
      pad_height_m: 0.015,
      friction: 0.4,
      mass_kg: 0.3,
    },
  ],
};

const CELLS = [read('trays'), read('sorter'), read('assay'), TILTED].map(
  (cell) => [cell.name, compileCell(cell)] as const,
);

/** The matrix of a pose: position and quaternion w, x, y, z. */
function matrixOf([x = 0, y = 0, z = 0, w = 1, qx = 0, qy = 0, qz = 0]: ArrayLike<number> &
  Iterable<number>): Matrix4 {
  const turn = new Quaternion(qx, qy, qz, w);
  return new Matrix4().compose(new Vector3(x, y, z), turn, new Vector3(1, 1, 1));
}

/** The solids of the twin in the world, with their sizes (m), fixtures and conveyors first. */
function solidsOf({ statics, bodies }: CellModel) {
  return [...statics, ...bodies].map(({ pose, half, isRound }) => ({
    matrix: matrixOf(pose),
    isRound,
    size: [0, 1, 2].map((k) => 2 * half[k]!),
  }));
}

function difference(a: Matrix4, b: Matrix4): number {
  return largestDifference(a.elements, b.elements);
}

function flangeMatrix(q: ArrayLike<number>): Matrix4 {
  const frames = createFrames();
  forward(q, frames);
  const f = frames.subarray(FLANGE_FRAME * FRAME_SIZE);
  const row = (r: number) => [f[3 * r]!, f[3 * r + 1]!, f[3 * r + 2]!, f[9 + r]!] as const;
  return new Matrix4().set(...row(0), ...row(1), ...row(2), 0, 0, 0, 1);
}

let mujoco: Awaited<ReturnType<typeof loadMujoco>>;
beforeAll(async () => {
  mujoco = await loadMujoco();
});

it('has only cells that the twin accepts', () => {
  for (const [, { description }] of CELLS) expect(checkCell(description)).toEqual([]);
});

it('gives every part a name that each format can carry', () => {
  const frames = CELLS.map(([, model]) => partsInFrames(model).map(({ frame }) => frame));
  expect(frames[3]).toEqual([
    'flange_2',
    'wall_side',
    'belt',
    'rack',
    'link_1_2',
    'hand',
    'part',
    'hole',
  ]);
  for (const names of frames) expect(new Set(names).size).toBe(names.length);
});

describe.each(CELLS)('the cell %s', (_name, model) => {
  const parts = partsInFrames(model);
  const of = (kind: (typeof parts)[number]['kind']) => parts.filter((part) => part.kind === kind);
  const [q] = randomPoses(SEED, 1);

  it('is in URDF, read by urdf-loader', async () => {
    vi.stubGlobal('DOMParser', DOMParser);
    const { Document, Element } = parseHTML('<html></html>');
    vi.stubGlobal('Document', Document);
    vi.stubGlobal('Element', Element);
    const { default: URDFLoader } = await import('urdf-loader');
    const loader = new URDFLoader();
    loader.parseCollision = true;
    const robot = loader.parse(armAsUrdf(0, model));
    vi.unstubAllGlobals();
    JOINT_NAMES.forEach((name, j) => void robot.setJointValue(name, q![j]!));
    robot.updateMatrixWorld(true);
    const shapes = parts.flatMap(({ frame }) => {
      const found: typeof robot.children = [];
      for (const child of robot.links[frame]!.children) {
        if ('isURDFCollider' in child) found.push(...child.children);
      }
      return found;
    });
    const wanted = solidsOf(model);
    expect(shapes).toHaveLength(wanted.length);
    // A cylinder of three lies along y.
    const upright = new Matrix4().makeRotationX(Math.PI / 2);
    wanted.forEach(({ matrix, isRound, size: [x, y, z] }, i) => {
      const { matrixWorld, scale } = shapes[i]!;
      expect(scale.toArray()).toEqual(isRound ? [x! / 2, z, x! / 2] : [x, y, z]);
      const shape = (isRound ? matrix.clone().multiply(upright) : matrix).clone().scale(scale);
      expect(difference(matrixWorld, shape)).toBeLessThan(TOLERANCE);
    });
    for (const { frame, pose } of of('gripper')) {
      const place = flangeMatrix(q!).multiply(matrixOf(pose));
      expect(difference(robot.links[frame]!.matrixWorld, place)).toBeLessThan(TOLERANCE);
    }
    // Objects in a nest stand in its frame.
    for (const { name, nest } of model.description.objects ?? []) {
      if (nest === undefined) continue;
      const link = (wantedName: string) =>
        robot.links[parts.find((part) => part.name === wantedName)!.frame]!.matrixWorld;
      expect(difference(link(name), link(nest))).toBeLessThan(TOLERANCE);
    }
  });

  it('is in URDF, read by MuJoCo, with the arm that moves and the cell that stands', () => {
    const theirs = mujoco.MjModel.from_xml_string(armAsUrdf(0, model));
    const data = new mujoco.MjData(theirs);
    expect(theirs.njnt).toBe(JOINT_NAMES.length);
    data.qpos.set(q!);
    mujoco.mj_forward(theirs, data);
    const frames = createFrames();
    forward(q!, frames);
    const moving = FRAME_NAMES.slice(1, 1 + JOINT_NAMES.length);
    moving.forEach((name, i) => {
      const body = mujoco.mj_name2id(theirs, mujoco.mjtObj.mjOBJ_BODY.value, name);
      const place = [...data.xpos.subarray(3 * body, 3 * body + 3)];
      const wanted = frames.subarray(FRAME_SIZE * (i + 1) + 9, FRAME_SIZE * (i + 1) + 12);
      expect(largestDifference(place, wanted), name).toBeLessThan(TOLERANCE);
    });
    const mass_kg = [...theirs.body_mass].reduce((sum, mass) => sum + mass, 0);
    const own_kg = LINK_MASSES.slice(1).reduce((sum, link) => sum + link.mass_kg, 0);
    const carried_kg = of('gripper').reduce((sum, { mass }) => sum + (mass?.mass_kg ?? 0), 0);
    expect(mass_kg).toBeCloseTo(own_kg + carried_kg, 9);
    theirs.delete();
    data.delete();
  });

  it('is in MJCF, read by MuJoCo, where what rests in the twin rests', async () => {
    const theirs = mujoco.MjModel.from_xml_string(armAsMjcf(0, model));
    const data = new mujoco.MjData(theirs);
    mujoco.mj_forward(theirs, data);
    const number = (kind: 'mjOBJ_BODY' | 'mjOBJ_SITE', name: string) =>
      mujoco.mj_name2id(theirs, mujoco.mjtObj[kind].value, name);
    const wanted = solidsOf(model);
    const first = theirs.ngeom - wanted.length;
    wanted.forEach(({ matrix, isRound, size: [x, y, z] }, i) => {
      const geom = first + i;
      const at = [...data.geom_xpos.subarray(3 * geom, 3 * geom + 3)];
      const m = data.geom_xmat.subarray(9 * geom, 9 * geom + 9);
      const row = (r: number) => [m[3 * r]!, m[3 * r + 1]!, m[3 * r + 2]!, at[r]!] as const;
      const placed = new Matrix4().set(...row(0), ...row(1), ...row(2), 0, 0, 0, 1);
      expect(difference(placed, matrix)).toBeLessThan(TOLERANCE);
      const half = [...theirs.geom_size.subarray(3 * geom, 3 * geom + 3)];
      const sizes = isRound ? [x! / 2, z! / 2, 0] : [x! / 2, y! / 2, z! / 2];
      expect(largestDifference(half, sizes)).toBeLessThan(TOLERANCE);
    });
    const objects = of('object').map(({ frame }) => number('mjOBJ_BODY', frame));
    objects.forEach((body, i) => {
      const { mass_kg, moments_kg_m2 } = model.bodies[i]!;
      expect(theirs.body_mass[body]).toBeCloseTo(mass_kg, 12);
      const moments = [...theirs.body_inertia.subarray(3 * body, 3 * body + 3)].toSorted();
      expect(largestDifference(moments, [...moments_kg_m2].toSorted())).toBeLessThan(TOLERANCE);
    });
    for (const kind of ['fixture', 'conveyor'] as const) {
      for (const { frame } of of(kind)) {
        expect(theirs.body_mass[number('mjOBJ_BODY', frame)], frame).toBe(0);
      }
    }
    for (const { frame } of of('nest')) expect(number('mjOBJ_SITE', frame)).not.toBe(-1);
    // The arm hangs in its joints; what stands must not move.
    const place = (body: number) => [...data.xpos.subarray(3 * body, 3 * body + 3)];
    const before = objects.map(place);
    for (let ms = 0; ms < 100; ms++) mujoco.mj_step(theirs, data);
    objects.forEach((body, i) => {
      expect(largestDifference(place(body), before[i]!), of('object')[i]!.name).toBeLessThan(1e-3);
    });
    theirs.delete();
    data.delete();
  });

  it('is in glTF, read by the validator of Khronos', async () => {
    const { scene, bytes } = armAsGltf(model);
    const uri = `data:application/octet-stream;base64,${Buffer.from(bytes).toString('base64')}`;
    const file = { ...scene, buffers: [{ byteLength: bytes.length, uri }] };
    const { issues } = await validator.validateString(JSON.stringify(file));
    expect(issues.messages).toEqual([]);
    const { nodes } = scene;
    const parentOf = (child: number) => nodes.findIndex((node) => node.children?.includes(child));
    const world = (at: number): Matrix4 => {
      const { translation = [0, 0, 0], rotation: [x, y, z, w] = [0, 0, 0, 1] } = nodes[at]!;
      // The root turns z up into y up.
      if (at === 0) return new Matrix4();
      return world(parentOf(at)).multiply(matrixOf([...translation, w!, x!, y!, z!]));
    };
    const isPart = (at: number) => nodes[at]?.extras?.kind !== undefined;
    const solids = nodes.flatMap((_, at) => (isPart(parentOf(at)) && !isPart(at) ? [at] : []));
    const wanted = solidsOf(model);
    expect(solids).toHaveLength(wanted.length);
    wanted.forEach(({ matrix, size }, i) => {
      const at = solids[i]!;
      expect(difference(world(at), matrix)).toBeLessThan(TOLERANCE);
      const mesh = scene.meshes[nodes[at]!.mesh!]!;
      const { min, max } = scene.accessors[mesh.primitives[0]!.attributes.POSITION] as {
        min: number[];
        max: number[];
      };
      expect(
        largestDifference(
          max,
          size.map((each) => each / 2),
        ),
      ).toBeLessThan(1e-7);
      expect(
        largestDifference(
          min,
          size.map((each) => -each / 2),
        ),
      ).toBeLessThan(1e-7);
    });
    expect(nodes.flatMap(({ extras }) => (extras?.kind ? [extras.name] : [])).toSorted()).toEqual(
      parts.map(({ name }) => name).toSorted(),
    );
  });
});
