/**
 * Speeds at which arm and payload have the kinetic energies that they may have (group `energy`
 * of the arm). §2.4.
 */
import { JOINT_ENERGY_MAX_J, TOOL_ENERGY_MAX_J } from '../arm/arm-model.ts';
import { ForwardDynamics } from '../dynamics/forward-dynamics.ts';
import { createPathSample, type JointPath, samplePath } from './joint-path.ts';
import type { MotionLimits } from './limits.ts';

/** Share of the speed at an energy limit that planning uses: the inertia varies between nodes. */
const ENERGY_SPEED_SHARE = 0.985;

/** Tool speed (m/s) at which the payload has the most energy that it may have. */
export function energySpeed_m_s(payload_kg: number): number {
  return ENERGY_SPEED_SHARE * Math.sqrt((2 * TOOL_ENERGY_MAX_J) / payload_kg);
}

/**
 * The limits with the joint speeds at which no joint exceeds its energy at the nodes `s` of the
 * path. Without a payload the arm has less energy than that at every pose and speed.
 */
export function limitEnergies(
  limits: MotionLimits,
  path: JointPath,
  s: Float64Array,
  payload_kg: number,
): MotionLimits {
  if (payload_kg === 0) return limits;
  const velocity_rad_s = Float64Array.from(limits.velocity_rad_s);
  const dynamics = new ForwardDynamics(payload_kg);
  const sample = createPathSample();
  const still = new Float64Array(6);
  for (const node of s) {
    samplePath(path, node, sample);
    dynamics.update(sample.q, still);
    for (let j = 0; j < 6; j++) {
      const inertia = dynamics.inertia[(j * (j + 3)) / 2]!;
      const fastest = ENERGY_SPEED_SHARE * Math.sqrt((2 * JOINT_ENERGY_MAX_J[j]!) / inertia);
      velocity_rad_s[j] = Math.min(velocity_rad_s[j]!, fastest);
    }
  }
  return { ...limits, velocity_rad_s };
}
