/**
 * Setpoints of a segment: its joints at a constant rate, each with its motion error, if any (§2.3,
 * D21, D23).
 */
import type { MotionError } from '../../contract/motion-errors.ts';
import { createPathSample, samplePath } from './joint-path.ts';
import type { Segment } from './segment.ts';
import {
  checkSetpoint,
  createSetpointCheck,
  type SetpointCheck,
  type SetpointConditions,
} from './setpoint-check.ts';
import { createProfilePoint, sampleProfile } from './time-profile.ts';

/** Setpoints in order; a setpoint without an entry in `errors` is valid. */
export interface Setpoints {
  readonly count: number;
  /** Six a setpoint (rad). */
  readonly joints: Float64Array;
  readonly errors: ReadonlyMap<number, MotionError>;
}

/** Number of setpoints of a motion of that duration, first and last included. */
export function countSetpoints(duration_s: number, period_s: number): number {
  if (!(duration_s > 0)) return 1;
  return Math.ceil(duration_s / period_s - SAME_MOMENT) + 1;
}

/** A last setpoint within this share of a period of the one before is the same setpoint. */
const SAME_MOMENT = 1e-9;

/**
 * The setpoints of a segment every `period_s`, the first at its start and the last, at a shorter
 * distance, at its end. The segment's problem marks the first setpoint at or beyond its position;
 * where the requested time is too short, later setpoints carry the limit of `conditions` that they
 * exceed.
 */
export function emitSetpoints(
  segment: Segment,
  period_s: number,
  conditions: SetpointConditions,
): Setpoints {
  const { path, profile, problem } = segment;
  const count = countSetpoints(profile.duration_s, period_s);
  const joints = new Float64Array(6 * count);
  const errors = new Map<number, MotionError>();
  const point = createProfilePoint();
  const sample = createPathSample();
  const check = problem?.code === 'time_too_short' ? createSetpointCheck(conditions) : null;
  for (let i = 0; i < count; i++) {
    const t = i === count - 1 ? profile.duration_s : i * period_s;
    sampleProfile(profile, t, point);
    samplePath(path, point.s, sample);
    for (let j = 0; j < 6; j++) joints[6 * i + j] = sample.q[j]!;
    const error = check ? rateError(check, point, sample) : null;
    const marked = problem !== null && errors.size === 0 && isAt(problem.s, point.s, i, count);
    if (marked) errors.set(i, problem.code);
    else if (error) errors.set(i, error);
  }
  return { count, joints, errors };
}

/** True at or beyond position `s`, and for the last setpoint in any case. */
function isAt(s: number, here: number, i: number, count: number): boolean {
  return here >= s || i === count - 1;
}

const velocity = new Float64Array(6);
const acceleration = new Float64Array(6);

function rateError(
  check: SetpointCheck,
  point: { readonly v: number; readonly a: number },
  sample: { readonly q: Float64Array; readonly q1: Float64Array; readonly q2: Float64Array },
): MotionError | null {
  for (let j = 0; j < 6; j++) {
    velocity[j] = sample.q1[j]! * point.v;
    acceleration[j] = sample.q1[j]! * point.a + sample.q2[j]! * point.v * point.v;
  }
  return checkSetpoint(check, sample.q, velocity, acceleration);
}
