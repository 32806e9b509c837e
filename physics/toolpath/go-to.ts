/**
 * Motions that no toolpath asks for: go_to, and the approach to the home waypoint with which every
 * run begins (decision D28). Checked like the legs of a toolpath, but refused instead of listed
 * when something is wrong. Spec §4.5; decisions D23, D24.
 */
import { limits } from '../../contract/limits.ts';
import type { MotionError } from '../../contract/motion-errors.ts';
import type { AvoidanceZone, RunMode, TcpConfig, ToolpathMetadata } from '../../contract/types.ts';
import { boundaryProblem, type MotionProblem, type Segment } from '../motion/segment.ts';
import { createSurroundings, type Leg, planLeg, type Surroundings } from './leg.ts';
import type { Motion, Target } from './nodes.ts';

/** A straight joint motion from where the arm stands. */
export interface GoToRequest {
  /** Joint angles where the arm stands or will come to rest (rad). */
  readonly start: ArrayLike<number>;
  readonly joints: ArrayLike<number>;
  readonly mode: RunMode;
  /** Duration (s); not together with max_speed. */
  readonly time?: number | undefined;
  /** Tool speed (m/s), 0.25 unless given; slowed to the mode's cap. */
  readonly max_speed?: number | undefined;
  readonly tcp_config?: TcpConfig | undefined;
  readonly avoidance_zones?: readonly AvoidanceZone[] | undefined;
}

/** The way to a toolpath's home waypoint. */
export interface ApproachRequest {
  readonly start: ArrayLike<number>;
  /** Joint angles of the home waypoint (rad). */
  readonly home: ArrayLike<number>;
  readonly mode: RunMode;
  readonly metadata: Pick<ToolpathMetadata, 'default_max_speed' | 'tcp_config' | 'avoidance_zones'>;
}

export type GoToResult =
  | { readonly ok: true; readonly segment: Segment }
  | {
      readonly ok: false;
      readonly code: MotionError;
      /** JSON pointer of the part of the call to change. */
      readonly path: string;
      readonly message: string;
      /** Shortest duration of the motion (s), where the requested one was shorter. */
      readonly minimum_time_s?: number;
    };

/** Speed cap of a mode (m/s; spec §8). */
export function speedCap_m_s(mode: RunMode): number {
  return mode === 'teach' ? limits.speed_teach_m_per_s : limits.speed_automatic_m_per_s;
}

function placeAt(joints: ArrayLike<number>): Target {
  return { joints: Float64Array.from(joints), waypoint: -1, problem: null };
}

function result(leg: Leg): GoToResult {
  if (leg.kind === 'impossible') return refusal(leg.problem, null);
  const { segment } = leg;
  return segment.problem ? refusal(segment.problem, segment) : { ok: true, segment };
}

function refusal({ code, message }: MotionProblem, segment: Segment | null): GoToResult {
  if (code === 'time_too_short' && segment) {
    const { minimum_time_s } = segment;
    return { ok: false, code, path: '/time', message, minimum_time_s };
  }
  return { ok: false, code, path: '/joints', message };
}

interface Ends {
  readonly start: ArrayLike<number>;
  readonly end: ArrayLike<number>;
  readonly mode: RunMode;
}

function planBetween(ends: Ends, motion: Motion, surroundings: Surroundings): GoToResult {
  const start = placeAt(ends.start);
  const target = placeAt(ends.end);
  // A goal outside the limits is told as such, whatever the arm would meet on the way there.
  const outside = boundaryProblem(target.joints);
  if (outside) return refusal(outside, null);
  const request = { start, target, via: [], motion, leaving: true };
  return result(planLeg(request, surroundings, speedCap_m_s(ends.mode)));
}

/**
 * Plans and checks a go_to. Refused with a motion error when the goal is outside the joint limits,
 * when anything on the way would collide, or when `time` is shorter than the motion takes.
 */
export function planGoTo(request: GoToRequest): GoToResult {
  const { start, joints, mode, time } = request;
  const fastest = time === undefined ? limits.speed_go_to_default_m_per_s : speedCap_m_s(mode);
  const tool_speed_m_s = request.max_speed ?? fastest;
  const motion: Motion = { kind: 'joint_space', time_s: time ?? null, tool_speed_m_s };
  return planBetween({ start, end: joints, mode }, motion, createSurroundings(request));
}

/** Plans and checks the motion to the home waypoint, with the toolpath's own tool and zones. */
export function planApproach(request: ApproachRequest): GoToResult {
  const { start, home, mode, metadata } = request;
  const tool_speed_m_s = metadata.default_max_speed;
  const motion: Motion = { kind: 'joint_space', time_s: null, tool_speed_m_s };
  return planBetween({ start, end: home, mode }, motion, createSurroundings(metadata));
}
