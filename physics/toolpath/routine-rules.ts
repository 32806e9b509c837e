/**
 * Toolpath check, rules of calls and routines: names, existence, recursion, and the number of
 * actions, written and unrolled. §2.2, D18; caps in limits.ts.
 */

import { limits } from '../../contract/limits.ts';
import type { Problem } from '../../contract/problem.ts';
import type { Action, Timeline, Toolpath } from '../../contract/types.generated.ts';
import { calledName, innerTimelines, walkActions } from './action-walk.ts';
import type { CallGraph } from './call-graph.ts';

function nameProblems(toolpath: Toolpath, graph: CallGraph): Problem[] {
  const problems: Problem[] = [];
  toolpath.routines?.forEach((routine, i) => {
    const first = graph.numbers.get(routine.name)!;
    if (first === i) return;
    const problem = `must be unique: '${routine.name}' is also the name at /routines/${first}/name`;
    problems.push({ path: `/routines/${i}/name`, problem });
  });
  return problems;
}

function callProblems(graph: CallGraph): Problem[] {
  const missing = graph.calls.filter((call) => call.to < 0);
  return [
    ...missing.map(({ path, name }) => ({
      path,
      problem: `names the routine '${name}', which does not exist in routines`,
    })),
    ...graph.recursive.map(({ path, name }) => ({
      path,
      problem: `calls '${name}', which leads back to this routine: routines cannot recurse`,
    })),
  ];
}

/** Counts the actions of a build: each cell and each call separately. */
class UnrolledCount {
  private readonly toolpath: Toolpath;
  private readonly graph: CallGraph;
  private readonly known = new Map<number, number>();

  constructor(toolpath: Toolpath, graph: CallGraph) {
    this.toolpath = toolpath;
    this.graph = graph;
  }

  timeline(timeline: Timeline): number {
    return timeline.reduce((sum, action) => sum + this.action(action), 0);
  }

  private action(action: Action): number {
    if (action.type === 'home') return 0;
    if (action.type === 'grid')
      return 1 + action.cols * action.rows * this.timeline(action.timeline);
    if (action.type === 'call-routine') return 1 + this.routine(calledName(action));
    return innerTimelines(action).reduce((sum, inner) => sum + this.timeline(inner), 1);
  }

  private routine(name: string): number {
    const number = this.graph.numbers.get(name);
    if (number === undefined) return 0;
    let count = this.known.get(number);
    if (count === undefined) {
      count = this.timeline(this.toolpath.routines![number]!.timeline);
      this.known.set(number, count);
    }
    return count;
  }
}

function countProblems(toolpath: Toolpath, graph: CallGraph): Problem[] {
  let written = 0;
  walkActions(toolpath, () => {
    written++;
  });
  if (written > limits.timeline_actions) {
    const most = `must have at most ${limits.timeline_actions} actions`;
    const problem = `${most}, but has ${written} with inner ones and routines counted`;
    return [{ path: '/timeline', problem }];
  }
  if (graph.recursive.length > 0) return [];
  const unrolled = new UnrolledCount(toolpath, graph).timeline(toolpath.timeline);
  if (unrolled <= limits.routine_expansion_actions) return [];
  const most = `must have at most ${limits.routine_expansion_actions} actions`;
  const problem = `${most}, but has ${unrolled} with grids and routines unrolled`;
  return [{ path: '/timeline', problem }];
}

/** The problems of routines, their calls and the count of actions. */
export function routineProblems(toolpath: Toolpath, graph: CallGraph): Problem[] {
  return [
    ...nameProblems(toolpath, graph),
    ...callProblems(graph),
    ...countProblems(toolpath, graph),
  ];
}
