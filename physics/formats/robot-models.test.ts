/**
 * The exported URDF read by urdf-loader, and the exported MJCF read by MuJoCo: what they compute
 * equals what the twin computes.
 */
import loadMujoco from '@mujoco/mujoco';
import { DOMParser, parseHTML } from 'linkedom';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import {
  DRIVE,
  FRAME_NAMES,
  JOINT_MAX_RAD,
  JOINT_MIN_RAD,
  JOINT_NAMES,
  LINK_MASSES,
  VELOCITY_MAX_RAD_S,
} from '../arm/arm-model.ts';
import {
  CAPSULE_COUNT,
  CAPSULE_ENDS_M,
  CAPSULE_LINK,
  CAPSULE_RADIUS_M,
  SELF_PAIRS,
} from '../arm/geometry.ts';
import { segmentsSquared } from '../collision/distance.ts';
import { placeCapsule } from '../collision/scene.ts';
import { ForwardDynamics } from '../dynamics/forward-dynamics.ts';
import { InverseDynamics } from '../dynamics/inverse-dynamics.ts';
import { randomNumbers, randomPoses } from '../dynamics/states.cases.ts';
import { createFrames, FRAME_SIZE, forward } from '../kinematics/forward.ts';
import { largestDifference } from '../math/vector.ts';
import { armAsMjcf } from './mjcf.ts';
import { armAsUrdf } from './urdf.ts';

const SEED = 24;
const STATES = 500;
const TOLERANCE = 1e-9;

/** Frame `i` as rotation and origin, from a column-major 4 × 4 matrix. */
function frameOf(matrix: readonly number[]): number[] {
  const [a, b, c, , d, e, f, , g, h, i, , x, y, z] = matrix as number[];
  return [a, d, g, b, e, h, c, f, i, x, y, z] as number[];
}

type Vector = readonly [number, number, number];

/** A point of the frame `i` of a pose in world coordinates (m). */
function worldPoint(frames: Float64Array, i: number, [x, y, z]: Vector): number[] {
  const f = frames.subarray(FRAME_SIZE * i, FRAME_SIZE * (i + 1));
  return [0, 1, 2].map((r) => f[3 * r]! * x + f[3 * r + 1]! * y + f[3 * r + 2]! * z + f[9 + r]!);
}

/** Least distance (m) between links of a pose that can collide; negative where they overlap. */
function selfClearance(frames: Float64Array): number {
  const ends = new Float64Array(6 * CAPSULE_COUNT);
  let least = Number.POSITIVE_INFINITY;
  for (let k = 0; k < CAPSULE_COUNT; k++) placeCapsule(frames, k, ends, 6 * k);
  for (const [a, b] of SELF_PAIRS) {
    for (let i = 0; i < CAPSULE_COUNT; i++) {
      for (let k = 0; k < CAPSULE_COUNT; k++) {
        if (CAPSULE_LINK[i] !== a || CAPSULE_LINK[k] !== b) continue;
        const axes = Math.sqrt(segmentsSquared(ends, 6 * i, ends, 6 * k));
        least = Math.min(least, axes - CAPSULE_RADIUS_M[i]! - CAPSULE_RADIUS_M[k]!);
      }
    }
  }
  return least;
}

function endOf(k: number, end: 0 | 1): Vector {
  const [x = 0, y = 0, z = 0] = CAPSULE_ENDS_M.subarray(6 * k + 3 * end);
  return [x, y, z];
}

