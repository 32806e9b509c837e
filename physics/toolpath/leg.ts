/**
 * One motion of a toolpath or of a call: planned, checked against limits and everything it could
 * meet, with the earliest problem on its path. Builds, go_to and approaches all plan through here,
 * so that they refuse alike. Spec §2.2, §2.4; decisions D23 to D25.
 */
import { checkPath } from '../collision/path-check.ts';
import { type CollisionScene, createCollisionScene } from '../collision/scene.ts';
import type { AvoidanceZone } from '../collision/zones.ts';
import { createTool, type Tool, type ToolConfiguration } from '../kinematics/tool.ts';
import { planJointMove } from '../motion/joint-move.ts';
import { type LinearMoveRequest, planLinearMove } from '../motion/linear-move.ts';
import {
  boundaryProblem,
  type MotionCaps,
  type MotionProblem,
  type Segment,
} from '../motion/segment.ts';
import { planSplineMove } from '../motion/spline-move.ts';
import type { Motion, Target } from './nodes.ts';

/** What surrounds a motion: the tool it carries and the places it must keep clear of. */
export interface Surroundings {
  readonly tool: Tool;
  readonly scene: CollisionScene;
  readonly payload_kg: number;
}

/** The parts of metadata and of calls that make up surroundings (spec §2.6, §2.7). */
export interface SurroundingsRequest {
  readonly tcp_config?: ToolConfiguration | undefined;
  readonly avoidance_zones?: readonly AvoidanceZone[] | undefined;
  readonly payload?: number | undefined;
}

/** Compiles tool and zones for planning; one thread's scratch space, like the scene in it. */
export function createSurroundings(request: SurroundingsRequest): Surroundings {
  const tool = createTool(request.tcp_config);
  const [x, y, z] = tool.offset_m;
  const offsets = { x: x!, y: y!, z: z! };
  const scene = createCollisionScene({
    tool: { offsets, radius: tool.radius_m },
    zones: request.avoidance_zones ?? [],
  });
  return { tool, scene, payload_kg: request.payload ?? 0 };
}

/** One motion to plan. */
export interface LegRequest {
  readonly start: Target;
  readonly target: Target;
  /** Waypoints to pass through; only a spline visits them (D21). */
  readonly via: readonly Target[];
  readonly motion: Motion;
  /** The arm already stands at the start: it may do so outside its limits, and leave from there. */
  readonly leaving?: boolean;
}

/** A motion with a path, or the reason why none could be laid. */
export type Leg =
  | { readonly kind: 'planned'; readonly segment: Segment }
  | { readonly kind: 'impossible'; readonly problem: MotionProblem };

/** Tool speed and duration that a motion is timed for under a mode's cap (m/s; D24). */
export function capsOf(motion: Motion, cap_m_s: number, tool: Tool): MotionCaps {
  const [x, y, z] = tool.offset_m;
  return {
    tool_speed_m_s: Math.min(motion.tool_speed_m_s, cap_m_s),
    tool_offset_m: [x!, y!, z!],
    ...(motion.time_s === null ? {} : { time_s: motion.time_s }),
  };
}

/** The problem of a motion, or null when it is sound. */
export function problemOf(leg: Leg): MotionProblem | null {
  return leg.kind === 'planned' ? leg.segment.problem : leg.problem;
}

/**
 * Plans one motion under a mode's speed cap (m/s) and checks it: its own limits, then everything
 * it could meet. The problem of the answer is the one that comes first on the path. Deterministic.
 */
export function planLeg(request: LegRequest, surroundings: Surroundings, cap_m_s: number): Leg {
  const { start, target, motion } = request;
  if (target.problem) return { kind: 'impossible', problem: target.problem };
  const caps = capsOf(motion, cap_m_s, surroundings.tool);
  const waypoints = [start.waypoint, target.waypoint];
  const ends = { start: start.joints, end: target.joints, caps, waypoints };
  const leg = layPath(motion.kind, ends, request.via);
  if (leg.kind === 'impossible') return leg;
  const beginning = request.leaving ? null : boundaryProblem(start.joints);
  const problem = beginning ? { ...beginning, s: 0 } : leg.segment.problem;
  return { kind: 'planned', segment: withCollision({ ...leg.segment, problem }, surroundings) };
}

function layPath(kind: Motion['kind'], ends: LinearMoveRequest, via: readonly Target[]): Leg {
  if (kind === 'joint_space') return { kind: 'planned', segment: planJointMove(ends) };
  if (kind === 'linear') return planLinearMove(ends);
  return planSplineMove({ ...ends, through: via.map((place) => place.joints) });
}

/** The segment with a collision as its problem, where that comes before the problem it has. */
function withCollision(segment: Segment, surroundings: Surroundings): Segment {
  const found = checkPath(surroundings.scene, segment.path);
  if (!found || (segment.problem && segment.problem.s <= found.s)) return segment;
  const { code, message } = found.hit;
  return { ...segment, problem: { code, s: found.s, message } };
}
