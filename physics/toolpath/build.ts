/**
 * Builds a toolpath: from a checked object of the wire to the program that the robot plays and the
 * trajectory that replies carry. A soft error is a motion that cannot be made, a hard one a
 * toolpath of which no timeline could be made at all. Spec §2.2, §2.3; decisions D16, D21 to D24.
 */
import type { MotionError } from '../../contract/motion-errors.ts';
import { failure, type Result, success } from '../../contract/result.ts';
import type { Toolpath, Trajectory } from '../../contract/types.ts';
import { checkPose } from '../collision/pose-check.ts';
import { createFrames, forward } from '../kinematics/forward.ts';
import { boundaryProblem } from '../motion/segment.ts';
import { Budget, DEFAULT_BUDGET } from './budget.ts';
import type { Fault } from './fault.ts';
import { layOut } from './layout.ts';
import { createSurroundings, type Surroundings } from './leg.ts';
import { LegPlanner } from './leg-planner.ts';
import type { BuildFailure, Layout } from './nodes.ts';
import type { Program } from './program.ts';
import { type Listing, listTrajectory, uncalledFaults } from './reply.ts';
import { graphSteps, type StepGraph } from './step-graph.ts';

/** What to make, and how much work it may take. */
export interface BuildOptions {
  /** Make the program that a robot plays, with its teach timings. */
  readonly program: boolean;
  /** Make the trajectory of replies. */
  readonly trajectory: boolean;
  /** Work units; see budget.ts. */
  readonly budget?: number;
}

export type BuildResult =
  | {
      readonly kind: 'built';
      readonly program: Program | null;
      readonly trajectory: Trajectory | null;
      /** What a person should know of motions that can be made. */
      readonly warnings: readonly Fault[];
    }
  | {
      readonly kind: 'soft' | 'hard';
      /** A sentence that names the action, the problem and what can be done. */
      readonly error: string;
      readonly code: MotionError;
      /** JSON pointer of the action. */
      readonly path: string;
      readonly trajectory: Trajectory | null;
    };

/** Everything that building finds out, before it is put into words for one reader. */
export interface Survey {
  readonly layout: Layout;
  readonly planner: LegPlanner;
  readonly graph: StepGraph;
  readonly listing: Listing | null;
  /** All motions that cannot be made, in the order of the toolpath. */
  readonly faults: readonly Fault[];
}

interface SurveyFailure {
  readonly why: BuildFailure;
  readonly code: MotionError;
}

/** Builds a toolpath that has passed schema and toolpath check; the preview reads all of it. */
export function surveyToolpath(
  toolpath: Toolpath,
  options: BuildOptions,
): Result<Survey, SurveyFailure> {
  const budget = new Budget(options.budget ?? DEFAULT_BUDGET);
  const surroundings = createSurroundings(toolpath.metadata);
  const laid = layOut(toolpath, surroundings.tool);
  if (!laid.ok) return failure({ why: laid.error, code: 'generation_error' });
  const layout = laid.value;
  const planner = new LegPlanner(surroundings, budget, options.program);
  const graph = graphSteps(layout, planner, budget);
  if (graph.failure) return failure({ why: graph.failure, code: 'generation_error' });
  const listing = options.trajectory ? listTrajectory(layout, planner, budget) : null;
  const walked = listing ?? uncalledFaults(layout, planner, budget);
  if (walked.failure) return failure({ why: walked.failure, code: 'result_generation_error' });
  const home = homeFault(layout, surroundings);
  const faults = [...(home ? [home] : []), ...graph.faults, ...walked.faults];
  // A stable sort: of two faults in one place, the one found first stays first.
  faults.sort((a, b) => a.order - b.order);
  return success({ layout, planner, graph, listing, faults });
}

/**
 * Builds a toolpath that has passed schema and toolpath check. Deterministic: equal toolpaths give
 * equal bits on every machine, and `budget` counts work and not time.
 */
export function buildToolpath(toolpath: Toolpath, options: BuildOptions): BuildResult {
  const survey = surveyToolpath(toolpath, options);
  if (!survey.ok) return hardError(survey.error.why, survey.error.code, options);
  const { layout, graph, listing, faults } = survey.value;
  const fault = faults[0];
  if (fault) return softError(fault, listing);
  return {
    kind: 'built',
    program: options.program ? programOf(toolpath, layout, graph) : null,
    trajectory: listing && trajectoryOf(listing, { duration: listing.duration_s }),
    warnings: graph.warnings,
  };
}

function hardError(why: BuildFailure, code: MotionError, options: BuildOptions): BuildResult {
  const error = `The toolpath cannot be built: ${why.path} ${why.message} (${code}).`;
  const trajectory = options.trajectory ? { error } : null;
  return { kind: 'hard', error, code, path: why.path, trajectory };
}

function softError(fault: Fault, listing: Listing | null): BuildResult {
  const { code, path } = fault;
  const error = `The motion of ${path} cannot be made: ${fault.message} (${code})`;
  return {
    kind: 'soft',
    error,
    code,
    path,
    trajectory: listing && trajectoryOf(listing, { error }),
  };
}

function trajectoryOf(
  { timeline, routines }: Listing,
  outcome: { readonly duration: number } | { readonly error: string },
): Trajectory {
  return { ...outcome, timeline, ...(routines.length > 0 ? { routines } : {}) };
}

/** Every run begins at the home waypoint, so it must be a pose the arm may stand at. */
function homeFault({ home, home_at: path }: Layout, surroundings: Surroundings): Fault | null {
  const boundary = boundaryProblem(home.joints);
  if (boundary) return { code: boundary.code, message: boundary.message, path, order: -1 };
  const frames = createFrames();
  forward(home.joints, frames);
  const hit = checkPose(surroundings.scene, frames);
  return hit && { code: hit.code, message: hit.message, path, order: -1 };
}

function programOf({ metadata }: Toolpath, layout: Layout, graph: StepGraph): Program {
  const { x, y, z } = metadata.tcp_config?.offsets ?? { x: 0, y: 0, z: 0 };
  const onError = metadata.output_on_error;
  return {
    home: layout.home.joints,
    steps: graph.steps,
    first: graph.first,
    payload_kg: metadata.payload,
    tool_offset_m: [x, y, z],
    analog_modes: metadata.analog_modes,
    output_on_error: onError ? { io: onError.io, value: onError.value } : null,
    default_tool_speed_m_s: metadata.default_max_speed,
  };
}
