/**
 * The Rapier world of a cell: ground, fixtures, belts and movable bodies, as it is built, stepped,
 * read and written. The engine has single precision.
 */
import type { RigidBody, World } from '@dimforge/rapier3d-compat';
import { GRAVITY_M_S2 } from '../dynamics/gravity.ts';
import { PLANT_STEP_S } from '../dynamics/plant-step.ts';
import type { Numbers } from '../math/vector.ts';
import { rawStep } from '../plant/rapier-arm.ts';
import type { Rapier } from '../plant/rapier-loader.ts';
import { type BodyStates, VELOCITY_SIZE } from './body-states.ts';
import type { BodyModel, CellModel } from './cell-model.ts';
import { SOLID_POSE } from './pose.ts';
import type { Solid } from './solids/solids.ts';

/** Size of a typical body (m): the engine's tolerances and sleep thresholds scale with it. */
const LENGTH_UNIT_M = 0.05;
/**
 * Least number of iterations of the solver in an engine step, and plant steps in one: each is a
 * part of the step of its own (own).
 */
const ITERATIONS_MIN = 2;
const ITERATION_STEPS = 2;
/**
 * Stiffness of contacts between bodies as a natural frequency (Hz; own): at the engine's 30 Hz the
 * top of a stack of three plates sinks by 2.2 mm while other bodies move, at this one by 0.3 mm; an
 * iteration of 2 ms still resolves it.
 */
const CONTACT_HZ = 200;

/**
 * No body has less than this share of the mass of the heaviest one in the engine (own): contacts
 * give way by the inverse of the mass of a light body beneath a heavy one.
 */
const MASS_SHARE_MIN = 0.01;

function createWorld(rapier: Rapier): World {
  const world = new rapier.World({ x: 0, y: 0, z: -GRAVITY_M_S2 });
  world.lengthUnit = LENGTH_UNIT_M;
  world.integrationParameters.contact_natural_frequency = CONTACT_HZ;
  const half = 10;
  const ground = rapier.ColliderDesc.cuboid(half, half, half).setTranslation(0, 0, -half);
  world.createCollider(
    ground.setFriction(0.5),
    world.createRigidBody(rapier.RigidBodyDesc.fixed()),
  );
  return world;
}

/** Sets the solver for an engine step of so many plant steps; a snapshot does not restore it. */
function setSolver(world: World, steps: number): void {
  const { raw } = world.integrationParameters;
  raw.dt = steps * PLANT_STEP_S;
  raw.numSolverIterations = Math.max(ITERATIONS_MIN, Math.ceil(steps / ITERATION_STEPS));
  raw.contact_natural_frequency = CONTACT_HZ;
}

function addStatic(rapier: Rapier, world: World, solid: CellModel['statics'][number]): number {
  const isBelt = solid.belt >= 0;
  const description = isBelt
    ? rapier.RigidBodyDesc.kinematicVelocityBased().setCanSleep(false)
    : rapier.RigidBodyDesc.fixed();
  const { position, rotation } = rapierPose(solid.pose, 0);
  description.setTranslation(position.x, position.y, position.z).setRotation(rotation);
  const body = world.createRigidBody(description);
  world.createCollider(shapeOf(rapier, solid).setFriction(solid.friction), body);
  return body.handle;
}

function shapeOf({ ColliderDesc, CoefficientCombineRule }: Rapier, { isRound, half }: Solid) {
  const shape = isRound
    ? // Rapier's cylinder stands along y.
      ColliderDesc.cylinder(half[2]!, half[0]!).setRotation(QUARTER_TURN)
    : ColliderDesc.cuboid(half[0]!, half[1]!, half[2]!);
  return shape.setRestitution(0).setFrictionCombineRule(CoefficientCombineRule.Min);
}

function addBody(rapier: Rapier, world: World, body: BodyModel): number {
  const { position, rotation } = rapierPose(body.pose, 0);
  const rigid = world.createRigidBody(
    rapier.RigidBodyDesc.dynamic()
      .setTranslation(position.x, position.y, position.z)
      .setRotation(rotation)
      .setLinearDamping(0)
      .setAngularDamping(0)
      .setCcdEnabled(false),
  );
  const [x, y, z] = body.moments_kg_m2;
  const collider = shapeOf(rapier, body).setFriction(body.friction).setDensity(0);
  world.createCollider(collider, rigid);
  rigid.setAdditionalMassProperties(
    body.mass_kg,
    { x: 0, y: 0, z: 0 },
    { x, y, z },
    { x: 0, y: 0, z: 0, w: 1 },
    false,
  );
  return rigid.handle;
}

