/**
 * The arm as Rapier bodies, and the loader of Rapier. Rapier's multibody has no armature, so each
 * link carries its rotor as inertia of its own; plant.ts corrects the torques for it. Its joints
 * always start at zero, so each body's frame is aligned with the world at the requested pose, mass,
 * anchors and axes are rotated into it, and angles are measured from that pose. Also: pairs of
 * joints read through one body.
 */
import type { MultibodyJoint, World } from '@dimforge/rapier3d-compat';
import { JOINT_COUNT, OFFSETS_M, TURNS_ABOUT_Z } from '../arm/arm-model.ts';
import { GRAVITY_M_S2 } from '../dynamics/arm-dynamics.ts';
import { PLANT_STEP_S } from '../dynamics/drives.ts';
import {
  ballLoad,
  foldRotor,
  INERTIA_SIZE,
  type Load,
  principalAxes,
  writeLastLinkInertia,
  writeLinkInertia,
} from '../dynamics/inertia.ts';
import { createFrames, FRAME_SIZE, forward } from '../kinematics/forward.ts';
import { atan2 } from '../math/portable.ts';
import { matrixToQuaternion, type Numbers } from '../math/rotation.ts';

/**
 * The module of Rapier. Its WebAssembly compiles in the background; a process with nothing else to
 * wait for would drain every compiler job first, so the loader keeps a live handle until Rapier is
 * ready (saves up to a second at start).
 */
export type Rapier = typeof import('@dimforge/rapier3d-compat');

let loading: Promise<Rapier> | null = null;

async function importRapier(): Promise<Rapier> {
  const { port1 } = new MessageChannel();
  port1.onmessage = ignore;
  try {
    const rapier = await import('@dimforge/rapier3d-compat');
    await rapier.init();
    stopClock(rapier);
    return rapier;
  } finally {
    port1.close();
  }
}

function ignore(): void {}

/**
 * Rapier reads the clock in every step, for a profiler that is off: 36 times, 7 % of the time of a
 * moving twin. It takes the clock of the process in its first step and keeps it: it gets one that
 * stands still.
 */
function stopClock(rapier: Rapier): void {
  const clock = Object.getOwnPropertyDescriptor(globalThis, 'performance')!;
  Object.defineProperty(globalThis, 'performance', {
    configurable: true,
    value: { now: () => 0 },
  });
  try {
    const world = new rapier.World({ x: 0, y: 0, z: 0 });
    world.step();
    world.free();
  } finally {
    Object.defineProperty(globalThis, 'performance', clock);
  }
}

/** Loads Rapier once per process; every call returns the same module. */
export function loadRapier(): Promise<Rapier> {
  loading ??= importRapier();
  return loading;
}

type Bodies = World['bodies']['raw'];
type RawVector = ReturnType<Rapier['VectorOps']['intoRaw']>;

/** Links whose bodies are read and driven: every second one. */
const DRIVEN_LINKS = [2, 4, 6] as const;

/** A driven body. Handles are doubles; a closure keeps them from being boxed at every call. */
export interface DrivenBody {
  /** Sets the torque (N m, world) of the coming step. */
  readonly drive: (torque: RawVector) => void;
  /** Writes the body's rotation as x, y, z, w. */
  readonly read: (rotation: Float32Array) => void;
}

/** Build parameters of an arm. */
interface Spawn {
  /** Handles of base and links 1 to 6. */
  readonly handles: readonly number[];
  /** Joint angles (rad) at which the bodies are aligned with the world. */
  readonly spawn: Float64Array;
}

export interface ArmBodies extends Spawn {
  readonly world: World;
  /** Bodies of links 2, 4, 6 through raw calls, without wrapper objects. */
  readonly driven: readonly DrivenBody[];
  /** Rotations of links 2, 4, 6 at the spawn pose. */
  readonly spawned: Float64Array;
  /** Runs one engine step without the wrapper's sweeps. */
  readonly step: () => void;
}

/** Mass properties in Rapier's form, in world-aligned axes. */
interface BodyMass {
  readonly mass: number;
  readonly com: Numbers;
  readonly moments: readonly [number, number, number];
  readonly frame: { x: number; y: number; z: number; w: number };
}

const frames = createFrames();

