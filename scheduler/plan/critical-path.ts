/**
 * The critical path of a plan: from the last end backwards, each time to an operation that the
 * current one waits for.
 */
import { graphOf, type PlanNode, type PlanResources } from './plan-graph.ts';
import type { Plan } from './problem.ts';
import { isSameTime } from './time-tolerance.ts';

/** The critical path, first to last, without operations that take no time. */
export function criticalNodes(
  names: PlanResources,
  plan: Pick<Plan, 'tasks' | 'moves'>,
): PlanNode[] {
  const nodes = graphOf(names, plan);
  const path: PlanNode[] = [];
  let at = nodes.toSorted((a, b) => b.end_s - a.end_s)[0];
  const seen = new Set<PlanNode>();
  while (at && !seen.has(at)) {
    const current: PlanNode = at;
    seen.add(current);
    if (current.end_s > current.start_s) path.push(current);
    const { start_s } = current;
    at =
      nodes.find((one) => one.afterEnd.includes(current) && isSameTime(one.end_s, start_s)) ??
      nodes.find(
        (one) => one.afterCool.includes(current) && isSameTime(one.end_s + one.cool_s, start_s),
      ) ??
      nodes.find((one) => one.afterStart.includes(current) && isSameTime(one.start_s, start_s));
  }
  return path.reverse();
}

/** Returns the names of the operations on the critical path, first to last. */
export function criticalPath(names: PlanResources, plan: Pick<Plan, 'tasks' | 'moves'>): string[] {
  return criticalNodes(names, plan).map(({ name }) => name);
}
