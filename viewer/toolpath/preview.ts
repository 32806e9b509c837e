/**
 * Preview of a toolpath: every error and warning of the build with its position, and one path at a
 * time on a time axis. Inputs are unknown here, so the user chooses the branches.
 */
import type { MotionError } from '../../contract/motion-errors.ts';
import { failure, type Result, success } from '../../contract/result.ts';
import type { Cell, Joints, Toolpath } from '../../contract/types.generated.ts';
import { compileCell } from '../../physics/cell/cell-model.ts';
import { type CellCheck, checkInCell } from '../../physics/cell/clearance/cell-check.ts';
import { type CellFinding, findingText } from '../../physics/cell/clearance/cell-finding.ts';
import { checkedAgainst } from '../../physics/cell/clearance/checked-against.ts';
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
  /** What the motions were checked against; empty where they cannot be made. */
  readonly checkedAgainst: readonly string[];
  private readonly compiled: CompiledToolpath;
  private readonly parents: Parents;

  constructor(
    compiled: CompiledToolpath,
    { metadata }: Pick<Toolpath, 'metadata'>,
    cell: Cell | null,
  ) {
    this.compiled = compiled;
    this.parents = parentsOf(compiled.lowered);
    const warnings = compiled.graph.warnings.map((one) => this.place(one, 'warning'));
    const faults = this.distinct().map((one) => this.place(one, 'error'));
    const isMade = faults.length === 0;
    const check = isMade && cell ? checkCell(compiled, metadata, cell) : null;
    const hits = (check?.findings ?? []).map((one) => this.placeHit(one));
    this.findings = [...faults, ...hits, ...warnings];
    this.checkedAgainst = isMade ? checkedAgainst({ metadata }, check, 'none is known') : [];
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

  /** What a part of the arm comes too near to in the cell, as a finding. */
  private placeHit(hit: CellFinding): Finding {
    const { at, cell, into_s, place_m } = hit;
    // Its time is one of the walk through all branches; the timeline has the one of its path.
    const message = findingText(hit, '');
    const choices = choicesThrough(this.compiled.lowered, at) ?? {};
    const moment = { cell, into_s };
    const [kind, code] = ['error', 'object_collision'] as const;
    return { kind, code, message, at, choices, moment, tip_m: place_m };
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

/** Checks the steps of a toolpath without faults against a cell. */
function checkCell(
  { lowered, graph }: CompiledToolpath,
  { tcp_config }: Toolpath['metadata'],
  cell: Cell,
): CellCheck {
  const { steps, first } = graph;
  return checkInCell({ home: lowered.home.joints, steps, first }, compileCell(cell), tcp_config);
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
  { profile = null, jointRange: range = null, cell = null }: BuiltArm = {},
): Result<Preview, PreviewFailure> {
  const timing = profile && timingOf(profile);
  const compiled = compileToolpath(toolpath, { program: true, trajectory: false, timing, range });
  if (compiled.ok) return success(new Preview(compiled.value, toolpath, cell));
  const { cause, code } = compiled.error;
  return failure({ code, at: cause.path, message: `It ${cause.message}.` });
}
