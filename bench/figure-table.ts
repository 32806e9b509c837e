/**
 * Measurement and output of the motion benchmarks: one row per figure, with its goal and the
 * baseline.
 */

import { readFileSync } from 'node:fs';

export interface Figure {
  readonly what: string;
  readonly measured: number;
  /** Maximum value; the minimum where `least` is set. */
  readonly goal: number;
  readonly least?: boolean;
  readonly unit: string;
  /** Value of a baseline implementation in the same run, if there is one. */
  readonly baseline?: number;
}

const digits = (value: number) =>
  value !== 0 && Math.abs(value) < 1e-3 ? value.toExponential(1) : String(+value.toPrecision(3));

/** Prints the rows; returns the number of missed goals. */
export function printFigureTable(rows: Iterable<Figure>): number {
  const line = (...cells: string[]) =>
    console.log(cells.map((cell, i) => (i === 0 ? cell.padEnd(50) : cell.padStart(13))).join(' '));
  line('what', 'measured', 'goal', 'met', 'baseline');
  let missed = 0;
  for (const { what, measured, goal, least, unit, baseline } of rows) {
    const met = least ? measured >= goal : measured <= goal;
    if (!met) missed++;
    const baselineText = baseline === undefined ? '' : digits(baseline);
    line(`${what} (${unit})`, digits(measured), digits(goal), met ? 'yes' : 'NO', baselineText);
  }
  return missed;
}

/** Quantile of `values` for a share from 0 to 1. */
export function quantileOf(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;
}

/** Time of `work` on each item (µs): the best of some rounds, which excludes other processes. */
export function timeEach<T>(items: readonly T[], work: (item: T) => unknown, rounds = 5): number[] {
  const best = items.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < rounds; round++) {
    items.forEach((item, i) => {
      const start_ms = performance.now();
      work(item);
      best[i] = Math.min(best[i]!, 1000 * (performance.now() - start_ms));
    });
  }
  return best;
}

/** Mean time of `work` over `calls` calls (µs), the best of some rounds. */
export function timeMean(calls: number, work: (i: number) => void, rounds = 20): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const start_ms = performance.now();
    for (let i = 0; i < calls; i++) work(i);
    best = Math.min(best, performance.now() - start_ms);
  }
  return (1000 * best) / calls;
}

/** Clock ticks of /proc in a second. */
const PROC_TICKS_PER_S = 100;

/** Processor time of the processes that this one has started and that have ended (s). */
export function usedByChildren_s(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / PROC_TICKS_PER_S;
}