function turned(link: number, x: number, y: number, z: number): [number, number, number] {
  const at = link * FRAME_SIZE;
  const row = (r: number): number =>
    frames[at + r]! * x + frames[at + r + 1]! * y + frames[at + r + 2]! * z;
  return [row(0), row(3), row(6)];
}

function vectorOf(v: Numbers): { x: number; y: number; z: number } {
  return { x: v[0]!, y: v[1]!, z: v[2]! };
}

/** R I Rᵀ of a tensor xx, yy, zz, xy, xz, yz with the rotation of `link` in `frames`. */
function turnTensor(link: number, t: Numbers): number[] {
  const at = link * FRAME_SIZE;
  const rows = [0, 1, 2].map((r) => {
    const [x, y, z] = [frames[at + 3 * r]!, frames[at + 3 * r + 1]!, frames[at + 3 * r + 2]!];
    return {
      r: [x, y, z],
      i: [
        t[0]! * x + t[3]! * y + t[4]! * z,
        t[3]! * x + t[1]! * y + t[5]! * z,
        t[4]! * x + t[5]! * y + t[2]! * z,
      ],
    };
  });
  const product = (a: number, b: number): number =>
    rows[a]!.r[0]! * rows[b]!.i[0]! +
    rows[a]!.r[1]! * rows[b]!.i[1]! +
    rows[a]!.r[2]! * rows[b]!.i[2]!;
  return [product(0, 0), product(1, 1), product(2, 2), product(0, 1), product(0, 2), product(1, 2)];
}

/** Mass of a link about its centre, from the ten numbers at its joint frame. */
function bodyMass(link: number, n: Float64Array): BodyMass {
  const mass = n[0]!;
  const [x, y, z] = [n[1]! / mass, n[2]! / mass, n[3]! / mass];
  const central = [
    n[4]! - mass * (y * y + z * z),
    n[5]! - mass * (x * x + z * z),
    n[6]! - mass * (x * x + y * y),
    n[7]! + mass * x * y,
    n[8]! + mass * x * z,
    n[9]! + mass * y * z,
  ];
  const { moments, frame } = principalAxes(turnTensor(link, central));
  return { mass, com: turned(link, x, y, z), moments, frame };
}

function massOf(link: number, load: Load): BodyMass {
  const numbers = new Float64Array(INERTIA_SIZE);
  if (link === JOINT_COUNT) writeLastLinkInertia(load, numbers);
  else writeLinkInertia(link - 1, numbers);
  foldRotor(link - 1, numbers);
  return bodyMass(link, numbers);
}

function createWorld(rapier: Rapier): World {
  const world = new rapier.World({ x: 0, y: 0, z: -GRAVITY_M_S2 });
  world.timestep = PLANT_STEP_S;
  world.numSolverIterations = 1;
  return world;
}

/** Places the body of `link` at its frame in `frames`, with world-aligned axes. */
function addLink(rapier: Rapier, world: World, link: number): number {
  const at = link * FRAME_SIZE + 9;
  const description = rapier.RigidBodyDesc.dynamic()
    .setTranslation(frames[at]!, frames[at + 1]!, frames[at + 2]!)
    .setCanSleep(false);
  const { mass, com, moments, frame } = massOf(link, ballLoad(0));
  description.setAdditionalMassProperties(mass, vectorOf(com), vectorOf(moments), frame);
  return world.createRigidBody(description).handle;
}

function addJoint(rapier: Rapier, world: World, link: number, handles: number[]): MultibodyJoint {
  const [x, y, z] = OFFSETS_M[link - 1] as readonly [number, number, number];
  const axis = TURNS_ABOUT_Z[link - 1] ? turned(link - 1, 0, 0, 1) : turned(link - 1, 0, -1, 0);
  const joint = rapier.JointData.revolute(
    vectorOf(turned(link - 1, x, y, z)),
    { x: 0, y: 0, z: 0 },
    vectorOf(axis),
  );
  const parent = world.getRigidBody(handles[link - 1]!);
  return world.createMultibodyJoint(joint, parent, world.getRigidBody(handles[link]!), true);
}