describe('URDF, read by urdf-loader', () => {
  async function load(text: string) {
    vi.stubGlobal('DOMParser', DOMParser);
    const { Document, Element } = parseHTML('<html></html>');
    vi.stubGlobal('Document', Document);
    vi.stubGlobal('Element', Element);
    const { default: URDFLoader } = await import('urdf-loader');
    const loader = new URDFLoader();
    loader.parseCollision = true;
    const robot = loader.parse(text);
    vi.unstubAllGlobals();
    return robot;
  }

  it('has the forward kinematics of the twin', async () => {
    const robot = await load(armAsUrdf());
    const frames = createFrames();
    let worst = 0;
    for (const q of randomPoses(SEED, STATES)) {
      JOINT_NAMES.forEach((name, j) => void robot.setJointValue(name, q[j]!));
      robot.updateMatrixWorld(true);
      forward(q, frames);
      FRAME_NAMES.forEach((name, i) => {
        const theirs = frameOf(robot.links[name]!.matrixWorld.elements);
        const ours = frames.subarray(FRAME_SIZE * i, FRAME_SIZE * (i + 1));
        worst = Math.max(worst, largestDifference(theirs, ours));
      });
    }
    expect(worst, `seed ${SEED}`).toBeLessThan(TOLERANCE);
  });

  it('has the limits, masses and capsules of the twin', async () => {
    const robot = await load(armAsUrdf());
    for (const [j, name] of JOINT_NAMES.entries()) {
      const { lower, upper, effort, velocity } = robot.joints[name]!.limit;
      expect([lower, upper]).toEqual([JOINT_MIN_RAD[j], JOINT_MAX_RAD[j]]);
      expect([effort, velocity]).toEqual([DRIVE.torque_max_n_m[j], VELOCITY_MAX_RAD_S[j]]);
    }
    const [q] = randomPoses(SEED, 1);
    const frames = createFrames();
    forward(q!, frames);
    JOINT_NAMES.forEach((name, j) => void robot.setJointValue(name, q![j]!));
    robot.updateMatrixWorld(true);
    const shapes: typeof robot.children = [];
    robot.traverse((node: (typeof robot.children)[number]) => {
      if ('isURDFCollider' in node) shapes.push(...node.children);
    });
    expect(shapes).toHaveLength(3 * CAPSULE_COUNT);
    for (let k = 0; k < CAPSULE_COUNT; k++) {
      const [tube, from, to] = shapes.slice(3 * k, 3 * k + 3);
      const place = (shape: (typeof shapes)[number]) => frameOf(shape.matrixWorld.elements);
      const ends = ([0, 1] as const).map((end) =>
        worldPoint(frames, CAPSULE_LINK[k]!, endOf(k, end)),
      );
      expect(largestDifference(place(from!).slice(9), ends[0]!)).toBeLessThan(TOLERANCE);
      expect(largestDifference(place(to!).slice(9), ends[1]!)).toBeLessThan(TOLERANCE);
      expect(from!.scale.x).toBe(CAPSULE_RADIUS_M[k]);
      // A cylinder of three lies along y.
      const frame = place(tube!);
      const half = tube!.scale.y / 2;
      const top = [1, 4, 7].map((at, r) => frame[9 + r]! + (frame[at]! / tube!.scale.y) * half);
      expect(largestDifference(top, ends[1]!)).toBeLessThan(TOLERANCE);
    }
  });

  it('begins with a root without mass, on which the base stands', () => {
    const document = new DOMParser().parseFromString(armAsUrdf(), 'text/xml');
    const namesOf = (selector: string, attribute: string) =>
      Array.from(document.querySelectorAll(selector), (one: Element) =>
        one.getAttribute(attribute),
      );
    const children = namesOf('child', 'link');
    const roots = namesOf('robot > link', 'name').filter((name) => !children.includes(name));
    expect(roots).toEqual(['world']);
    expect(document.querySelector('link[name="world"]')?.children).toHaveLength(0);
    expect(namesOf('joint[name="base_link_joint"] > parent', 'link')).toEqual(['world']);
  });

  it('carries the payload at the flange', async () => {
    const robot = await load(armAsUrdf(0.7));
    expect(robot.links['payload']).toBeDefined();
    expect(armAsUrdf(0.7)).toContain('<mass value="0.7"/>');
    expect(armAsUrdf().match(/<mass value="([^"]+)"/g)).toHaveLength(LINK_MASSES.length);
  });
});

describe('MJCF, read by MuJoCo', () => {
  let mujoco: Awaited<ReturnType<typeof loadMujoco>>;
  const read = (payload_kg: number) => {
    const model = mujoco.MjModel.from_xml_string(armAsMjcf(payload_kg));
    return { model, data: new mujoco.MjData(model) };
  };

  beforeAll(async () => {
    mujoco = await loadMujoco();
  });

  it.each([0, 0.7])('has the dynamics of the twin with a payload of %d kg', (payload_kg) => {
    const { model, data } = read(payload_kg);
    // Contacts and end stops are no part of the smooth dynamics.
    model.opt.disableflags = mujoco.mjtDisableBit.mjDSBL_CONSTRAINT.value;
    const inverse = new InverseDynamics(payload_kg);
    const ahead = new ForwardDynamics(payload_kg);
    const random = randomNumbers(SEED);
    const six = (size: number) => Float64Array.from({ length: 6 }, () => size * random());
    const out = new Float64Array(6);
    let worst = 0;
    for (const q of randomPoses(SEED, STATES)) {
      const [rates, accelerations, torques] = [six(3), six(30), six(30)];
      const friction = rates.map((rate, j) => DRIVE.viscous_n_m_s[j]! * rate);
      data.qpos.set(q);
      data.qvel.set(rates);
      data.qacc.set(accelerations);
      mujoco.mj_inverse(model, data);
      inverse.torque(q, { rates, accelerations }, out);
      const needed = out.map((torque, j) => torque + friction[j]!);
      worst = Math.max(worst, largestDifference(needed, data.qfrc_inverse));
      data.qfrc_applied.set(torques);
      mujoco.mj_forward(model, data);
      ahead.update(q, rates);
      ahead.acceleration(
        torques.map((torque, j) => torque - friction[j]!),
        out,
      );
      const scale = 1 + out.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
      worst = Math.max(worst, largestDifference(out, data.qacc) / scale);
    }
    expect(worst, `seed ${SEED}`).toBeLessThan(TOLERANCE);
  });

  it('collides where the twin collides with itself', () => {
    const { model, data } = read(0);
    model.opt.disableflags = 0;
    const frames = createFrames();
    const counts = { touching: 0, free: 0 };
    for (const q of randomPoses(SEED, STATES)) {
      data.qpos.set(q);
      mujoco.mj_forward(model, data);
      forward(q, frames);
      const distance_m = selfClearance(frames);
      if (Math.abs(distance_m) < 1e-6) continue;
      expect(data.ncon > 0, `distance ${distance_m} m`).toBe(distance_m < 0);
      counts[distance_m < 0 ? 'touching' : 'free']++;
    }
    expect(counts.touching).toBeGreaterThan(10);
    expect(counts.free).toBeGreaterThan(100);
  });

  it('takes torques up to the limits of the drives', () => {
    const { model } = read(0);
    expect(Array.from(model.actuator_ctrlrange)).toEqual(
      DRIVE.torque_max_n_m.flatMap((most) => [-most, most]),
    );
  });
});
