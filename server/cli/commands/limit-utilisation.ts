/**
 * Highest utilisation of the arm's limits by a program: the share of each joint's speed and
 * acceleration limit, and the tool speed. For users who tune a toolpath; no decision depends on it.
 * §2.2, §8.
 */

import { createFrames, forward } from '../../../physics/kinematics/forward.ts';
import { createToolMotion, toolMotion } from '../../../physics/kinematics/tool-motion.ts';
import { length3, type Numbers } from '../../../physics/math/vector.ts';
import { createPathSample, samplePath } from '../../../physics/motion/joint-path.ts';
import { ARM_LIMITS } from '../../../physics/motion/limits.ts';
import { createProfilePoint, sampleProfile } from '../../../physics/motion/time-profile.ts';
import type { PlannedMove, Program } from '../../../physics/toolpath/program.ts';

/** The highest values over all motions in automatic mode. */
export interface LimitUtilisation {
  /** Number of distinct motions, the return move included. */
  readonly motions: number;
  /** Share of the limit, and the joint (0-based) that reaches it. */
  readonly joint_speed: { readonly share: number; readonly joint: number };
  readonly joint_acceleration: { readonly share: number; readonly joint: number };
  readonly tool_speed_m_s: number;
}

interface Peak {
  share: number;
  joint: number;
}

/** Sampling period (s). */
const PERIOD_S = 0.005;

const point = createProfilePoint();
const sample = createPathSample();
const frames = createFrames();
const tool = createToolMotion();
const velocity = new Float64Array(6);
const acceleration = new Float64Array(6);

function raise(peak: Peak, values: Float64Array, limits: Float64Array): void {
  for (let joint = 0; joint < 6; joint++) {
    const share = Math.abs(values[joint]!) / limits[joint]!;
    if (share <= peak.share) continue;
    peak.share = share;
    peak.joint = joint;
  }
}

/** Writes the joint rates of a move at `t_s` to the scratch above. */
function sampleRates({ path, automatic }: PlannedMove, t_s: number): void {
  sampleProfile(automatic, t_s, point);
  samplePath(path, point.s, sample);
  for (let j = 0; j < 6; j++) {
    velocity[j] = sample.q1[j]! * point.v;
    acceleration[j] = sample.q1[j]! * point.a + sample.q2[j]! * point.v * point.v;
  }
}

function toolSpeed_m_s(offset_m: Numbers): number {
  forward(sample.q, frames);
  toolMotion(frames, velocity, acceleration, offset_m, tool);
  return length3(tool[0]!, tool[1]!, tool[2]!);
}

function motionsOf(program: Program): Set<PlannedMove> {
  const motions = new Set<PlannedMove>();
  for (const step of program.steps) {
    if (step.kind === 'move' || step.kind === 'return') motions.add(step.move);
  }
  return motions;
}

/** Samples every motion of a program and returns the highest utilisation of the limits. */
export function utilisationOf(program: Program, limits = ARM_LIMITS): LimitUtilisation {
  const motions = motionsOf(program);
  const speed: Peak = { share: 0, joint: 0 };
  const acceleration_peak: Peak = { share: 0, joint: 0 };
  let tool_speed_m_s = 0;
  for (const move of motions) {
    for (let t_s = 0; t_s < move.automatic.duration_s; t_s += PERIOD_S) {
      sampleRates(move, t_s);
      raise(speed, velocity, limits.velocity_rad_s);
      raise(acceleration_peak, acceleration, limits.acceleration_rad_s2);
      tool_speed_m_s = Math.max(tool_speed_m_s, toolSpeed_m_s(program.tool_offset_m));
    }
  }
  return {
    motions: motions.size,
    joint_speed: speed,
    joint_acceleration: acceleration_peak,
    tool_speed_m_s,
  };
}
