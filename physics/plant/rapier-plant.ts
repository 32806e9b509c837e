/**
 * Plant engine with contacts: Rapier's multibody at 1 kHz, read and driven through three of six
 * bodies (rapier-arm.ts) and through the raw calls beneath Rapier's public ones, which skip the
 * sweeps of World.step; a test proves that both give the same bits for the pinned version. Rapier
 * loads only when a plant is created.
 */

import { JOINT_COUNT } from '../arm/arm-model.ts';
import { foldedInverseDynamics } from '../dynamics/arm-kernels.ts';
import type { JointState } from '../dynamics/drives.ts';
import type { ForwardDynamics } from '../dynamics/forward-dynamics.ts';
import { INERTIA_SIZE } from '../dynamics/inertia.ts';
import { foldRotor, writeLastLinkInertia } from '../dynamics/link-inertia.ts';
import { ballLoad, type Load } from '../dynamics/load.ts';
import { PLANT_STEP_S } from '../dynamics/plant-step.ts';
import { BYTES_PER_NUMBER, ByteLayout, doublesOf } from '../math/byte-sections.ts';
import { wrapAngle } from '../math/portable.ts';
import { readAngles, writeTorques } from './axis-pair.ts';
import { Plant } from './plant.ts';
import type { PlantEngine } from './plant-engine.ts';
import { type ArmBodies, buildArm, findArm, loadLastLink } from './rapier-arm.ts';
import { loadRapier, type Rapier } from './rapier-loader.ts';

/**
 * Damping that Rapier applies to each axis of a multibody, implicit in the new rate (N m s/rad).
 */
const HIDDEN_DAMPING_N_M_S = 0.1;

/** The parts of a snapshot: the angles at which the bodies were built; the engine's is the rest. */
const SNAPSHOT = new ByteLayout({ spawn: BYTES_PER_NUMBER * JOINT_COUNT });

class RapierEngine implements PlantEngine {
  private readonly rapier: Rapier;
  private arm: ArmBodies | null = null;
  private carried: Load = ballLoad(0);
  private readonly vector: ReturnType<Rapier['VectorOps']['intoRaw']>;
  private readonly rotation = new Float32Array(4);
  private readonly turned = new Float64Array(12);
  private readonly angles = new Float64Array(JOINT_COUNT);
  private readonly torques = new Float64Array(9);
  private readonly acceleration = new Float64Array(JOINT_COUNT);
  private readonly comingRate = new Float64Array(JOINT_COUNT);
  private readonly engineTorque = new Float64Array(JOINT_COUNT);
  private readonly inverse = foldedInverseDynamics();
  /** Link 6 with its load and rotor. */
  private readonly lastLink = new Float64Array(INERTIA_SIZE);

  constructor(rapier: Rapier) {
    this.rapier = rapier;
    this.setLoad(this.carried);
    this.vector = rapier.VectorOps.intoRaw({ x: 0, y: 0, z: 0 });
  }

  advance(state: JointState, torque: Float64Array, dynamics: ForwardDynamics): void {
    const arm = this.arm!;
    this.writeEngineTorques(state, torque, dynamics);
    this.drive(arm, this.engineTorque, dynamics.sinCos);
    arm.step();
    this.read(arm);
    for (let j = 0; j < JOINT_COUNT; j++) {
      const travel = wrapAngle(this.angles[j]! - state.position[j]!);
      state.position[j]! += travel;
      state.velocity[j] = travel / PLANT_STEP_S;
    }
  }

  /**
   * Writes the torques with which Rapier's bodies move as the arm does: the inverse dynamics of
   * these bodies (rotors in the links) at the acceleration of the arm (rotors on the diagonal).
   * Rapier damps and takes the centrifugal and Coriolis terms at the coming rate.
   */
  private writeEngineTorques(
    state: JointState,
    torque: Float64Array,
    dynamics: ForwardDynamics,
  ): void {
    const { acceleration, comingRate, engineTorque } = this;
    dynamics.acceleration(torque, acceleration);
    for (let j = 0; j < JOINT_COUNT; j++) {
      comingRate[j] = state.velocity[j]! + PLANT_STEP_S * acceleration[j]!;
    }
    this.inverse(dynamics.sinCos, comingRate, acceleration, this.lastLink, engineTorque);
    for (let j = 0; j < JOINT_COUNT; j++) {
      engineTorque[j]! += HIDDEN_DAMPING_N_M_S * comingRate[j]!;
    }
  }

  private drive(arm: ArmBodies, torque: Float64Array, turns: Float64Array): void {
    writeTorques(torque, turns, this.torques);
    const { vector, torques } = this;
    for (let i = 0; i < arm.driven.length; i++) {
      vector.x = torques[3 * i]!;
      vector.y = torques[3 * i + 1]!;
      vector.z = torques[3 * i + 2]!;
      arm.driven[i]!.drive(vector);
    }
  }

  private read(arm: ArmBodies): void {
    for (let i = 0; i < arm.driven.length; i++) {
      arm.driven[i]!.read(this.rotation);
      for (let k = 0; k < 4; k++) this.turned[4 * i + k] = this.rotation[k]!;
    }
    readAngles(this.turned, arm.spawned, this.angles);
  }

  place(q: Float64Array): void {
    this.free();
    this.arm = buildArm(this.rapier, q, this.carried);
  }

  setLoad(load: Load): void {
    this.carried = load;
    writeLastLinkInertia(load, this.lastLink);
    foldRotor(JOINT_COUNT - 1, this.lastLink);
    if (this.arm) loadLastLink(this.arm, load);
  }

  save(): Uint8Array {
    const arm = this.arm!;
    const spawn = new Uint8Array(Float64Array.from(arm.spawn).buffer);
    return SNAPSHOT.join({ spawn, rest: arm.world.takeSnapshot() });
  }

  load(bytes: Uint8Array): void {
    const { spawn, rest } = SNAPSHOT.split(bytes);
    const handles = this.arm!.handles;
    this.free();
    const world = this.rapier.World.restoreSnapshot(rest);
    this.arm = findArm(this.rapier, world, { handles, spawn: doublesOf(spawn) });
  }

  free(): void {
    this.arm?.world.free();
    this.arm = null;
  }
}

let isWarm = false;

/**
 * Saves and restores a throwaway arm once: Rapier compiles each function at its first call, which
 * would delay the first reset of a twin by 40 ms.
 */
function warmUpRestore(rapier: Rapier, q: Float64Array): void {
  if (isWarm) return;
  isWarm = true;
  const { world } = buildArm(rapier, q, ballLoad(0));
  rapier.World.restoreSnapshot(world.takeSnapshot()).free();
  world.free();
}

/**
 * Creates a plant with Rapier's mechanics, at rest at `q` (rad). The first call of a process loads
 * Rapier (0.1 to 0.3 s).
 */
export async function createRapierPlant(q: Float64Array): Promise<Plant> {
  const rapier = await loadRapier();
  warmUpRestore(rapier, q);
  return new Plant(new RapierEngine(rapier), q);
}
