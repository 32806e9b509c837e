/** Compares plans with the proven optima of an independent solver (glpsol). Test code. */

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { programText } from './integer-program.cases.ts';
import { planFaults } from './plan-check.cases.ts';
import { plan } from './planner.ts';
import type { PlanProblem } from './problem.ts';

const SOLVER = 'glpsol';
export const present = spawnSync(SOLVER, ['--version']).status === 0;
export const SOLVER_LIMIT_S = 10;
export const INSTANCES = 40;

/** The proven optimum (s), `infeasible` if that is proven, or null if nothing was in time. */
export function optimum(problem: PlanProblem): number | 'infeasible' | null {
  const folder = mkdtempSync(join(tmpdir(), 'plan-'));
  try {
    const [model, answer] = [join(folder, 'model.lp'), join(folder, 'answer.txt')];
    writeFileSync(model, programText(problem));
    const flags = ['--lp', model, '-w', answer, '--tmlim', String(SOLVER_LIMIT_S), '--cuts'];
    execFileSync(SOLVER, flags, { stdio: 'ignore' });
    const [, status, value] = /^s mip \d+ \d+ (\w) (\S+)/m.exec(readFileSync(answer, 'utf8')) ?? [];
    if (status === 'n') return 'infeasible';
    return status === 'o' ? Number(value) : null;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export const title = present
  ? 'an independent solver'
  : 'an independent solver (glpsol is not installed)';

interface Comparison {
  readonly name: string;
  readonly problemOf: (seed: number) => PlanProblem;
  readonly first?: number;
  /** Instances that are wanted; proven infeasible ones count where `countsInfeasible`. */
  readonly wanted?: number;
  readonly countsInfeasible?: boolean;
}

/** Compares plans of drawn problems with the solver's optimum; returns what it counted. */
export function compare({
  name,
  problemOf,
  first = 1,
  wanted = INSTANCES,
  countsInfeasible,
}: Comparison) {
  const gaps: number[] = [];
  const counts = { infeasible: 0, missed: 0, unproven: 0, buffered: 0 };
  const enough = () => gaps.length + (countsInfeasible ? counts.infeasible : 0) >= wanted;
  for (let seed = first; !enough() && seed < first + 3 * wanted; seed++) {
    const problem = problemOf(seed);
    const found = plan(problem, { seed });
    const best_s = optimum(problem);
    if (best_s === null) counts.unproven++;
    else if (best_s === 'infeasible') {
      counts.infeasible++;
      expect(found, `seed ${seed}`).toMatchObject({ ok: false });
    } else if (!found.ok) counts.missed++;
    else {
      expect(planFaults(problem, found.value), `seed ${seed}`).toEqual([]);
      expect(found.value.makespan_s, `seed ${seed}`).toBeGreaterThanOrEqual(best_s);
      expect(found.value.lower_bound_s, `seed ${seed}`).toBeLessThanOrEqual(best_s);
      if (found.value.moves.some(({ toBuffer }) => toBuffer)) counts.buffered++;
      gaps.push(found.value.makespan_s / best_s - 1);
    }
  }
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
  const worst = Math.max(...gaps);
  process.stdout.write(
    `${gaps.length} instances with ${name}: mean gap ${(100 * mean).toFixed(2)} %, ` +
      `worst ${(100 * worst).toFixed(1)} %; ${JSON.stringify(counts)}\n`,
  );
  expect(counts.missed).toBe(0);
  expect(mean).toBeLessThanOrEqual(0.01);
  expect(worst).toBeLessThanOrEqual(0.05);
  return counts;
}