/** Builds the world, with the bodies at these poses; returns it with the engine's handles. */
function buildCellWorld(
  rapier: Rapier,
  model: CellModel,
  poses: Float64Array,
): {
  readonly world: World;
  readonly handles: readonly number[];
  readonly belts: readonly number[];
} {
  const world = createWorld(rapier);
  const belts: number[] = [];
  for (const solid of model.statics) {
    const handle = addStatic(rapier, world, solid);
    if (solid.belt >= 0) belts[solid.belt] = handle;
  }
  const heaviest_kg = Math.max(...model.bodies.map(({ mass_kg }) => mass_kg));
  const handles = model.bodies.map((body, i) => {
    const share = Math.max(1, (MASS_SHARE_MIN * heaviest_kg) / body.mass_kg);
    const pose = poses.slice(SOLID_POSE * i, SOLID_POSE * (i + 1));
    const [x, y, z] = body.moments_kg_m2;
    const moments_kg_m2 = [x * share, y * share, z * share] as const;
    return addBody(rapier, world, { ...body, pose, mass_kg: body.mass_kg * share, moments_kg_m2 });
  });
  return { world, handles, belts };
}

/** The turn that stands Rapier's cylinder along z. */
const QUARTER_TURN = { x: Math.SQRT1_2, y: 0, z: 0, w: Math.SQRT1_2 };

/** A pose in Rapier's form. */
function rapierPose(pose: Numbers, at: number) {
  return {
    position: { x: pose[at]!, y: pose[at + 1]!, z: pose[at + 2]! },
    rotation: { w: pose[at + 3]!, x: pose[at + 4]!, y: pose[at + 5]!, z: pose[at + 6]! },
  };
}

/** Three numbers in Rapier's form. */
function vectorAt(numbers: Numbers, at = 0) {
  return { x: numbers[at]!, y: numbers[at + 1]!, z: numbers[at + 2]! };
}

/** The engine of the bodies: a step, reading and writing allocate nothing. */
export class CellWorld {
  private readonly rapier: Rapier;
  private readonly model: CellModel;
  private readonly states: BodyStates;
  private world: World;
  private stepWorld: () => void;
  /** Handles of the bodies, and of the belts by number. */
  private readonly handles: readonly number[];
  private readonly belts: readonly number[];
  /** 1 for each belt that runs. */
  readonly running: Float64Array;
  /** 1 for each body that the engine takes as fixed. */
  readonly fixed: Float64Array;
  /** Plant steps that the engine is set to take at once. */
  private taken = 0;
  private isPushed = false;
  private readonly read = new Float32Array(4);

  constructor(rapier: Rapier, model: CellModel, states: BodyStates) {
    this.rapier = rapier;
    this.model = model;
    this.states = states;
    this.running = new Float64Array(model.belts.length);
    this.fixed = new Float64Array(model.bodies.length);
    const { world, handles, belts } = buildCellWorld(rapier, model, states.poses);
    this.world = world;
    this.stepWorld = rawStep(rapier, world);
    this.handles = handles;
    this.belts = belts;
    for (let i = 0; i < handles.length; i++) this.fix(i);
  }

  /** Takes plant steps at once. Forces act in one step. */
  step(steps: number): void {
    if (steps !== this.taken) setSolver(this.world, steps);
    this.taken = steps;
    this.stepWorld();
    this.returnBelts();
    if (!this.isPushed) return;
    this.isPushed = false;
    for (const handle of this.handles) {
      this.world.bodies.raw.rbResetForces(handle, false);
      this.world.bodies.raw.rbResetTorques(handle, false);
    }
  }

  /** Belts move during a step and are put back after it: only their surface moves. */
  private returnBelts(): void {
    for (let belt = 0; belt < this.belts.length; belt++) {
      if (this.running[belt] !== 1) continue;
      const { pose } = this.model.belts[belt]!;
      const { raw } = this.world.bodies;
      raw.rbSetTranslation(this.belts[belt]!, pose[0]!, pose[1]!, pose[2]!, false);
    }
  }

