/**
 * Toolpath check, rules of calls and routines: names, existence, recursion, and the number of
 * actions, written and unrolled. §2.2, D18; caps in limits.ts. Also: the walk over all actions that
 * every rule of the check uses.
 */

import { limits } from '../../contract/limits.ts';
import type { Problem } from '../../contract/refusal.ts';
import type { Action, Timeline, Toolpath } from '../../contract/types.ts';

/**
 * Visits every action of a toolpath with its position, so that each rule of the check is a small
 * function over one action; also builds the JSON pointers. §2.2.
 */

export type ActionOf<Type extends Action['type']> = Extract<Action, { readonly type: Type }>;

/** Position of an action. */
export interface ActionPlace {
  /** JSON pointer of the action. */
  readonly path: string;
  /** Index in its timeline. */
  readonly index: number;
  /** Container of the timeline. */
  readonly holder: 'root' | 'routine' | 'grid' | 'branch';
  /** True for the last action of its timeline. */
  readonly last: boolean;
  /** True inside a grid of the same root timeline or routine. */
  readonly inGrid: boolean;
  /** Number of the containing routine, or -1 in the root timeline. */
  readonly routine: number;
}

export type ActionVisitor = (action: Action, position: ActionPlace) => void;

interface TimelinePlace {
  readonly path: string;
  readonly holder: ActionPlace['holder'];
  readonly inGrid: boolean;
  readonly routine: number;
}

function walkTimeline(timeline: Timeline, parent: TimelinePlace, visit: ActionVisitor): void {
  timeline.forEach((action, index) => {
    const path = `${parent.path}/${index}`;
    const last = index === timeline.length - 1;
    visit(action, { ...parent, path, index, last });
    if (action.type === 'grid') {
      const inner = { ...parent, path: `${path}/timeline`, inGrid: true };
      walkTimeline(action.timeline, { ...inner, holder: 'grid' }, visit);
    }
    if (action.type === 'if') {
      action.branches.forEach((branch, i) => {
        const inner = { ...parent, path: `${path}/branches/${i}/timeline` };
        walkTimeline(branch.timeline, { ...inner, holder: 'branch' }, visit);
      });
    }
  });
}

/** Visits every action once, in document order: the root timeline, then each routine. */
export function walkActions(toolpath: Toolpath, visit: ActionVisitor): void {
  const root = { path: '/timeline', holder: 'root', inGrid: false, routine: -1 } as const;
  walkTimeline(toolpath.timeline, root, visit);
  toolpath.routines?.forEach((routine, i) => {
    const path = `/routines/${i}/timeline`;
    walkTimeline(routine.timeline, { path, holder: 'routine', inGrid: false, routine: i }, visit);
  });
}

/** The timelines directly inside an action. */
export function innerTimelines(action: Action): readonly Timeline[] {
  if (action.type === 'grid') return [action.timeline];
  return action.type === 'if' ? action.branches.map((branch) => branch.timeline) : [];
}

/** Name of the called routine; `routine` and `name` mean the same (D18). */
export function calledName(action: ActionOf<'call-routine'>): string {
  return action.routine ?? action.name ?? '';
}

/** One call of a routine. */
interface Call {
  /** Pointer of the field that names the routine. */
  readonly path: string;
  /** Number of the calling routine, or -1 for the root timeline. */
  readonly from: number;
  readonly name: string;
  /** Number of the called routine, or -1 when none has that name. */
  readonly to: number;
}

/** Call graph of the routines, by number. */
export interface CallGraph {
  readonly calls: readonly Call[];
  readonly numbers: ReadonlyMap<string, number>;
  /** Calls that lead back to their own routine. */
  readonly recursive: readonly Call[];
}

/** All calls of a toolpath. A duplicate name refers to the first routine of that name. */
export function callGraph(toolpath: Toolpath): CallGraph {
  const numbers = new Map<string, number>();
  const routines = toolpath.routines ?? [];
  routines.forEach((routine, i) => {
    if (!numbers.has(routine.name)) numbers.set(routine.name, i);
  });
  const calls: Call[] = [];
  walkActions(toolpath, (action, position) => {
    if (action.type !== 'call-routine') return;
    const name = calledName(action);
    const field = action.routine === undefined ? 'name' : 'routine';
    const path = `${position.path}/${field}`;
    calls.push({ path, from: position.routine, name, to: numbers.get(name) ?? -1 });
  });
  return { calls, numbers, recursive: recursiveCalls(calls, routines.length) };
}

/** Calls within one strongly connected group of routines. */
function recursiveCalls(calls: readonly Call[], count: number): Call[] {
  const group = stronglyConnected(calls, count);
  return calls.filter((call) => {
    if (call.from < 0 || call.to < 0) return false;
    return call.from === call.to || group[call.from] === group[call.to];
  });
}

/**
 * Finishing order of a depth-first walk along the edges, with an explicit stack because chains may
 * be long.
 */
function finishingOrder(edges: readonly (readonly number[])[]): number[] {
  const order: number[] = [];
  const state = new Int32Array(edges.length).fill(-1);
  for (let root = 0; root < edges.length; root++) {
    if (state[root]! >= 0) continue;
    const stack = [root];
    state[root] = 0;
    while (stack.length > 0) {
      const node = stack[stack.length - 1]!;
      const next = edges[node]![state[node]!];
      if (next === undefined) {
        order.push(node);
        stack.pop();
      } else {
        state[node]!++;
        if (state[next]! < 0) {
          state[next] = 0;
          stack.push(next);
        }
      }
    }
  }
  return order;
}

/**
 * Strongly connected components (Kosaraju): one forward walk, then one backward walk in reverse
 * finishing order.
 */
function stronglyConnected(calls: readonly Call[], count: number): Int32Array {
  const forwards: number[][] = Array.from({ length: count }, () => []);
  const backwards: number[][] = Array.from({ length: count }, () => []);
  for (const { from, to } of calls) {
    if (from < 0 || to < 0) continue;
    forwards[from]!.push(to);
    backwards[to]!.push(from);
  }
  const group = new Int32Array(count).fill(-1);
  for (const root of finishingOrder(forwards).reverse()) {
    const open = group[root]! < 0 ? [root] : [];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (group[node]! >= 0) continue;
      group[node] = root;
      open.push(...backwards[node]!);
    }
  }
  return group;
}

/** Callers before callees; meaningful only without recursion. */
export function callersFirst(graph: CallGraph, count: number): number[] {
  const edges: number[][] = Array.from({ length: count }, () => []);
  for (const { from, to } of graph.calls) if (from >= 0 && to >= 0) edges[from]!.push(to);
  return finishingOrder(edges).reverse();
}

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
