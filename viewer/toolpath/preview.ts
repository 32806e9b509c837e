/**
 * Preview of a toolpath: every error and warning of the build with its position, and one path at a
 * time on a time axis. Inputs are unknown here, so the user chooses the branches.
 */
import type { MotionError } from '../../contract/motion-errors.ts';
import { failure, type Result, success } from '../../contract/result.ts';
import type { Joints, Toolpath } from '../../contract/types.generated.ts';
import { checkPose } from '../../physics/collision/pose-check.ts';
import { createFrames, forward } from '../../physics/kinematics/forward.ts';
import { timingOf } from '../../physics/motion/arm-profile.ts';
import { type CompiledToolpath, compileToolpath } from '../../physics/toolpath/build.ts';
import type { BuildFault } from '../../physics/toolpath/build-fault.ts';
import { hitDepth_m } from '../collision/proximity.ts';
import { branchTrials, choicesThrough, type Parents, parentsOf } from './branch-choices.ts';
import type { BuiltArm } from './build-messages.ts';
import type { Deepest, Finding } from './finding.ts';
import { buildSegments } from './path-builder.ts';
import { samplePathSegments, toolTipAt } from './path-samples.ts';
import {
  type BranchChoices,
  createTrajectoryPoint,
  sampleSegment,
  type TimedPath,
  type TimedSegment,
} from './timed-path.ts';

/** Reason why there is no preview: the build exceeds the work budget or does not end. */
export interface PreviewFailure {
  readonly code: MotionError;
  readonly at: string;
  readonly message: string;
}

const trajectoryPoint = createTrajectoryPoint();
/** Samples between the start of a collision and the end of its segment. */
const DEPTH_SAMPLES = 200;
const depthFrames = createFrames();

/** What a toolpath will do: its findings, and the path of each choice of branches. */
export class Preview {
  readonly findings: readonly Finding[];
  private readonly compiled: CompiledToolpath;
  private readonly parents: Parents;

  constructor(compiled: CompiledToolpath) {
    this.compiled = compiled;
    this.parents = parentsOf(compiled.lowered);
    const warnings = compiled.graph.warnings.map((one) => this.place(one, 'warning'));
    this.findings = [...this.distinct().map((one) => this.place(one, 'error')), ...warnings];
  }

  /** The path that takes the chosen branches. */
  path(choices: BranchChoices): TimedPath {
    const walk = buildSegments(this.compiled, this.parents, choices);
    return { choices, ...walk, samples: samplePathSegments(walk.segments, this.tool()) };
  }

  /** The deepest point of a collision; null for another finding. */
  deepest(finding: Finding): Deepest | null {
    const { segments } = buildSegments(this.compiled, this.parents, finding.choices);
    const own = segments.filter(({ at }) => at === finding.at);
    const segment = own.find(({ problem }) => problem?.code === finding.code);
    if (!segment?.problem) return null;
    const { scene } = this.compiled.planner.planningScene;
    let found: Deepest | null = null;
    for (let i = 0; i <= DEPTH_SAMPLES; i++) {
      const from_s = segment.problem.from_s;
      const time_s = from_s + (i / DEPTH_SAMPLES) * (segment.duration_s - from_s);
      sampleSegment(segment, time_s, trajectoryPoint);
      forward(trajectoryPoint.joints, depthFrames);
      const hit = checkPose(scene, depthFrames);
      const depth_m = hit ? hitDepth_m(scene, hit, { frames: depthFrames, tool: this.tool() }) : 0;
      if (!hit || depth_m <= (found?.depth_m ?? 0)) continue;
      const [a, b, c, d, e, f] = trajectoryPoint.joints;
      const joints: Joints = [a!, b!, c!, d!, e!, f!];
      const tip_m = toolTipAt(joints, this.tool());
      found = { at_s: segment.start_s + time_s, depth_m, a: hit.a, b: hit.b, joints, tip_m };
    }
    return found;
  }

  private tool() {
    return this.compiled.planner.planningScene.tool;
  }

  /** Faults without duplicates; graph and trajectory may report the same one. */
  private distinct(): BuildFault[] {
    const known = new Map(
      this.compiled.faults.map((fault) => [`${fault.path} ${fault.code}`, fault]),
    );
    return [...known.values()];
  }

  /** A finding with the branch choices that lead to it and its position. */
  private place({ code, message, path: at }: BuildFault, kind: Finding['kind']): Finding {
    const finding = { kind, code, message, at };
    const found = this.passage(at, (segment) => kind === 'warning' || fitsFault(segment, code));
    if (!found) {
      const choices = choicesThrough(this.compiled.lowered, at);
      const { home } = this.compiled.lowered;
      const tip_m = choices && toolTipAt(home.joints, this.tool());
      return { ...finding, choices: choices ?? {}, tip_m };
    }
    const { segment, choices } = found;
    sampleSegment(segment, segment.problem?.from_s ?? segment.duration_s / 2, trajectoryPoint);
    return { ...finding, choices, tip_m: toolTipAt(trajectoryPoint.joints, this.tool()) };
  }

  /** The first segment of an action that satisfies `fits`, over all paths that may lead to it. */
  private passage(
    at: string,
    fits: (segment: TimedSegment) => boolean,
  ): { segment: TimedSegment; choices: BranchChoices } | null {
    for (const choices of branchTrials(this.compiled.lowered, at)) {
      const { segments } = buildSegments(this.compiled, this.parents, choices);
      const segment = segments.find((one) => one.at === at && fits(one));
      if (segment) return { segment, choices };
    }
    return null;
  }
}

function fitsFault(segment: TimedSegment, code: MotionError): boolean {
  return segment.problem?.code === code;
}

/**
 * Builds the preview of a toolpath that has passed schema and rules, with timing and range of the
 * arm or of the model.
 */
export function previewToolpath(
  toolpath: Toolpath,
  { profile = null, jointRange: range = null }: BuiltArm = {},
): Result<Preview, PreviewFailure> {
  const timing = profile && timingOf(profile);
  const compiled = compileToolpath(toolpath, { program: true, trajectory: false, timing, range });
  if (compiled.ok) return success(new Preview(compiled.value));
  const { cause, code } = compiled.error;
  return failure({ code, at: cause.path, message: `It ${cause.message}.` });
}
