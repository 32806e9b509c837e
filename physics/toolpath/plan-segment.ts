/**
 * Plans one segment of a toolpath or of a call and checks it against limits and collisions; reports
 * the earliest problem on its path. Builds, go_to and approaches share it, so they refuse for the
 * same reasons. §2.2, §2.4; D22 to D25. Also: joint_space moves; go_to and approaches; the segments
 * of a build.
 */
import type { MotionError } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import type { AvoidanceZone, RunMode, TcpConfig, ToolpathMetadata } from '../../contract/types.ts';
import { checkPath } from '../collision/collision-check.ts';
import { type CollisionScene, createCollisionScene } from '../collision/scene.ts';
import { createTool, type Tool, type ToolConfiguration } from '../kinematics/forward.ts';
import { dilateProfile, type TimeProfile } from '../motion/jerk-phases.ts';
import type { MotionLimits, MotionTiming } from '../motion/limits.ts';
import { type LinearMoveRequest, planLinearMove } from '../motion/linear-move.ts';
import {
  boundaryProblem,
  hasTravel,
  type JointLine,
  type MotionCaps,
  type MotionProblem,
  restSegment,
  type Segment,
  type SegmentPlan,
  timedSegment,
} from '../motion/segment.ts';
import { planSplineMove } from '../motion/spline-move.ts';
import { timePath } from '../motion/time-path.ts';
import type { MotionSpec, MotionTarget } from './ir.ts';
import type { PlannedMove } from './program.ts';

/**
 * joint_space moves: a straight line in joint space, all joints starting and ending together
 * (§2.2). The path does not depend on the timing, so pause, collision checks and speed caps never
 * leave it.
 */

/** A move from rest at `start` to rest at `end` (rad, six each). */
export interface JointMoveRequest {
  readonly start: Float64Array;
  readonly end: Float64Array;
  readonly caps: MotionCaps;
  /** Indexes of the start and end waypoints, as the reply names them. */
  readonly waypoints: readonly number[];
  /** Planning limits; those of the arm by default. */
  readonly limits?: MotionLimits;
}

/**
 * Plans a straight joint line within the limits of joints and tool. A requested `time_s` at or
 * above the minimum dilates the motion; below it the timing is still the requested one and the
 * problem is `time_too_short` (D23). An end outside the joint limits gives the problem
 * `jN_boundary_limit`; a start outside does not, so that the arm can move back in.
 */
export function planJointMove(request: JointMoveRequest): Segment {
  const path: JointLine = { kind: 'line', start: request.start, end: request.end };
  const boundary = boundaryProblem(request.end);
  if (!hasTravel(request.start, request.end)) return restSegment(path, request, boundary);
  const timing = timePath({
    path,
    caps: request.caps,
    ...(request.limits ? { limits: request.limits } : {}),
  });
  return timedSegment(path, timing, request, boundary);
}

/**
 * A motion of a toolpath that cannot be made, with its position in the toolpath (§2.3: a soft
 * error).
 */
export interface BuildFault {
  readonly code: MotionError;
  /** JSON pointer of the action. */
  readonly path: string;
  /** The problem and what to do about it. */
  readonly message: string;
  /** Position in the lowered toolpath; orders the faults. */
  readonly order: number;
}

/** Position of a motion in the toolpath, and a preface for its message. */
export interface BuildFaultLocation {
  readonly path: string;
  readonly order: number;
  readonly preface?: string;
}

/** The fault of a plan, or null for a valid one. */
export function buildFaultOf(
  plan: SegmentPlan,
  { path, order, preface = '' }: BuildFaultLocation,
): BuildFault | null {
  const problem = segmentProblem(plan);
  return problem && { code: problem.code, path, message: preface + problem.message, order };
}

/** Planning scene: the tool, the collision scene and the payload. */
export interface PlanningScene {
  readonly tool: Tool;
  readonly scene: CollisionScene;
  readonly payload_kg: number;
  readonly timing: MotionTiming | null;
}

/** Fields of metadata and calls that define a planning scene (§2.6, §2.7). */
export interface PlanningSceneOptions {
  readonly tcp_config?: ToolConfiguration | undefined;
  readonly avoidance_zones?: readonly AvoidanceZone[] | undefined;
  readonly payload?: number | undefined;
  /** Timing of the arm's planner; null or absent: that of the model. */
  readonly timing?: MotionTiming | null | undefined;
}

/**
 * Compiles tool and zones for planning; scratch space of one thread, like the collision scene in
 * it.
 */
export function createPlanningScene(request: PlanningSceneOptions): PlanningScene {
  const tool = createTool(request.tcp_config);
  const [x, y, z] = tool.offset_m;
  const offsets = { x: x!, y: y!, z: z! };
  const scene = createCollisionScene({
    tool: { offsets, radius: tool.radius_m },
    zones: request.avoidance_zones ?? [],
  });
  return { tool, scene, payload_kg: request.payload ?? 0, timing: request.timing ?? null };
}

