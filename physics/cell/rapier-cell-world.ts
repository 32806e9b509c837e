/** The Rapier world of a cell: ground, fixtures, belts and movable bodies. */
import type { World } from '@dimforge/rapier3d-compat';
import { PLANT_STEP_S } from '../dynamics/drives.ts';
import { GRAVITY_M_S2 } from '../dynamics/kernels.ts';
import type { Numbers } from '../math/vector.ts';
import type { Rapier } from '../plant/rapier-arm.ts';
import type { BodyModel, CellModel } from './cell-model.ts';
import { SOLID_POSE, type Solid } from './solids.ts';

/** Size of a typical body (m): the engine's tolerances and sleep thresholds scale with it. */
const LENGTH_UNIT_M = 0.05;
const SOLVER_ITERATIONS = 8;
/**
 * Stiffness of contacts between bodies as a natural frequency (Hz; own): at the engine's 30 Hz the
 * top of a stack of three plates sinks by 2.2 mm while other bodies move, at this one by 0.3 mm; a
 * step of 1 ms still resolves it.
 */
const CONTACT_HZ = 200;

function createWorld(rapier: Rapier): World {
  const world = new rapier.World({ x: 0, y: 0, z: -GRAVITY_M_S2 });
  world.lengthUnit = LENGTH_UNIT_M;
  setSolver(world);
  const half = 10;
  const ground = rapier.ColliderDesc.cuboid(half, half, half).setTranslation(0, 0, -half);
  world.createCollider(
    ground.setFriction(0.5),
    world.createRigidBody(rapier.RigidBodyDesc.fixed()),
  );
  return world;
}

/** Sets what a snapshot of a world does not restore. */
export function setSolver(world: World): void {
  world.timestep = PLANT_STEP_S;
  world.numSolverIterations = SOLVER_ITERATIONS;
  world.integrationParameters.contact_natural_frequency = CONTACT_HZ;
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

function addBody(rapier: Rapier, world: World, body: BodyModel, pose: Numbers): number {
  const { position, rotation } = rapierPose(pose, 0);
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
export function buildCellWorld(
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
  const handles = model.bodies.map((body, i) =>
    addBody(rapier, world, body, poses.subarray(SOLID_POSE * i, SOLID_POSE * (i + 1))),
  );
  return { world, handles, belts };
}

/** The turn that stands Rapier's cylinder along z. */
const QUARTER_TURN = { x: Math.SQRT1_2, y: 0, z: 0, w: Math.SQRT1_2 };

/** A pose in Rapier's form. */
export function rapierPose(pose: Numbers, at: number) {
  return {
    position: { x: pose[at]!, y: pose[at + 1]!, z: pose[at + 2]! },
    rotation: { w: pose[at + 3]!, x: pose[at + 4]!, y: pose[at + 5]!, z: pose[at + 6]! },
  };
}
