/** How benches of motion measure and print: one row a figure, with its goal and the textbook's. */

export interface Figure {
  readonly what: string;
  readonly measured: number;
  /** What it must not exceed. */
  readonly goal: number;
  readonly unit: string;
  /** What a plain textbook way measures in the same run; left out where there is none. */
  readonly textbook?: number;
}

const digits = (value: number) =>
  value !== 0 && Math.abs(value) < 1e-3 ? value.toExponential(1) : String(+value.toPrecision(3));

/** Prints the rows as they come and answers how many miss their goal. */
export function printFigures(rows: Iterable<Figure>): number {
  const line = (...cells: string[]) =>
    console.log(cells.map((cell, i) => (i === 0 ? cell.padEnd(50) : cell.padStart(13))).join(' '));
  line('what', 'measured', 'goal', 'met', 'textbook');
  let missed = 0;
  for (const { what, measured, goal, unit, textbook } of rows) {
    const met = measured <= goal;
    if (!met) missed++;
    const other = textbook === undefined ? '' : digits(textbook);
    line(`${what} (${unit})`, digits(measured), digits(goal), met ? 'yes' : 'NO', other);
  }
  return missed;
}

/** Value below which a share of `values` lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;
}

/** Microseconds of `work` on each item, the best of some rounds: other work is left out. */
export function timeEach<T>(items: readonly T[], work: (item: T) => unknown, rounds = 5): number[] {
  const best = items.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < rounds; round++) {
    items.forEach((item, i) => {
      const begun = performance.now();
      work(item);
      best[i] = Math.min(best[i]!, 1000 * (performance.now() - begun));
    });
  }
  return best;
}

/** Mean microseconds of `work` over so many calls, the best of some rounds. */
export function timeMean(calls: number, work: (i: number) => void, rounds = 20): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const begun = performance.now();
    for (let i = 0; i < calls; i++) work(i);
    best = Math.min(best, performance.now() - begun);
  }
  return (1000 * best) / calls;
}
