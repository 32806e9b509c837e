/**
 * Walks a lowered toolpath along the chosen branches and builds the segments on a time axis. Every
 * motion comes from the planner of the build, so that the preview equals the run. Pure.
 */

import type { JointPath } from '../../physics/motion/joint-path.ts';
import { segmentProblem } from '../../physics/motion/segment.ts';
import {
  createProfilePoint,
  sampleProfile,
  type TimeProfile,
} from '../../physics/motion/time-profile.ts';
import type { CompiledToolpath } from '../../physics/toolpath/build.ts';
import { END, type IrNode, type MotionTarget, type MoveNode } from '../../physics/toolpath/ir.ts';
import { enterNode } from '../../physics/toolpath/step-graph.ts';
import { callsAround, type Parents } from './branch-choices.ts';
import type { BranchChoices, SegmentProblem, TimedPath, TimedSegment } from './timed-path.ts';

/** Bisection steps to find the time of a problem on the path. */
const HALVINGS = 40;

const point = createProfilePoint();

/** Time (s) at which a profile reaches `s`. */
function timeOf(profile: TimeProfile, s: number): number {
  let low = 0;
  let high = profile.duration_s;
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (low + high) / 2;
    sampleProfile(profile, middle, point);
    if (point.s < s) low = middle;
    else high = middle;
  }
  return high;
}

function restProfile(duration_s: number): TimeProfile {
  const knots_s = Float64Array.of(0, duration_s);
  return { duration_s, knots_s, coefficients: new Float64Array(4) };
}

function restPath(joints: Float64Array): JointPath {
  return { kind: 'line', start: joints, end: joints };
}

class SegmentBuilder {
  readonly segments: TimedSegment[] = [];
  duration_s = 0;
  private readonly compiled: CompiledToolpath;
  private readonly parents: Parents;
  private readonly choices: BranchChoices;
  private place: MotionTarget;
  private pending: MotionTarget[] = [];

  constructor(compiled: CompiledToolpath, parents: Parents, choices: BranchChoices) {
    this.compiled = compiled;
    this.parents = parents;
    this.choices = choices;
    this.place = compiled.lowered.home;
    const home = { at: compiled.lowered.home_path, cell: [], calls: [] };
    this.rest(home, 'joint_space', { duration_s: 0 });
  }

  walk(): void {
    const { nodes, body } = this.compiled.lowered;
    let at = enterNode(nodes, body[0] ?? END);
    while (at !== END) {
      const node = nodes[at]!;
      const calls = callsAround(this.compiled.lowered, this.parents, at);
      this.meet(node, { at: node.at, cell: node.cell, calls });
      if (node.kind === 'restart') return;
      at = enterNode(nodes, this.after(node));
    }
  }

  private after(node: IrNode): number {
    if (node.kind !== 'if') return node.next;
    const chosen = node.branches[this.choices[node.at] ?? -1];
    return chosen?.body[0] ?? node.next;
  }

  private meet(node: IrNode, about: Pick<TimedSegment, 'at' | 'cell' | 'calls'>): void {
    if (node.kind === 'pass') this.pending = [...this.pending, node.target];
    else if (node.kind === 'move') this.move(node, about);
    else if (node.kind === 'wait') {
      const { condition } = node;
      const duration_s = condition.type === 'time' ? condition.duration : 0;
      this.rest(about, 'wait', { duration_s });
    } else if (node.kind === 'output' || node.kind === 'restart') {
      this.rest(about, node.kind, { duration_s: 0 });
    }
  }

  private move(node: MoveNode, about: Pick<TimedSegment, 'at' | 'cell' | 'calls'>): void {
    const { target, motion } = node;
    const leg = this.compiled.planner.plan({
      start: this.place,
      target,
      via: this.pending,
      motion,
    });
    this.pending = [];
    const problem = leg && segmentProblem(leg);
    if (!leg || leg.kind === 'impossible') {
      this.rest(about, 'blocked', { duration_s: 0, problem: problem && { ...problem, from_s: 0 } });
    } else {
      const { path, profile } = leg.segment;
      const from_s = problem ? timeOf(profile, problem.s) : 0;
      this.add({
        ...about,
        kind: motion.kind,
        path,
        profile,
        problem: problem && { code: problem.code, message: problem.message, from_s },
      });
    }
    if (!target.problem) this.place = target;
  }

  private rest(
    about: Pick<TimedSegment, 'at' | 'cell' | 'calls'>,
    kind: TimedSegment['kind'],
    how: { readonly duration_s: number; readonly problem?: SegmentProblem | null },
  ): void {
    const { duration_s, problem = null } = how;
    const path = restPath(this.place.joints);
    this.add({ ...about, kind, path, profile: restProfile(duration_s), problem });
  }

  private add(segment: Omit<TimedSegment, 'start_s' | 'duration_s'>): void {
    const { duration_s } = segment.profile;
    this.segments.push({ ...segment, start_s: this.duration_s, duration_s });
    this.duration_s += duration_s;
  }
}

/** The segments of the path along `choices`, from the home waypoint to the end of one loop. */
export function buildSegments(
  compiled: CompiledToolpath,
  parents: Parents,
  choices: BranchChoices,
): Pick<TimedPath, 'segments' | 'duration_s'> {
  const builder = new SegmentBuilder(compiled, parents, choices);
  builder.walk();
  return { segments: builder.segments, duration_s: builder.duration_s };
}