/** Request of one segment. */
export interface SegmentRequest {
  readonly start: MotionTarget;
  readonly target: MotionTarget;
  /** Waypoints to pass through; only splines use them (D21). */
  readonly via: readonly MotionTarget[];
  readonly motion: MotionSpec;
  /** The arm is already at the start, which may be outside its limits. */
  readonly leaving?: boolean;
}

/** Tool speed and duration of a motion under a mode's cap (m/s; D24). */
export function motionCapsOf(
  motion: MotionSpec,
  cap_m_s: number,
  { tool, payload_kg, timing }: PlanningScene,
): MotionCaps {
  const [x, y, z] = tool.offset_m;
  return {
    tool_speed_m_s: Math.min(motion.tool_speed_m_s, cap_m_s),
    tool_offset_m: [x!, y!, z!],
    payload_kg,
    timing,
    ...(motion.time_s === null ? {} : { time_s: motion.time_s }),
  };
}

/** The problem of a plan, or null when it is valid. */
export function segmentProblem(plan: SegmentPlan): MotionProblem | null {
  return plan.kind === 'planned' ? plan.segment.problem : plan.problem;
}

/**
 * Plans one segment under a mode's speed cap (m/s) and checks it: its own limits, then collisions.
 * Reports the first problem on the path. Deterministic.
 */
export function planSegment(
  request: SegmentRequest,
  planningScene: PlanningScene,
  cap_m_s: number,
): SegmentPlan {
  const { start, target, motion } = request;
  if (target.problem) return { kind: 'impossible', problem: target.problem };
  const caps = motionCapsOf(motion, cap_m_s, planningScene);
  const waypoints = [start.waypoint, target.waypoint];
  const ends = { start: start.joints, end: target.joints, caps, waypoints };
  const plan = planPath(motion.kind, ends, request.via);
  if (plan.kind === 'impossible') return plan;
  const beginning = request.leaving ? null : boundaryProblem(start.joints);
  const problem = beginning ? { ...beginning, s: 0 } : plan.segment.problem;
  return { kind: 'planned', segment: withCollision({ ...plan.segment, problem }, planningScene) };
}

function planPath(
  kind: MotionSpec['kind'],
  ends: LinearMoveRequest,
  via: readonly MotionTarget[],
): SegmentPlan {
  if (kind === 'joint_space') return { kind: 'planned', segment: planJointMove(ends) };
  if (kind === 'linear') return planLinearMove(ends);
  return planSplineMove({ ...ends, through: via.map((target) => target.joints) });
}

/** The segment with a collision as its problem, where that comes before its own. */
function withCollision(segment: Segment, planningScene: PlanningScene): Segment {
  const found = checkPath(planningScene.scene, segment.path);
  if (!found || (segment.problem && segment.problem.s <= found.s)) return segment;
  const { code, message } = found.hit;
  return { ...segment, problem: { code, s: found.s, message } };
}

/**
 * Motions outside toolpaths: go_to, and the approach to the home waypoint with which every run
 * starts (D28). Checked like the segments of a toolpath, but a problem is a refusal. §4.5; D23,
 * D24.
 */

/** Request of a straight joint motion from the current pose. */
export interface GoToRequest {
  /** Joint angles where the arm is or will come to rest (rad). */
  readonly start: ArrayLike<number>;
  readonly joints: ArrayLike<number>;
  readonly mode: RunMode;
  /** Duration (s); excludes max_speed. */
  readonly time?: number | undefined;
  /** Tool speed (m/s), 0.25 by default; clamped to the mode's cap. */
  readonly max_speed?: number | undefined;
  readonly tcp_config?: TcpConfig | undefined;
  readonly avoidance_zones?: readonly AvoidanceZone[] | undefined;
  /** Payload that the arm carries (kg): that of the loaded toolpath. */
  readonly payload?: number | undefined;
  /** Timing of the arm's planner; null or absent: that of the model. */
  readonly timing?: MotionTiming | null | undefined;
  /** `linear` for a straight line of the tool; joint_space by default. Not for a `time`. */
  readonly trajectory?: 'joint_space' | 'linear' | undefined;
}

/** Request of the motion to a toolpath's home waypoint. */
export interface ApproachRequest {
  readonly start: ArrayLike<number>;
  /** Joint angles of the home waypoint (rad). */
  readonly home: ArrayLike<number>;
  readonly mode: RunMode;
  readonly metadata: Pick<
    ToolpathMetadata,
    'default_max_speed' | 'tcp_config' | 'avoidance_zones' | 'payload'
  >;
  readonly timing?: MotionTiming | null | undefined;
}