/** Builds a world with the arm at rest at `q` (rad), carrying a load. */
export function buildArm(rapier: Rapier, q: Float64Array, load: Load): ArmBodies {
  const world = createWorld(rapier);
  forward(q, frames);
  const handles = [world.createRigidBody(rapier.RigidBodyDesc.fixed()).handle];
  for (let link = 1; link <= JOINT_COUNT; link++) handles.push(addLink(rapier, world, link));
  for (let link = 1; link <= JOINT_COUNT; link++) addJoint(rapier, world, link, handles);
  const arm = findArm(rapier, world, { handles, spawn: Float64Array.from(q) });
  loadLastLink(arm, load);
  return arm;
}

/** Finds the arm in a world restored from a snapshot; bodies keep their handles. */
export function findArm(rapier: Rapier, world: World, from: Spawn): ArmBodies {
  const { handles, spawn } = from;
  return {
    world,
    driven: DRIVEN_LINKS.map((link) => drivenBody(world.bodies.raw, handles[link]!)),
    handles,
    spawn,
    spawned: pairRotations(spawn),
    step: rawStep(rapier, world),
  };
}

function drivenBody(bodies: Bodies, handle: number): DrivenBody {
  return {
    drive: (torque) => {
      bodies.rbResetTorques(handle, false);
      bodies.rbAddTorque(handle, torque, false);
    },
    read: (rotation) => bodies.rbRotation(handle, rotation),
  };
}

/**
 * One engine step without the wrapper's sweeps; the engine's parts are bound once, and the gravity
 * vector lives in the engine's memory.
 */
export function rawStep(rapier: Rapier, world: World): () => void {
  const gravity = rapier.VectorOps.intoRaw(world.gravity);
  const pipeline = world.physicsPipeline.raw;
  const parameters = world.integrationParameters.raw;
  const islands = world.islands.raw;
  const broadPhase = world.broadPhase.raw;
  const narrowPhase = world.narrowPhase.raw;
  const bodies = world.bodies.raw;
  const colliders = world.colliders.raw;
  const softBodies = world.softBodies.raw;
  const impulses = world.impulseJoints.raw;
  const joints = world.multibodyJoints.raw;
  const ccd = world.ccdSolver.raw;
  return () =>
    pipeline.step(
      gravity,
      parameters,
      islands,
      broadPhase,
      narrowPhase,
      bodies,
      colliders,
      softBodies,
      impulses,
      joints,
      ccd,
    );
}

/** Sets the mass of body 6 to link 6 and a load; angles and rates stay. */
export function loadLastLink(arm: ArmBodies, load: Load): void {
  forward(arm.spawn, frames);
  const { mass, com, moments, frame } = massOf(JOINT_COUNT, load);
  const body = arm.world.getRigidBody(arm.handles[JOINT_COUNT]!);
  body.setAdditionalMassProperties(mass, vectorOf(com), vectorOf(moments), frame, true);
}

/**
 * Drives and reads six joints through three bodies: axes 1 and 2, 3 and 4, 5 and 6 are orthogonal,
 * so the rotations of body 2 against the world, 4 against 2 and 6 against 4 hold two angles each,
 * and torques on these bodies reach every joint (an engine in joint coordinates needs no
 * reactions). Halves the number of engine calls.
 */

/** Rotations of links 2, 4 and 6 at a pose as x, y, z, w. */
export function pairRotations(q: Numbers): Float64Array {
  const frames = createFrames();
  forward(q, frames);
  const out = new Float64Array(12);
  for (let i = 0; i < 3; i++) {
    const { w, x, y, z } = matrixToQuaternion(frames, (2 * i + 2) * FRAME_SIZE);
    out.set([x, y, z, w], 4 * i);
  }
  return out;
}

const links = new Float64Array(12);
const relative = new Float64Array(4);

/** out = a b for quaternions x, y, z, w; `sign` -1 conjugates a. */
function multiply(a: Numbers, i: number, sign: number, b: Numbers, j: number): void {
  const ax = sign * a[i]!;
  const ay = sign * a[i + 1]!;
  const az = sign * a[i + 2]!;
  const aw = a[i + 3]!;
  const bx = b[j]!;
  const by = b[j + 1]!;
  const bz = b[j + 2]!;
  const bw = b[j + 3]!;
  relative[0] = aw * bx + ax * bw + ay * bz - az * by;
  relative[1] = aw * by - ax * bz + ay * bw + az * bx;
  relative[2] = aw * bz + ax * by - ay * bx + az * bw;
  relative[3] = aw * bw - ax * bx - ay * by - az * bz;
}

