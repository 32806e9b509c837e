/**
 * Builds a toolpath: from a checked toolpath in the wire format to the program that the robot
 * plays and the trajectory of replies. A soft error is a motion that cannot be made; a hard error
 * is a toolpath without any timeline. §2.2, §2.3; D16, D21 to D24.
 */

import type { MotionError } from '../../contract/motion-errors.ts';
import { failure, type Result, success } from '../../contract/result.ts';
import type { Toolpath, Trajectory } from '../../contract/types.generated.ts';
import type { ArmRange } from '../arm/arm-range.ts';
import { checkPose } from '../collision/pose-check.ts';
import { createFrames, forward } from '../kinematics/forward.ts';
import { boundaryProblem } from '../motion/motion-problem.ts';
import type { MotionTiming } from '../motion/motion-timing.ts';
import type { BuildFault } from './build-fault.ts';
import type { BuildFailure, LoweredToolpath } from './ir.ts';
import { lowerToolpath } from './lowering.ts';
import { createPlanningScene, type PlanningScene } from './planning-scene.ts';
import type { Program } from './program.ts';
import { SegmentPlanner } from './segment-planner.ts';
import { buildStepGraph, type StepGraph } from './step-graph.ts';
import {
  findUncalledRoutineFaults,
  type WrittenTrajectory,
  writeTrajectory,
} from './trajectory-writer.ts';
import { DEFAULT_WORK_BUDGET, WorkBudget } from './work-budget.ts';

/** Outputs of a build and its work budget. */
export interface BuildOptions {
  /** Builds the program that a robot plays, with its teach timings. */
  readonly program: boolean;
  /** Builds the trajectory of replies. */
  readonly trajectory: boolean;
  /** Work units; see plan-segment.ts. */
  readonly budget?: number;
  /** Timing of the arm's planner; null or absent: that of the model. */
  readonly timing?: MotionTiming | null;
  /** Range of the arm's joints; null or absent: that of the model. */
  readonly range?: ArmRange | null;
}

export type BuildResult =
  | {
      readonly kind: 'built';
      readonly program: Program | null;
      readonly trajectory: Trajectory | null;
      /** Warnings about motions that can be made. */
      readonly warnings: readonly BuildFault[];
    }
  | {
      readonly kind: 'soft' | 'hard';
      /** A message that names the action, the problem and a remedy. */
      readonly error: string;
      readonly code: MotionError;
      /** JSON pointer of the action. */
      readonly path: string;
      readonly trajectory: Trajectory | null;
    };

/** All results of a compilation, before they are formatted for one reader. */
export interface CompiledToolpath {
  readonly lowered: LoweredToolpath;
  readonly planner: SegmentPlanner;
  readonly graph: StepGraph;
  readonly trajectory: WrittenTrajectory | null;
  /** All motions that cannot be made, in document order. */
  readonly faults: readonly BuildFault[];
}

interface CompileFailure {
  readonly cause: BuildFailure;
  readonly code: MotionError;
}

/**
 * Compiles a toolpath that has passed schema and toolpath check; the preview uses the whole result.
 */
export function compileToolpath(
  toolpath: Toolpath,
  options: BuildOptions,
): Result<CompiledToolpath, CompileFailure> {
  const budget = new WorkBudget(options.budget ?? DEFAULT_WORK_BUDGET);
  const { timing, range } = options;
  const planningScene = createPlanningScene({ ...toolpath.metadata, timing, range });
  const lowering = lowerToolpath(toolpath, planningScene);
  if (!lowering.ok) return failure({ cause: lowering.error, code: 'generation_error' });
  const lowered = lowering.value;
  const planner = new SegmentPlanner(planningScene, budget, options.program);
  const graph = buildStepGraph(lowered, planner, budget);
  if (graph.failure) return failure({ cause: graph.failure, code: 'generation_error' });
  const written = options.trajectory ? writeTrajectory(lowered, planner, budget) : null;
  const checked = written ?? findUncalledRoutineFaults(lowered, planner, budget);
  if (checked.failure) return failure({ cause: checked.failure, code: 'result_generation_error' });
  const home = homeFault(lowered, planningScene);
  const faults = [...(home ? [home] : []), ...graph.faults, ...checked.faults];
  // Stable sort: of two faults at one position, the one found first stays first.
  faults.sort((a, b) => a.order - b.order);
  return success({ lowered, planner, graph, trajectory: written, faults });
}

/**
 * Builds a toolpath that has passed schema and toolpath check. Deterministic: equal toolpaths give
 * equal bits on every machine, because `budget` counts work instead of time.
 */
export function buildToolpath(toolpath: Toolpath, options: BuildOptions): BuildResult {
  const compiled = compileToolpath(toolpath, options);
  if (!compiled.ok) return hardError(compiled.error.cause, compiled.error.code, options);
  const { lowered, graph, trajectory: written, faults } = compiled.value;
  const fault = faults[0];
  if (fault) return softError(fault, written);
  return {
    kind: 'built',
    program: options.program ? programOf(toolpath, lowered, graph) : null,
    trajectory: written && trajectoryOf(written, { duration: written.duration_s }),
    warnings: graph.warnings,
  };
}

function hardError(cause: BuildFailure, code: MotionError, options: BuildOptions): BuildResult {
  const error = `The toolpath cannot be built: ${cause.path} ${cause.message} (${code}).`;
  const trajectory = options.trajectory ? { error } : null;
  return { kind: 'hard', error, code, path: cause.path, trajectory };
}

function softError(fault: BuildFault, written: WrittenTrajectory | null): BuildResult {
  const { code, path } = fault;
  const error = `The motion of ${path} cannot be made: ${fault.message} (${code})`;
  return {
    kind: 'soft',
    error,
    code,
    path,
    trajectory: written && trajectoryOf(written, { error }),
  };
}

function trajectoryOf(
  { timeline, routines }: WrittenTrajectory,
  outcome: { readonly duration: number } | { readonly error: string },
): Trajectory {
  return { ...outcome, timeline, ...(routines.length > 0 ? { routines } : {}) };
}

/** Checks the home waypoint: every run starts there, so it must be valid and free. */
function homeFault(
  { home, home_path: path }: LoweredToolpath,
  planningScene: PlanningScene,
): BuildFault | null {
  const boundary = boundaryProblem(home.joints, planningScene.range);
  if (boundary) return { code: boundary.code, message: boundary.message, path, order: -1 };
  const frames = createFrames();
  forward(home.joints, frames);
  const hit = checkPose(planningScene.scene, frames);
  return hit && { code: hit.code, message: hit.message, path, order: -1 };
}

function programOf({ metadata }: Toolpath, lowered: LoweredToolpath, graph: StepGraph): Program {
  const { x, y, z } = metadata.tcp_config?.offsets ?? { x: 0, y: 0, z: 0 };
  const onError = metadata.output_on_error;
  return {
    home: lowered.home.joints,
    steps: graph.steps,
    first: graph.first,
    payload_kg: metadata.payload,
    tool_offset_m: [x, y, z],
    analog_modes: metadata.analog_modes,
    output_on_error: onError ? { io: onError.io, value: onError.value } : null,
    default_tool_speed_m_s: metadata.default_max_speed,
  };
}
