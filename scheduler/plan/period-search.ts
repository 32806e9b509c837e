/**
 * Searches the start times of a cycle for a given period. Branch and bound over the order of each
 * pair of operations that exclude each other; for a fixed period, all conditions are differences
 * of start times (modulo scheduling). Times in seconds.
 */
import type { CycleProblem, Exclusion } from './cycle-problem.ts';
import { StartDifferences } from './start-differences.ts';
import { TOLERANCE_S } from './time-tolerance.ts';

/** The share of the effort for one period. */
const PERIOD_EFFORT = 2500;

/** Searches the starts for one period. */
export class PeriodSearch {
  effort = 0;
  private readonly problem: CycleProblem;
  private readonly period_s: number;

  constructor(problem: CycleProblem, period_s: number) {
    this.problem = problem;
    this.period_s = period_s;
  }

  /** The conditions without choices; null if they contradict each other. */
  private root(): StartDifferences | null {
    const { problem, period_s } = this;
    const { count, orders, visits, first } = problem;
    const differences = new StartDifferences(count);
    const add = (from: number, to: number, least_s: number) => {
      this.effort++;
      return differences.add(from, to, least_s);
    };
    for (const { from, to, least_s } of orders) {
      if (!add(from, to, least_s)) return null;
      // A longer wait can be shorter by a period.
      if (from < to && !add(to, from, -least_s - period_s)) return null;
    }
    for (const { from, to, plus_s } of visits) {
      if (!add(to, from, plus_s - period_s)) return null;
    }
    for (let i = 1; i < first.length; i++) {
      if (!add(first[i - 1]!, first[i]!, 0) || !add(first[i]!, first[0]!, -period_s)) return null;
    }
    return differences;
  }

  /** The possible turns of an exclusion. */
  private turns(differences: StartDifferences, { first, second }: Exclusion): [number, number] {
    const { period_s } = this;
    const early_s = differences.between(first.to, first.from) + first.least_s;
    const late_s = differences.between(second.to, second.from) + second.least_s;
    const least = Math.ceil(early_s / period_s - TOLERANCE_S);
    return [least, Math.floor(1 - late_s / period_s + TOLERANCE_S)];
  }

  private fix(differences: StartDifferences, { first, second }: Exclusion, turn: number): boolean {
    const { period_s } = this;
    this.effort += 2;
    return (
      differences.add(first.from, first.to, first.least_s - turn * period_s) &&
      differences.add(second.from, second.to, second.least_s - (1 - turn) * period_s)
    );
  }

  /** True if no instrument does more tasks at a time than it can. */
  private isWithinCapacity(start_s: Float64Array): boolean {
    const { operations, instruments } = this.problem;
    const { period_s } = this;
    const isBusy = (i: number, at_s: number) => {
      const { duration_s } = operations[i]!;
      const since_s = (((at_s - start_s[i]!) % period_s) + period_s) % period_s;
      return Math.ceil((duration_s - since_s) / period_s - TOLERANCE_S);
    };
    return operations.every(({ instrument, use }, i) => {
      const capacity = use >= 0 ? 1 : (instruments[instrument]?.capacity ?? Infinity);
      if (capacity === 1) return true;
      let busy = 0;
      operations.forEach((other, j) => {
        const isSame = other.use < 0 && other.instrument === instrument;
        if (isSame) busy += Math.max(0, isBusy(j, start_s[i]!));
      });
      return busy <= capacity;
    });
  }

  /** Returns starts; null if there are none or the effort is spent. Yields now and then. */
  *find(): Generator<number, Float64Array | null> {
    const root = this.root();
    if (!root) return null;
    const open: [StartDifferences, readonly Exclusion[]][] = [[root, this.problem.exclusions]];
    for (let next = open.pop(); next && this.effort < PERIOD_EFFORT; next = open.pop()) {
      const [differences, exclusions] = next;
      const left = this.settle(differences, exclusions);
      yield exclusions.length + this.problem.count;
      if (!left) continue;
      const [chosen, from, to] = left.best ?? [];
      if (!chosen) {
        const { start_s } = differences;
        if (this.isWithinCapacity(start_s)) return start_s;
        continue;
      }
      for (let turn = to!; turn >= from!; turn--) {
        const copy = differences.copy();
        const rest = left.open.filter((one) => one !== chosen);
        if (this.fix(copy, chosen, turn)) open.push([copy, rest]);
      }
    }
    return null;
  }

  /** Fixes what has one turn only; returns what is open, and the one with the fewest turns. */
  private settle(differences: StartDifferences, exclusions: readonly Exclusion[]) {
    let open = exclusions;
    for (;;) {
      const rest: Exclusion[] = [];
      let best: [Exclusion, number, number] | null = null;
      for (const one of open) {
        const [from, to] = this.turns(differences, one);
        if (from > to) return null;
        if (from === to) {
          if (!this.fix(differences, one, from)) return null;
          continue;
        }
        rest.push(one);
        if (!best || to - from < best[2] - best[1]) best = [one, from, to];
      }
      if (rest.length === open.length) return { open: rest, best };
      open = rest;
    }
  }
}
