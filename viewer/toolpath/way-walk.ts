/**
 * Walks a laid-out toolpath along the chosen branches and puts what it meets on a time axis. It
 * asks the build's own planner for every motion, so the picture cannot differ from the run.
 */

import type { JointPath } from '../../physics/motion/path.ts';
import {
  createProfilePoint,
  sampleProfile,
  type TimeProfile,
} from '../../physics/motion/time-profile.ts';
import type { Survey } from '../../physics/toolpath/build.ts';
import { problemOf } from '../../physics/toolpath/leg.ts';
import {
  END,
  enterNode,
  type MoveNode,
  type Node,
  type Target,
} from '../../physics/toolpath/nodes.ts';
import { callsAround, type Parents } from './branches.ts';
import type { Choices, Stretch, StretchProblem, Way } from './way.ts';

/** Halvings of the time in which a problem's place on the path is found. */
const HALVINGS = 40;

const point = createProfilePoint();

/** When a profile comes to `s` (s). */
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

class Walker {
  readonly stretches: Stretch[] = [];
  duration_s = 0;
  private readonly survey: Survey;
  private readonly parents: Parents;
  private readonly choices: Choices;
  private place: Target;
  private pending: Target[] = [];

  constructor(survey: Survey, parents: Parents, choices: Choices) {
    this.survey = survey;
    this.parents = parents;
    this.choices = choices;
    this.place = survey.layout.home;
    const home = { at: survey.layout.home_at, cell: [], calls: [] };
    this.rest(home, 'joint_space', { duration_s: 0 });
  }

  walk(): void {
    const { nodes, body } = this.survey.layout;
    let at = enterNode(nodes, body[0] ?? END);
    while (at !== END) {
      const node = nodes[at]!;
      const calls = callsAround(this.survey.layout, this.parents, at);
      this.meet(node, { at: node.at, cell: node.cell, calls });
      if (node.kind === 'restart') return;
      at = enterNode(nodes, this.after(node));
    }
  }

  private after(node: Node): number {
    if (node.kind !== 'if') return node.next;
    const chosen = node.branches[this.choices[node.at] ?? -1];
    return chosen?.body[0] ?? node.next;
  }

  private meet(node: Node, about: Pick<Stretch, 'at' | 'cell' | 'calls'>): void {
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

  private move(node: MoveNode, about: Pick<Stretch, 'at' | 'cell' | 'calls'>): void {
    const { target, motion } = node;
    const leg = this.survey.planner.plan({ start: this.place, target, via: this.pending, motion });
    this.pending = [];
    const problem = leg && problemOf(leg);
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
    about: Pick<Stretch, 'at' | 'cell' | 'calls'>,
    kind: Stretch['kind'],
    how: { readonly duration_s: number; readonly problem?: StretchProblem | null },
  ): void {
    const { duration_s, problem = null } = how;
    const path = restPath(this.place.joints);
    this.add({ ...about, kind, path, profile: restProfile(duration_s), problem });
  }

  private add(stretch: Omit<Stretch, 'start_s' | 'duration_s'>): void {
    const { duration_s } = stretch.profile;
    this.stretches.push({ ...stretch, start_s: this.duration_s, duration_s });
    this.duration_s += duration_s;
  }
}

/** The stretches of the way along `choices`, from the home waypoint to the end of one loop. */
export function walkWay(
  survey: Survey,
  parents: Parents,
  choices: Choices,
): Pick<Way, 'stretches' | 'duration_s'> {
  const walker = new Walker(survey, parents, choices);
  walker.walk();
  return { stretches: walker.stretches, duration_s: walker.duration_s };
}
