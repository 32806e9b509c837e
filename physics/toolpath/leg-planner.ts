/**
 * Plans the legs of one build, each distinct one once: loops over cells, variants after an `if`
 * and the reply all ask for the same motions. Also the second timing that a teach run needs.
 * Decisions D22, D24.
 */
import { limits } from '../../contract/limits.ts';
import { retime } from '../motion/retime.ts';
import type { MotionProblem, Segment } from '../motion/segment.ts';
import type { TimeProfile } from '../motion/time-profile.ts';
import { type Budget, COSTS } from './budget.ts';
import { capsOf, type Leg, type LegRequest, planLeg, type Surroundings } from './leg.ts';
import type { Motion, Target } from './nodes.ts';
import type { PlannedMove } from './program.ts';

/** Durations are equal up to rounding (s). */
const SLACK_S = 1e-9;

function slowerInTeach(time_s: number, teach_s: number): MotionProblem {
  const message =
    `The requested ${time_s} s need more than the tool speed that teach mode allows; ` +
    `there the motion takes ${teach_s.toFixed(3)} s.`;
  return { code: 'time_too_short_switched_to_min_time', s: 0, message };
}

interface NumberedPose {
  readonly joints: Float64Array;
  readonly number: number;
}

const POSE_WEIGHTS = [1, 7.3, 53.1, 389, 2837, 20_717];

export class LegPlanner {
  readonly surroundings: Surroundings;
  private readonly budget: Budget;
  private readonly legs = new Map<string, Leg>();
  private readonly moves = new Map<Leg, PlannedMove>();
  private readonly numbers = new Map<Target, number>();
  /** Poses by a weighted sum of their joints, which equal ones share. */
  private readonly poses = new Map<number, readonly NumberedPose[]>();
  private poseCount = 0;

  private readonly played: boolean;

  /** `played`: the moves are wanted too, so that their teach timing counts as work. */
  constructor(surroundings: Surroundings, budget: Budget, played: boolean) {
    this.surroundings = surroundings;
    this.budget = budget;
    this.played = played;
  }

  /** Number of a pose: equal for equal joint angles, whichever waypoint names them. */
  poseNumber(target: Target): number {
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

  /** The leg, planned at the automatic cap; null once the budget is spent. */
  plan(request: LegRequest): Leg | null {
    if (request.target.problem) return { kind: 'impossible', problem: request.target.problem };
    const key = this.keyOf(request);
    let leg = this.legs.get(key) ?? null;
    if (!leg) {
      const cost = COSTS[request.motion.kind];
      if (!this.budget.spend(this.played ? 2 * cost : cost)) return null;
      leg = planLeg(request, this.surroundings, limits.speed_automatic_m_per_s);
      this.legs.set(key, leg);
    }
    return leg;
  }

  /** The leg as the robot plays it, with the timing of a teach run; null for a faulty leg. */
  move({ motion }: LegRequest, leg: Leg): PlannedMove | null {
    if (!this.played || leg.kind === 'impossible' || leg.segment.problem) return null;
    let move = this.moves.get(leg);
    if (!move) {
      const { path, profile } = leg.segment;
      const { tool_speed_m_s } = motion;
      move = { path, automatic: profile, teach: this.teach(leg.segment, motion), tool_speed_m_s };
      this.moves.set(leg, move);
    }
    return move;
  }

  /** What a person should know about a leg that can be made; the moves must have been asked for. */
  warnings({ motion }: LegRequest, leg: Leg): readonly MotionProblem[] {
    if (leg.kind === 'impossible') return [];
    const { warnings } = leg.segment;
    const teach_s = this.moves.get(leg)?.teach.duration_s ?? 0;
    if (motion.time_s === null || teach_s <= motion.time_s + SLACK_S) return warnings;
    return [...warnings, slowerInTeach(motion.time_s, teach_s)];
  }

  private teach(segment: Segment, motion: Motion): TimeProfile {
    const cap_m_s = limits.speed_teach_m_per_s;
    const slow = motion.time_s === null && motion.tool_speed_m_s <= cap_m_s;
    if (slow) return segment.profile;
    return retime(segment, capsOf(motion, cap_m_s, this.surroundings.tool)).profile;
  }

  private keyOf({ start, target, via, motion }: LegRequest): string {
    const way = [start, ...via, target].map((place) => this.poseNumber(place)).join('>');
    return `${motion.kind} ${motion.time_s ?? ''} ${motion.tool_speed_m_s} ${way}`;
  }
}