/** Angles of Rz(a) Ry(-b), the order of joints 1 and 2. */
function readFirstPair(q: Float64Array, at: number, out: Float64Array): void {
  const x = q[at]!;
  const y = q[at + 1]!;
  const z = q[at + 2]!;
  const w = q[at + 3]!;
  out[0] = atan2(2 * (z * w - x * y), w * w + y * y - x * x - z * z);
  out[1] = atan2(2 * (x * z - w * y), w * w + z * z - x * x - y * y);
}

/** Angles of Ry(-a) Rz(b), the order of joints 3 and 4, 5 and 6. */
function readLaterPair(joint: number, out: Float64Array): void {
  const x = relative[0]!;
  const y = relative[1]!;
  const z = relative[2]!;
  const w = relative[3]!;
  out[joint] = atan2(-2 * (w * y + x * z), w * w + z * z - x * x - y * y);
  out[joint + 1] = atan2(2 * (w * z + x * y), w * w + y * y - x * x - z * z);
}

/**
 * Writes the six joint angles (rad, in -pi..pi) from the rotations of bodies 2, 4 and 6 since the
 * pose that they were built at (x, y, z, w each). No allocation.
 */
export function readAngles(turned: Numbers, spawned: Numbers, out: Float64Array): void {
  for (let i = 0; i < 3; i++) {
    multiply(turned, 4 * i, 1, spawned, 4 * i);
    for (let k = 0; k < 4; k++) links[4 * i + k] = relative[k]!;
  }
  readFirstPair(links, 0, out);
  multiply(links, 0, -1, links, 4);
  readLaterPair(2, out);
  multiply(links, 4, -1, links, 8);
  readLaterPair(4, out);
}

/**
 * Writes the torques on bodies 2, 4 and 6 (world, N m) equivalent to the joint torques `tau` at
 * sines and cosines `turns` (alternating). No allocation.
 */
export function writeTorques(tau: Numbers, turns: Numbers, out: Float64Array): void {
  const s2 = turns[2]!;
  const c2 = turns[3]!;
  const s3 = turns[4]!;
  const c3 = turns[5]!;
  const s4 = turns[6]!;
  const c4 = turns[7]!;
  const s5 = turns[8]!;
  const c5 = turns[9]!;
  // On body 6, in frame 4.
  const x6 = -s5 * tau[5]!;
  const y6 = -tau[4]!;
  const z6 = c5 * tau[5]!;
  // The same in frame 2: Ry(-q3) Rz(q4).
  const u = c4 * x6 - s4 * y6;
  const x6in2 = c3 * u - s3 * z6;
  const y6in2 = s4 * x6 + c4 * y6;
  const z6in2 = s3 * u + c3 * z6;
  // On body 4, in frame 2, minus the part that body 6 transmits.
  const third = tau[2]! - (s4 * s5 * tau[5]! + c4 * tau[4]!);
  const fourth = tau[3]! - c5 * tau[5]!;
  const x4 = -s3 * fourth;
  const y4 = -third;
  const z4 = c3 * fourth;
  // On body 2, in frame 2, minus the part that bodies 4 and 6 transmit.
  const first = tau[0]! - (s2 * (x4 + x6in2) + c2 * (z4 + z6in2));
  const second = tau[1]! + y4 + y6in2;
  out[0] = s2 * first;
  out[1] = -second;
  out[2] = c2 * first;
  out[3] = x4;
  out[4] = y4;
  out[5] = z4;
  out[6] = x6in2;
  out[7] = y6in2;
  out[8] = z6in2;
  for (let at = 0; at < 9; at += 3) turnIntoWorld(turns, out, at);
}

/** Turns the vector at `out[at]` from frame 2 into the world: Rz(q1) Ry(-q2). */
function turnIntoWorld(turns: Numbers, out: Float64Array, at: number): void {
  const s1 = turns[0]!;
  const c1 = turns[1]!;
  const s2 = turns[2]!;
  const c2 = turns[3]!;
  const x = c2 * out[at]! - s2 * out[at + 2]!;
  const y = out[at + 1]!;
  out[at + 2] = s2 * out[at]! + c2 * out[at + 2]!;
  out[at] = c1 * x - s1 * y;
  out[at + 1] = s1 * x + c1 * y;
}
