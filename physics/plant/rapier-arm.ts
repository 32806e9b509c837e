/**
 * The arm as Rapier bodies. Rapier's multibody has no armature, so each link carries its rotor as
 * inertia of its own; rapier-plant.ts corrects the torques for it. Its joints always start at
 * zero, so each body's frame is aligned with the world at the requested pose, mass, anchors and
 * axes are rotated into it, and angles are measured from that pose.
 */
import type { MultibodyJoint, World } from '@dimforge/rapier3d-compat';
import { JOINT_AXES, JOINT_COUNT, OFFSETS_M } from '../arm/arm-model.ts';
import { GRAVITY_M_S2 } from '../dynamics/gravity.ts';
import { INERTIA_SIZE } from '../dynamics/inertia.ts';
import { foldRotor, writeLastLinkInertia, writeLinkInertia } from '../dynamics/link-inertia.ts';
import { ballLoad, type Load } from '../dynamics/load.ts';
import { PLANT_STEP_S } from '../dynamics/plant-step.ts';
import { principalAxes } from '../dynamics/principal-axes.ts';
import { createFrames, FRAME_SIZE, forward } from '../kinematics/forward.ts';
import type { Numbers } from '../math/vector.ts';
import { pairRotations } from './axis-pair.ts';
import type { Rapier } from './rapier-loader.ts';

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
  const axis = turned(link - 1, ...(JOINT_AXES[link - 1] as readonly [number, number, number]));
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
