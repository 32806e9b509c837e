/**
 * Toolpath check, rules of the start position: exactly one home, in the root timeline, before any
 * motion. §2.2; D22.
 */

import type { Problem } from '../../contract/problem.ts';
import type { Action, Toolpath } from '../../contract/types.generated.ts';
import { calledName, innerTimelines } from './action-walk.ts';
import type { CallGraph } from './call-graph.ts';

/** Determines whether an action can move the arm; caches the answer for each routine. */
class MotionFinder {
  private readonly toolpath: Toolpath;
  private readonly graph: CallGraph;
  private readonly known = new Map<number, boolean>();

  constructor(toolpath: Toolpath, graph: CallGraph) {
    this.toolpath = toolpath;
    this.graph = graph;
  }

  moves(action: Action): boolean {
    if (action.type === 'trajectory' || action.type === 'grid-waypoint') return true;
    if (action.type === 'call-routine') return this.routineMoves(calledName(action));
    return innerTimelines(action).some((inner) => inner.some((each) => this.moves(each)));
  }

  private routineMoves(name: string): boolean {
    const number = this.graph.numbers.get(name);
    if (number === undefined) return false;
    const known = this.known.get(number);
    if (known !== undefined) return known;
    this.known.set(number, false);
    const { timeline } = this.toolpath.routines![number]!;
    const found = timeline.some((each) => this.moves(each));
    this.known.set(number, found);
    return found;
  }
}

/** The problems of the home action in the root timeline. */
export function homeProblems(toolpath: Toolpath, graph: CallGraph): Problem[] {
  const { timeline } = toolpath;
  const homes = timeline.flatMap((action, i) => (action.type === 'home' ? [i] : []));
  const [first, ...others] = homes;
  if (first === undefined) {
    return [{ path: '/timeline', problem: 'must have a home action, before any trajectory' }];
  }
  const problems = others.map((i) => ({
    path: `/timeline/${i}`,
    problem: `must not be a second home: the first is /timeline/${first}`,
  }));
  const motions = new MotionFinder(toolpath, graph);
  const moving = timeline.findIndex((action) => motions.moves(action));
  if (moving >= 0 && moving < first) {
    const problem = `must come before any trajectory; the first is at /timeline/${moving}`;
    problems.unshift({ path: `/timeline/${first}`, problem });
  }
  return problems;
}
