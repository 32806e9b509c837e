/**
 * Preview of a toolpath: every error and warning of the build with its position, and one path at a
 * time on a time axis. Opens a file's text with the same checks as the server, in the same order:
 * parse, migrate, schema, rules, build. §2.1, §4.3.
 * Inputs are unknown here, so the user chooses the branches. Waits for inputs take no time, as in
 * the duration that the API states (D22). Pure; runs in the build worker and in tests.
 */
import type { MotionError } from '../../contract/errors.ts';
import { failure, type Problem, type Result, success } from '../../contract/refusal.ts';
import type { ArmProfile, Joints, Toolpath } from '../../contract/types.ts';
import { checkPose } from '../../physics/collision/collision-check.ts';
import { createFrames, forward } from '../../physics/kinematics/forward.ts';
import { timingOf } from '../../physics/motion/timing-laws.ts';
import { type CompiledToolpath, compileToolpath } from '../../physics/toolpath/build.ts';
import { checkToolpath } from '../../physics/toolpath/check.ts';
import { migrateToolpath } from '../../physics/toolpath/migrate.ts';
import type { BuildFault } from '../../physics/toolpath/plan-segment.ts';
import { hitDepth_m } from '../collision/proximity.ts';
import {
  branchTrials,
  buildSegments,
  choicesThrough,
  type Parents,
  parentsOf,
} from './path-builder.ts';
import type { Deepest } from './remedies.ts';
import { shapeProblems } from './shape-check.ts';
import {
  type BranchChoices,
  createTrajectoryPoint,
  type Finding,
  samplePathSegments,
  sampleSegment,
  type TimedPath,
  type TimedSegment,
  toolTipAt,
} from './timed-path.ts';

export interface OpenToolpath {
  readonly toolpath: Toolpath;
  readonly notes: readonly string[];
  readonly preview: Preview;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parsed(text: string): Result<Record<string, unknown>, readonly Problem[]> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return failure([{ path: '', problem: 'is not JSON' }]);
  }
  if (!isRecord(value)) return failure([{ path: '', problem: 'is not a toolpath object' }]);
  // Files saved from API replies hold the toolpath one level down.
  return success(isRecord(value['toolpath']) && !('timeline' in value) ? value['toolpath'] : value);
}

/** The toolpath in a text, checked and built for an arm, or all its problems. */
export function openToolpath(
  text: string,
  profile?: ArmProfile | null,
): Result<OpenToolpath, readonly Problem[]> {
  const read = parsed(text);
  if (!read.ok) return read;
  const migrated = migrateToolpath(read.value);
  if (!migrated.ok) return migrated;
  const shape = shapeProblems('Toolpath', migrated.value.toolpath);
  if (shape.length > 0) return failure(shape);
  const toolpath = structuredClone(migrated.value.toolpath) as Partial<Toolpath> as Toolpath;
  const problems = checkToolpath(toolpath);
  if (problems.length > 0) return failure(problems);
  const preview = previewToolpath(toolpath, profile);
  if (!preview.ok) {
    const { at, code, message } = preview.error;
    return failure([{ path: at, problem: `${message} (${code})` }]);
  }
  return success({ toolpath, notes: migrated.value.breaking_changes, preview: preview.value });
}

/** Reason why there is no preview: the build exceeds the work budget or does not end. */
export interface PreviewFailure {
  readonly code: MotionError;
  readonly at: string;
  readonly message: string;
}

export interface Preview {
  readonly findings: readonly Finding[];
  /** The path that takes the chosen branches. */
  path(choices: BranchChoices): TimedPath;
  /** The deepest point of a collision; null for another finding. */
  deepest(finding: Finding): Deepest | null;
}

const trajectoryPoint = createTrajectoryPoint();
/** Samples between the start of a collision and the end of its segment. */
const DEPTH_SAMPLES = 200;
const depthFrames = createFrames();

class Previewer implements Preview {
  readonly findings: readonly Finding[];
  private readonly compiled: CompiledToolpath;
  private readonly parents: Parents;

  constructor(compiled: CompiledToolpath) {
    this.compiled = compiled;
    this.parents = parentsOf(compiled.lowered);
    const warnings = compiled.graph.warnings.map((one) => this.place(one, 'warning'));
    this.findings = [...this.distinct().map((one) => this.place(one, 'error')), ...warnings];
  }

  path(choices: BranchChoices): TimedPath {
    const walk = buildSegments(this.compiled, this.parents, choices);
    return { choices, ...walk, samples: samplePathSegments(walk.segments, this.tool()) };
  }

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
 * Builds the preview of a toolpath that has passed schema and rules, with the timing of the profile
 * or of the model.
 */
export function previewToolpath(
  toolpath: Toolpath,
  profile: ArmProfile | null = null,
): Result<Preview, PreviewFailure> {
  const timing = profile && timingOf(profile);
  const compiled = compileToolpath(toolpath, { program: true, trajectory: false, timing });
  if (compiled.ok) return success(new Previewer(compiled.value));
  const { cause, code } = compiled.error;
  return failure({ code, at: cause.path, message: `It ${cause.message}.` });
}
