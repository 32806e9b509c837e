/**
 * Check of one setpoint: compares joint rates, tool speed and acceleration and kinetic energies
 * with the limits of the arm. Planned motions keep all of them, a requested time below the minimum
 * does not (§2.4).
 */

import type { MotionError } from '../../contract/motion-errors.ts';
import { JOINT_ENERGY_MAX_J, TOOL_ENERGY_MAX_J } from '../arm/arm-model.ts';
import { jointCode } from '../arm/joint-error-codes.ts';
import { ForwardDynamics } from '../dynamics/forward-dynamics.ts';
import { createFrames, forward } from '../kinematics/forward.ts';
import { createToolMotion, LINEAR_ACCELERATION, toolMotion } from '../kinematics/tool-motion.ts';
import { length3 } from '../math/vector.ts';
import { ARM_LIMITS, type MotionLimits } from './limits.ts';

/** Conditions of the setpoint check. */
export interface SetpointConditions {
  /** Tool speed cap (m/s) and tool point in the flange frame (m). */
  readonly tool_speed_m_s: number;
  readonly tool_offset_m: readonly number[];
  readonly payload_kg: number;
  /** The limits of the arm unless given. */
  readonly limits?: MotionLimits;
}

/** The conditions with scratch space. */
export interface SetpointCheck extends SetpointConditions {
  readonly limits: MotionLimits;
  readonly dynamics: ForwardDynamics;
  readonly frames: Float64Array;
  readonly tool: Float64Array;
}

/** Prepares the check of setpoints under the given conditions; allocates its scratch space once. */
export function createSetpointCheck(conditions: SetpointConditions): SetpointCheck {
  return {
    ...conditions,
    limits: conditions.limits ?? ARM_LIMITS,
    dynamics: new ForwardDynamics(conditions.payload_kg),
    frames: createFrames(),
    tool: createToolMotion(),
  };
}

/** Rounding tolerance of a motion timed exactly to a limit. */
const WITHIN = 1 + 1e-9;

/**
 * Returns the first exceeded limit of the arm at joints `q` (rad) with `velocity` (rad/s) and
 * `acceleration` (rad/s²), in this order: energy of the payload at the tool, energies of the
 * joints, joint velocities, joint accelerations, tool speed, tool acceleration. Energies come first
 * because a state beyond one is far beyond a speed too. Null when all limits hold. No allocation.
 */
export function checkSetpoint(
  check: SetpointCheck,
  q: Float64Array,
  velocity: Float64Array,
  acceleration: Float64Array,
): MotionError | null {
  const { limits, tool } = check;
  forward(q, check.frames);
  toolMotion(check.frames, velocity, acceleration, check.tool_offset_m, tool);
  const speed = length3(tool[0]!, tool[1]!, tool[2]!);
  if (0.5 * check.payload_kg * speed * speed > TOOL_ENERGY_MAX_J) return 'ee_over_energy';
  const energetic = jointEnergyError(check, q, velocity);
  if (energetic) return energetic;
  const fast = firstBeyond(velocity, limits.velocity_rad_s);
  if (fast >= 0) return jointCode(fast, 'angular_velocity_limit');
  const harsh = firstBeyond(acceleration, limits.acceleration_rad_s2);
  if (harsh >= 0) return jointCode(harsh, 'angular_acceleration_limit');
  if (speed > check.tool_speed_m_s * WITHIN) return 'ee_over_speed';
  const k = LINEAR_ACCELERATION;
  const change = length3(tool[k]!, tool[k + 1]!, tool[k + 2]!);
  return change > limits.tool_acceleration_m_s2 * WITHIN ? 'ee_over_acceleration' : null;
}

function firstBeyond(rates: Float64Array, limits: Float64Array): number {
  for (let j = 0; j < 6; j++) if (!(Math.abs(rates[j]!) <= limits[j]! * WITHIN)) return j;
  return -1;
}

function jointEnergyError(
  { dynamics }: SetpointCheck,
  q: Float64Array,
  velocity: Float64Array,
): MotionError | null {
  dynamics.update(q, velocity);
  for (let j = 0; j < 6; j++) {
    const inertia = dynamics.inertia[(j * (j + 3)) / 2]!;
    const energy = 0.5 * inertia * velocity[j]! * velocity[j]!;
    if (energy > JOINT_ENERGY_MAX_J[j]!) return jointCode(j, 'over_energy');
  }
  return null;
}
