/**
 * Plans the segments of one build, each distinct one once: grid cells, step variants after an `if`
 * and the trajectory reply request the same motions. Plans the second timing for teach mode too.
 */

import { limits } from '../../contract/limits.ts';
import type { MotionProblem } from '../motion/motion-problem.ts';
import { retime } from '../motion/retime.ts';
import type { Segment, SegmentPlan } from '../motion/segment.ts';
import type { TimeProfile } from '../motion/time-profile.ts';
import type { MotionSpec, MotionTarget } from './ir.ts';
import { motionCapsOf, planSegment, type SegmentRequest } from './plan-segment.ts';
import type { PlanningScene } from './planning-scene.ts';
import type { PlannedMove } from './program.ts';
import { WORK_COSTS, type WorkBudget } from './work-budget.ts';

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
