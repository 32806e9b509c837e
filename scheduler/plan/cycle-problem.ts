/**
 * The problem of a cycle: the work of the units that take turns, and which operations exclude each
 * other.
 */

import type { EqualUnits } from './equal-units.ts';
import type { Operations } from './operations.ts';
import type { PlanInstrument } from './problem.ts';
import { topological } from './topological-order.ts';
import { UnitBuilder, type UnitOrder, type UnitWork } from './unit-builder.ts';

/** Most operations of a cycle: the effort grows with their third power. */
const MAX_OPERATIONS = 40;
/** Stands for the arm among indices of instruments. */
export const ARM = -1;

function exclude(a: number, b: number, { operations }: UnitWork): Exclusion {
  return {
    first: { from: a, to: b, least_s: operations[a]!.duration_s },
    second: { from: b, to: a, least_s: operations[b]!.duration_s },
  };
}

function pairsOf<Item>(items: readonly Item[]): [Item, Item][] {
  return items.flatMap((a, i) => items.slice(i + 1).map((b): [Item, Item] => [a, b]));
}

function exclusionsOf(work: UnitWork, instruments: readonly PlanInstrument[]): Exclusion[] {
  const { operations, visits } = work;
  const onResource = new Map<number, number[]>();
  operations.forEach(({ use, instrument, duration_s }, i) => {
    const isLimited = use >= 0 || instruments[instrument]?.capacity === 1;
    if (!isLimited || duration_s <= 0) return;
    const own = onResource.get(use >= 0 ? ARM : instrument) ?? [];
    own.push(i);
    onResource.set(use >= 0 ? ARM : instrument, own);
  });
  const exclusions = [...onResource.values()].flatMap((own) =>
    pairsOf(own).map(([a, b]) => exclude(a, b, work)),
  );
  for (const [a, b] of pairsOf(visits)) {
    if (a.key !== b.key) continue;
    exclusions.push({
      first: { from: a.to, to: b.from, least_s: a.plus_s },
      second: { from: b.to, to: a.from, least_s: b.plus_s },
    });
  }
  return exclusions;
}

/** The cycle of a number of units that take turns; null if there is none. */
export function cycleProblemOf(operations: Operations, found: EqualUnits, units: number) {
  const own = new Set(found.units[0]!.tasks);
  const order = topological(operations.before).filter((t) => own.has(t));
  const work: UnitWork = { operations: [], visits: [], orders: [] };
  const first: number[] = [];
  for (let number = 0; number < units; number++) {
    const unit = new UnitBuilder(operations, found, number).build(order);
    if (!unit) return null;
    const at = work.operations.length;
    first.push(at);
    work.operations.push(...unit.operations);
    work.visits.push(
      ...unit.visits.map((one) => ({ ...one, from: one.from + at, to: one.to + at })),
    );
    work.orders.push(
      ...unit.orders.map((one) => ({ ...one, from: one.from + at, to: one.to + at })),
    );
  }
  const { instruments } = operations.problem;
  const count = work.operations.length;
  if (count > MAX_OPERATIONS) return null;
  return { ...work, count, instruments, units, first, exclusions: exclusionsOf(work, instruments) };
}

/** One of two orders, `turn` periods apart: `first` by as many less, `second` by 1 − as many. */
export interface Exclusion {
  readonly first: UnitOrder;
  readonly second: UnitOrder;
}

export interface CycleProblem extends UnitWork {
  readonly count: number;
  readonly instruments: readonly PlanInstrument[];
  readonly exclusions: readonly Exclusion[];
  /** Units in a period. */
  readonly units: number;
  /** First operation of each of these units. */
  readonly first: readonly number[];
}
