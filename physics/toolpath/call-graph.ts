/** Which routine calls which, and the calls that recurse. §2.2, D18. */
import type { Toolpath } from '../../contract/types.generated.ts';
import { calledName, walkActions } from './action-walk.ts';

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