export type GoToResult =
  | { readonly ok: true; readonly segment: Segment }
  | {
      readonly ok: false;
      readonly code: MotionError;
      /** JSON pointer of the field of the call to change. */
      readonly path: string;
      readonly message: string;
      /** Shortest duration of the motion (s), where the requested one was shorter. */
      readonly minimum_time_s?: number;
    };

/** Speed cap of a mode (m/s; §8). */
export function speedCap_m_s(mode: RunMode): number {
  return mode === 'teach' ? limits.speed_teach_m_per_s : limits.speed_automatic_m_per_s;
}

function targetAt(joints: ArrayLike<number>): MotionTarget {
  return { joints: Float64Array.from(joints), waypoint: -1, problem: null };
}

function result(plan: SegmentPlan): GoToResult {
  if (plan.kind === 'impossible') return refusal(plan.problem, null);
  const { segment } = plan;
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

function planBetween(ends: Ends, motion: MotionSpec, planningScene: PlanningScene): GoToResult {
  const start = targetAt(ends.start);
  const target = targetAt(ends.end);
  // A goal outside the limits takes precedence over collisions on the path.
  const outside = boundaryProblem(target.joints);
  if (outside) return refusal(outside, null);
  const request = { start, target, via: [], motion, leaving: true };
  return result(planSegment(request, planningScene, speedCap_m_s(ends.mode)));
}

/**
 * Plans and checks a go_to. Refused with a motion error when the goal is outside the joint limits,
 * when the path collides, or when `time` is shorter than the motion takes in automatic mode. A
 * `time` that only the speed cap of teach mode makes too short is extended to that cap (D24).
 */
export function planGoTo(request: GoToRequest): GoToResult {
  const { start, joints, mode, time } = request;
  const ends = { start, end: joints };
  const scene = createPlanningScene(request);
  if (time === undefined) {
    const tool_speed_m_s = request.max_speed ?? limits.speed_go_to_default_m_per_s;
    const motion = { ...freeMotion(tool_speed_m_s), kind: request.trajectory ?? 'joint_space' };
    return planBetween({ ...ends, mode }, motion, scene);
  }
  const timed = { ...freeMotion(limits.speed_automatic_m_per_s), time_s: time };
  const plan = planBetween({ ...ends, mode }, timed, scene);
  if (plan.ok || mode === 'automatic' || plan.code !== 'time_too_short') return plan;
  const automatic = planBetween({ ...ends, mode: 'automatic' }, timed, scene);
  return automatic.ok
    ? planBetween({ ...ends, mode }, freeMotion(speedCap_m_s(mode)), scene)
    : automatic;
}

/** A joint_space motion as fast as its tool speed (m/s) allows. */
function freeMotion(tool_speed_m_s: number): MotionSpec {
  return { kind: 'joint_space', time_s: null, tool_speed_m_s };
}

/** Plans and checks the motion to the home waypoint, with the toolpath's own tool and zones. */
export function planApproach(request: ApproachRequest): GoToResult {
  const { start, home, mode, metadata, timing } = request;
  const motion = freeMotion(metadata.default_max_speed);
  const scene = createPlanningScene({ ...metadata, timing });
  return planBetween({ start, end: home, mode }, motion, scene);
}

/**
 * Plans the segments of one build, each distinct one once: grid cells, step variants after an `if`
 * and the trajectory reply request the same motions. Also plans the second timing for teach mode,
 * and counts the work of a build in units instead of seconds, so that the same toolpath ends the
 * same way on any machine (D16: over the budget, a hard error).
 */

/**
 * Re-times a segment for `caps`. Keeps a requested time where the caps allow it and exceeds it
 * otherwise: a slower mode is no fault of the toolpath. Problem and warnings stay.
 */
export function retime(segment: Segment, caps: MotionCaps, limits?: MotionLimits): Segment {
  const { path, waypoints, problem } = segment;
  if (segment.minimum_time_s === 0) return restSegment(path, { waypoints, caps }, problem);
  const timing = timePath({ path, caps, ...(limits ? { limits } : {}) });
  const stretch = Math.max(1, (caps.time_s ?? 0) / timing.minimum_time_s);
  return {
    ...segment,
    profile: dilateProfile(timing.profile, stretch),
    minimum_time_s: timing.minimum_time_s,
  };
}

/** Message of a build that exceeds its budget. */
export const OVER_BUDGET = 'exceeds the planning budget of one toolpath; split the toolpath';

/** Work units per operation; a unit is about a microsecond of planning on a small machine. */
export const WORK_COSTS = {
  node: 100,
  joint_space: 60,
  linear: 2_500,
  spline: 12_000,
  setpoint: 2,
} as const;

/** About a minute of planning: far more than any hand-taught toolpath needs. */
export const DEFAULT_WORK_BUDGET = 60_000_000;

export class WorkBudget {
  private left: number;

  constructor(units: number) {
    this.left = units;
  }

  /** Subtracts `units`; false once the budget is exceeded, permanently. */
  spend(units: number): boolean {
    this.left -= units;
    return this.left >= 0;
  }
}

/** Durations closer than this are equal (s). */
const SLACK_S = 1e-9;

function slowerInTeach(time_s: number, teach_s: number): MotionProblem {
  const message =
    `The requested ${time_s} s need a higher tool speed than teach mode allows; ` +
    `in teach mode the motion takes ${teach_s.toFixed(3)} s.`;
  return { code: 'time_too_short_switched_to_min_time', s: 0, message };
}

interface NumberedPose {
  readonly joints: Float64Array;
  readonly number: number;
}

const POSE_WEIGHTS = [1, 7.3, 53.1, 389, 2837, 20_717];

export class SegmentPlanner {
  readonly planningScene: PlanningScene;
  private readonly budget: WorkBudget;
  private readonly plans = new Map<string, SegmentPlan>();
  private readonly moves = new Map<SegmentPlan, PlannedMove>();
  private readonly numbers = new Map<MotionTarget, number>();
  /** Poses by a weighted sum of their joints, which equal poses share. */
  private readonly poses = new Map<number, readonly NumberedPose[]>();
  private poseCount = 0;

  private readonly withProgram: boolean;

  /** `withProgram`: the caller also needs the moves, so their teach timing counts as work. */
  constructor(planningScene: PlanningScene, budget: WorkBudget, withProgram: boolean) {
    this.planningScene = planningScene;
    this.budget = budget;
    this.withProgram = withProgram;
  }

  /** Number of a pose; equal for equal joint angles, whichever waypoint names them. */
  poseNumber(target: MotionTarget): number {
    const known = this.numbers.get(target);
    if (known !== undefined) return known;
    const number = this.findPose(target.joints);
    this.numbers.set(target, number);
    return number;
  }

  private findPose(joints: Float64Array): number {
    let sum = 0;
    for (let j = 0; j < 6; j++) sum += POSE_WEIGHTS[j]! * joints[j]!;
    const alike = this.poses.get(sum) ?? [];
    const known = alike.find((pose) => pose.joints.every((angle, j) => angle === joints[j]));
    if (known) return known.number;
    this.poses.set(sum, [...alike, { joints, number: this.poseCount }]);
    return this.poseCount++;
  }

  /** Plans a segment at the automatic cap; null once the budget is exceeded. */
  plan(request: SegmentRequest): SegmentPlan | null {
    if (request.target.problem) return { kind: 'impossible', problem: request.target.problem };
    const key = this.requestKey(request);
    let plan = this.plans.get(key) ?? null;
    if (!plan) {
      const cost = WORK_COSTS[request.motion.kind];
      if (!this.budget.spend(this.withProgram ? 2 * cost : cost)) return null;
      plan = planSegment(request, this.planningScene, limits.speed_automatic_m_per_s);
      this.plans.set(key, plan);
    }
    return plan;
  }

  /** The move that the robot plays, with its teach timing; null for a faulty plan. */
  move({ motion }: SegmentRequest, plan: SegmentPlan): PlannedMove | null {
    if (!this.withProgram || plan.kind === 'impossible' || plan.segment.problem) return null;
    let move = this.moves.get(plan);
    if (!move) {
      const { path, profile } = plan.segment;
      const { tool_speed_m_s } = motion;
      move = {
        path,
        automatic: profile,
        teach: this.teachProfile(plan.segment, motion),
        tool_speed_m_s,
      };
      this.moves.set(plan, move);
    }
    return move;
  }

  /** Warnings about a valid plan; call `move` for it first. */
  warnings({ motion }: SegmentRequest, plan: SegmentPlan): readonly MotionProblem[] {
    if (plan.kind === 'impossible') return [];
    const { warnings } = plan.segment;
    const teach_s = this.moves.get(plan)?.teach.duration_s ?? 0;
    if (motion.time_s === null || teach_s <= motion.time_s + SLACK_S) return warnings;
    return [...warnings, slowerInTeach(motion.time_s, teach_s)];
  }

  private teachProfile(segment: Segment, motion: MotionSpec): TimeProfile {
    const cap_m_s = limits.speed_teach_m_per_s;
    const slow = motion.time_s === null && motion.tool_speed_m_s <= cap_m_s;
    if (slow) return segment.profile;
    return retime(segment, motionCapsOf(motion, cap_m_s, this.planningScene)).profile;
  }

  private requestKey({ start, target, via, motion }: SegmentRequest): string {
    const poses = [start, ...via, target].map((each) => this.poseNumber(each)).join('>');
    return `${motion.kind} ${motion.time_s ?? ''} ${motion.tool_speed_m_s} ${poses}`;
  }
}
