/** The bottleneck of a plan: what its critical path mostly consists of. */

import { criticalNodes } from './critical-path.ts';
import type { PlanResources } from './plan-graph.ts';
import type { Plan } from './problem.ts';

/** Stands for the arm among indices of instruments. */
const ARM = -2;

/** One digit after the point: several units in a cycle have parts of seconds each. */
function secondsText(time_s: number): string {
  return `${Math.round(10 * time_s) / 10} s`;
}

/** Returns how fast equal pieces can follow each other, in sentences; empty without a cycle. */
function cycleText({ instruments }: PlanResources, { cycle }: Plan): string {
  if (!cycle) return '';
  const { units, pieces_per_unit, units_per_cycle, cycle_s, lower_bound_s, resource } = cycle;
  const period_s = cycle_s / units_per_cycle;
  const what = pieces_per_unit === 1 ? 'pieces' : `groups of ${pieces_per_unit} pieces`;
  const name = instruments[resource]?.id ?? 'the arm';
  const isLeast = period_s < lower_bound_s + 0.05;
  const bound = isLeast
    ? `as fast as ${name} allows`
    : `${name} alone would allow one every ${secondsText(lower_bound_s)}`;
  const every = `one of ${units} equal ${what} ends every ${secondsText(period_s)}`;
  return ` In a steady cycle, ${every}: ${bound}.`;
}

/** Returns what the length of a plan depends on, in sentences. */
export function bottleneckText(names: PlanResources, plan: Plan): string {
  const { makespan_s, lower_bound_s } = plan;
  const times_s = new Map<number, number>();
  for (const { move, instrument, start_s, end_s } of criticalNodes(names, plan)) {
    const resource = move ? ARM : instrument;
    times_s.set(resource, (times_s.get(resource) ?? 0) + end_s - start_s);
  }
  const [most] = [...times_s].sort(([, a], [, b]) => b - a);
  if (!most) return 'The plan has no work.';
  const [resource, critical_s] = most;
  const isArm = resource === ARM;
  const { id = isArm ? 'the arm' : 'work without an instrument', capacity = 1 } =
    names.instruments[resource] ?? {};
  const all = isArm ? plan.moves : plan.tasks.filter((one) => one.instrument === resource);
  const busy_s = all.reduce((sum, { start_s, end_s }) => sum + end_s - start_s, 0) / capacity;
  const share = Math.round((100 * busy_s) / Math.max(1, makespan_s));
  const shorter_s = Math.max(0, Math.round(makespan_s - lower_bound_s));
  const gain =
    shorter_s > 0 && lower_bound_s > 0
      ? `Another order can save ${shorter_s} s at most.`
      : 'No other order is shorter.';
  const text = `${id} is the bottleneck: busy ${share} % of ${Math.round(makespan_s)} s, and `;
  const isProven = lower_bound_s > 0;
  const path = `${text}${Math.round(critical_s)} s of the critical path.`;
  return `${path}${isProven ? ` ${gain}` : ''}${cycleText(names, plan)}`;
}
