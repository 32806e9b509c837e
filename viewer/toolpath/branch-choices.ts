/** The choices of branches that lead to an action of a toolpath. Pure. */
import type { LoweredToolpath, NodeIndex } from '../../physics/toolpath/ir.ts';
import type { BranchChoices } from './timed-path.ts';

/** Index of the node around each node; -1 at the top. */
export type Parents = Int32Array;

/** Computes the parents of all nodes. */
export function parentsOf({ nodes }: LoweredToolpath): Parents {
  const parents = new Int32Array(nodes.length).fill(-1);
  for (const [index, node] of nodes.entries()) {
    const bodies =
      node.kind === 'call'
        ? [node.body]
        : node.kind === 'if'
          ? node.branches.map(({ body }) => body)
          : node.kind === 'grid'
            ? node.iterations
            : [];
    for (const child of bodies.flat()) parents[child] = index;
  }
  return parents;
}

/** Pointers of the calls around a node, outermost first. */
export function callsAround(
  { nodes }: LoweredToolpath,
  parents: Parents,
  index: NodeIndex,
): string[] {
  const calls: string[] = [];
  for (let at = parents[index]!; at >= 0; at = parents[at]!) {
    if (nodes[at]!.kind === 'call') calls.unshift(nodes[at]!.at);
  }
  return calls;
}

/** The branches that contain a pointer. */
function ownChoices(pointer: string): BranchChoices {
  const found: Record<string, number> = {};
  for (const match of pointer.matchAll(/\/branches\/(\d+)\/timeline/g)) {
    found[pointer.slice(0, match.index)] = Number(match[1]);
  }
  return found;
}

/** The choices that lead a run to the action at `pointer`; null for a routine without a call. */
export function choicesThrough(layout: LoweredToolpath, pointer: string): BranchChoices | null {
  let choices = ownChoices(pointer);
  let at = pointer;
  for (let routine = routineOf(at); routine !== null; routine = routineOf(at)) {
    const name = layout.routines[routine]?.name;
    const call = layout.nodes.find((node) => node.kind === 'call' && node.routine === name);
    if (!call) return null;
    at = call.at;
    choices = { ...ownChoices(at), ...choices };
  }
  return choices;
}

function routineOf(pointer: string): number | null {
  const number = pointer.match(/^\/routines\/(\d+)\//)?.[1];
  return number === undefined ? null : Number(number);
}

/** Maximum number of choices tried when locating a fault. */
const TRIALS_MAX = 96;

/**
 * Choices to try for a fault at `pointer`, the likeliest first: those that lead to it, then with
 * one more branch, then with two. A fault may occur only on the path from one branch.
 */
export function* branchTrials(layout: LoweredToolpath, pointer: string): Generator<BranchChoices> {
  const needed = choicesThrough(layout, pointer);
  if (!needed) return;
  const seen = new Set<string>();
  const options: BranchChoices[] = [];
  for (const node of layout.nodes) {
    if (node.kind !== 'if' || seen.has(node.at)) continue;
    seen.add(node.at);
    options.push(...node.branches.map((_, number) => ({ [node.at]: number })));
  }
  let left = TRIALS_MAX;
  for (const first of [{}, ...options]) {
    yield { ...first, ...needed };
    if (--left <= 0) return;
  }
  for (const [i, first] of options.entries()) {
    for (const second of options.slice(i + 1)) {
      yield { ...first, ...second, ...needed };
      if (--left <= 0) return;
    }
  }
}
