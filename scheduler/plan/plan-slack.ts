import { graphOf, type PlanResources, type SlackOperation } from './plan-graph.ts';
import type { Plan } from './problem.ts';

/** Returns every operation of a plan with its slack, in the order of starts. */
export function planSlack(
  names: PlanResources,
  plan: Pick<Plan, 'tasks' | 'moves' | 'makespan_s'>,
): SlackOperation[] {
  const nodes = graphOf(names, plan);
  for (const node of nodes.toReversed()) {
    const duration_s = node.end_s - node.start_s;
    const ends = node.afterEnd.map((next) => next.latest_s - duration_s);
    const cool_s = duration_s + node.cool_s;
    const cools = node.afterCool.map((next) => next.latest_s - cool_s);
    const starts = node.afterStart.map((next) => next.latest_s);
    node.latest_s = Math.min(plan.makespan_s - duration_s, ...ends, ...cools, ...starts);
  }
  return nodes.map(({ name, task, piece, instrument, start_s, end_s, latest_s }) => {
    const slack_s = Math.max(0, latest_s - start_s);
    return { name, task, piece, instrument, start_s, end_s, slack_s };
  });
}