  /** Starts a belt (share 1) or stops it (0). */
  runBelt(belt: number, share: number): void {
    this.running[belt] = share;
    const [x, y, z] = this.model.belts[belt]!.velocity;
    const velocity = { x: x! * share, y: y! * share, z: z! * share };
    this.world.getRigidBody(this.belts[belt]!).setLinvel(velocity, false);
  }

  private bodyOf(i: number): RigidBody {
    return this.world.getRigidBody(this.handles[i]!);
  }

  /** Writes pose and velocity of a body to the engine, which drops the velocity of a fixed one. */
  write(i: number): void {
    const { poses } = this.states;
    this.free(i);
    const body = this.bodyOf(i);
    const { position, rotation } = rapierPose(poses, SOLID_POSE * i);
    body.setTranslation(position, false);
    body.setRotation(rotation, false);
    this.writeVelocity(i);
  }

  /** Reads pose and velocity of a body. */
  readBody(i: number): void {
    const { poses } = this.states;
    const { raw } = this.world.bodies;
    const { read } = this;
    const at = SOLID_POSE * i;
    raw.rbTranslation(this.handles[i]!, read);
    for (let k = 0; k < 3; k++) poses[at + k] = read[k]!;
    raw.rbRotation(this.handles[i]!, read);
    poses[at + 3] = read[3]!;
    for (let k = 0; k < 3; k++) poses[at + 4 + k] = read[k]!;
    this.readVelocity(i);
  }

  readVelocity(i: number): void {
    const { velocities } = this.states;
    const { raw } = this.world.bodies;
    const { read } = this;
    const at = VELOCITY_SIZE * i;
    raw.rbLinvel(this.handles[i]!, read);
    for (let k = 0; k < 3; k++) velocities[at + k] = read[k]!;
    raw.rbAngvel(this.handles[i]!, read);
    for (let k = 0; k < 3; k++) velocities[at + 3 + k] = read[k]!;
  }

  /** Writes the velocity of a body to the engine. */
  writeVelocity(i: number): void {
    const body = this.bodyOf(i);
    body.setLinvel(vectorAt(this.states.velocities, VELOCITY_SIZE * i), false);
    body.setAngvel(vectorAt(this.states.velocities, VELOCITY_SIZE * i + 3), false);
  }

  /** True while the engine does not move a body. */
  isAsleep(i: number): boolean {
    return this.fixed[i] === 1 || this.world.bodies.raw.rbIsSleeping(this.handles[i]!);
  }

  /**
   * Takes a body as fixed until it is freed: the engine does not creep. Its own sleep would not
   * do: bodies that are put to sleep on a conveyor fall through it.
   */
  fix(i: number): void {
    if (this.fixed[i] === 1) return;
    this.fixed[i] = 1;
    this.bodyOf(i).setBodyType(this.rapier.RigidBodyType.Fixed, false);
  }

  /** A body takes part in the motion again. */
  free(i: number): void {
    if (this.fixed[i] === 1) this.bodyOf(i).setBodyType(this.rapier.RigidBodyType.Dynamic, true);
    this.fixed[i] = 0;
  }

  wake(i: number): void {
    this.free(i);
    this.bodyOf(i).wakeUp();
  }

  /** Takes a body out of the world, or puts it back. */
  setPresent(i: number, isPresent: boolean): void {
    this.bodyOf(i).setEnabled(isPresent);
  }

  /** A force (N) at a point (m) acts on a body in the coming step. */
  push(i: number, force: Numbers, point: Numbers): void {
    this.isPushed = true;
    this.bodyOf(i).addForceAtPoint(vectorAt(force), vectorAt(point), true);
  }

  save(): Uint8Array {
    return this.world.takeSnapshot();
  }

  load(bytes: Uint8Array): void {
    this.world.free();
    this.world = this.rapier.World.restoreSnapshot(bytes);
    this.stepWorld = rawStep(this.rapier, this.world);
    this.taken = 0;
    this.isPushed = false;
  }

  dispose(): void {
    this.world.free();
  }
}
