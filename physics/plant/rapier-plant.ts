/**
 * Plant engine with contacts: Rapier's multibody at 1 kHz, read and driven through three of six
 * bodies (axis-pair.ts) and through the raw calls beneath Rapier's public ones, which skip the
 * sweeps of World.step; a test proves that both give the same bits for the pinned version. Rapier
 * loads only when a plant is created.
 */
import { JOINT_COUNT } from '../arm/arm-model.ts';
import type { ForwardDynamics } from '../dynamics/arm-dynamics.ts';
import { type JointState, PLANT_STEP_S } from '../dynamics/drives.ts';
import { wrapAngle } from '../math/portable.ts';
import { readAngles, writeTorques } from './axis-pair.ts';
import { Plant, type PlantEngine } from './plant.ts';
import {
  type ArmBodies,
  buildArm,
  findArm,
  loadLastLink,
  loadRapier,
  type Rapier,
} from './rapier-arm.ts';

/**
 * Damping that Rapier applies to each axis of a multibody, implicit in the new rate (N m s/rad).
 */
const HIDDEN_DAMPING_N_M_S = 0.1;

class RapierEngine implements PlantEngine {
  readonly damping_n_m_s = HIDDEN_DAMPING_N_M_S;
  private readonly rapier: Rapier;
  private arm: ArmBodies | null = null;
  private payload_kg = 0;
  private readonly vector: ReturnType<Rapier['VectorOps']['intoRaw']>;
  private readonly rotation = new Float32Array(4);
  private readonly turned = new Float64Array(12);
  private readonly angles = new Float64Array(JOINT_COUNT);
  private readonly torques = new Float64Array(9);

  constructor(rapier: Rapier) {
    this.rapier = rapier;
    this.vector = rapier.VectorOps.intoRaw({ x: 0, y: 0, z: 0 });
  }

  advance(state: JointState, torque: Float64Array, model: ForwardDynamics): void {
    const arm = this.arm!;
    this.drive(arm, torque, model.sinCos);
    arm.step();
    this.read(arm);
    for (let j = 0; j < JOINT_COUNT; j++) {
      const travel = wrapAngle(this.angles[j]! - state.position[j]!);
      state.position[j]! += travel;
      state.velocity[j] = travel / PLANT_STEP_S;
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
    this.arm = buildArm(this.rapier, q, this.payload_kg);
  }

  setPayload(payload_kg: number): void {
    this.payload_kg = payload_kg;
    if (this.arm) loadLastLink(this.arm, payload_kg);
  }

  save(): Uint8Array {
    const arm = this.arm!;
    const spawn = new Uint8Array(Float64Array.from(arm.spawn).buffer);
    const world = arm.world.takeSnapshot();
    const bytes = new Uint8Array(spawn.length + world.length);
    bytes.set(spawn, 0);
    bytes.set(world, spawn.length);
    return bytes;
  }

  load(bytes: Uint8Array): void {
    const length = 8 * JOINT_COUNT;
    const spawn = new Float64Array(bytes.slice(0, length).buffer);
    const handles = this.arm!.handles;
    this.free();
    const world = this.rapier.World.restoreSnapshot(bytes.slice(length));
    this.arm = findArm(this.rapier, world, { handles, spawn });
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
  const { world } = buildArm(rapier, q, 0);
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
