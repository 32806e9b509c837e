/**
 * A segment in a trajectory reply: setpoints at 100 Hz, the first and the last included, each with
 * its result. A valid segment is valid at every setpoint; a faulty one is checked setpoint by
 * setpoint. §2.3; D21, D23.
 */
import { MOTION_ERRORS, type MotionError } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import type { SegmentItem, TrajectorySetpoint } from '../../contract/types.ts';
import { JOINT_ENERGY_MAX_J, TOOL_ENERGY_MAX_J } from '../arm/arm-model.ts';
import { checkPose } from '../collision/collision-check.ts';
import { ForwardDynamics } from '../dynamics/arm-dynamics.ts';
import {
  createFrames,
  createToolMotion,
  forward,
  LINEAR_ACCELERATION,
  toolMotion,
} from '../kinematics/forward.ts';
import { length3 } from '../math/rotation.ts';
import { createProfilePoint, sampleProfile } from '../motion/jerk-phases.ts';
import { ARM_LIMITS, jointLimitsOf, type MotionLimits } from '../motion/limits.ts';
import {
  boundaryProblem,
  createPathSample,
  type MotionProblem,
  type Segment,
  type SegmentPlan,
  samplePath,
} from '../motion/segment.ts';
import type { MotionTarget } from './ir.ts';
import type { PlanningScene } from './plan-segment.ts';

/**
 * Setpoints of a trajectory reply: the joints of a segment at a constant rate, each with its motion
 * error, if any (§2.3, D21, D23). The check compares joint rates, tool speed and acceleration and
 * kinetic energies with the limits of the arm; planned motions keep all of them, a requested time
 * below the minimum does not (§2.4).
 */

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

const FIRST_VELOCITY_CODE = MOTION_ERRORS.indexOf('j0_angular_velocity_limit');
const FIRST_ACCELERATION_CODE = MOTION_ERRORS.indexOf('j0_angular_acceleration_limit');
const FIRST_ENERGY_CODE = MOTION_ERRORS.indexOf('j0_over_energy');

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
  if (fast >= 0) return MOTION_ERRORS[FIRST_VELOCITY_CODE + fast]!;
  const harsh = firstBeyond(acceleration, limits.acceleration_rad_s2);
  if (harsh >= 0) return MOTION_ERRORS[FIRST_ACCELERATION_CODE + harsh]!;
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
    if (energy > JOINT_ENERGY_MAX_J[j]!) return MOTION_ERRORS[FIRST_ENERGY_CODE + j]!;
  }
  return null;
}

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

const frames = createFrames();

/** Number of setpoints of a profile of this duration. */
export function setpointCount(duration_s: number): number {
  return countSetpoints(duration_s, limits.setpoint_period_s);
}

/** A segment at rest: a transition without motion. */
export function restItem(target: MotionTarget): SegmentItem {
  const setpoints: TrajectorySetpoint[] = [{ result: 'success', joints: [...target.joints] }];
  return { type: 'segment', result: true, setpoints, waypoints: [target.waypoint] };
}

/** The reply segment of a plan that starts at `start`; `waypoints` as the reply names them. */
export function segmentItem(
  plan: SegmentPlan,
  start: MotionTarget,
  about: { readonly waypoints: number[]; readonly planningScene: PlanningScene },
): SegmentItem {
  const { waypoints, planningScene } = about;
  const setpoints =
    plan.kind === 'impossible'
      ? [badSetpoint(plan.problem.code, start.joints)]
      : listSetpoints(plan.segment, planningScene);
  const result = setpoints.every((setpoint) => setpoint.result === 'success');
  return { type: 'segment', result, setpoints, waypoints };
}

function badSetpoint(error: MotionError, joints: Float64Array): TrajectorySetpoint {
  return { result: 'error', error, joints: [...joints] };
}

function listSetpoints(segment: Segment, planningScene: PlanningScene): TrajectorySetpoint[] {
  const { tool, payload_kg, timing } = planningScene;
  const { problem } = segment;
  const { count, joints, errors } = emitSetpoints(segment, limits.setpoint_period_s, {
    tool_speed_m_s: limits.speed_automatic_m_per_s,
    tool_offset_m: [...tool.offset_m],
    payload_kg,
    limits: jointLimitsOf(timing),
  });
  const out: TrajectorySetpoint[] = [];
  for (let i = 0; i < count; i++) {
    const code =
      errors.get(i) ??
      (problem && setpointError(joints.subarray(6 * i, 6 * i + 6), problem, planningScene));
    const listed = jointsAt(joints, i);
    if (code) out.push({ result: 'error', error: code, joints: listed });
    else out.push({ result: 'success', joints: listed });
  }
  return out;
}

/** Explicit elements: spreading typed arrays is the most expensive part of a reply. */
function jointsAt(joints: Float64Array, i: number): number[] {
  const k = 6 * i;
  return [
    joints[k]!,
    joints[k + 1]!,
    joints[k + 2]!,
    joints[k + 3]!,
    joints[k + 4]!,
    joints[k + 5]!,
  ];
}

/** The error of a pose of a faulty plan, apart from the position of its problem. */
function setpointError(
  q: Float64Array,
  problem: MotionProblem,
  planningScene: PlanningScene,
): MotionError | null {
  const boundary = boundaryProblem(q);
  if (boundary) return boundary.code;
  if (!problem.code.endsWith('_collision')) return null;
  forward(q, frames);
  return checkPose(planningScene.scene, frames)?.code ?? null;
}
