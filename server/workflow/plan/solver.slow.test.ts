import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chanceOf } from './chance.ts';
import { programText } from './integer-program.cases.ts';
import { planFaults } from './plan-check.cases.ts';
import { plan } from './planner.ts';
import type { PlanProblem } from './problem.ts';
import { assay, randomProblem } from './problems.cases.ts';

const SOLVER = 'glpsol';
const present = spawnSync(SOLVER, ['--version']).status === 0;
const SOLVER_LIMIT_S = 20;

/** The proven optimum (s), or null where the solver did not prove one in its time. */
function optimum(problem: PlanProblem): number | null {
  const folder = mkdtempSync(join(tmpdir(), 'plan-'));
  try {
    const [model, answer] = [join(folder, 'model.lp'), join(folder, 'answer.txt')];
    writeFileSync(model, programText(problem));
    const flags = ['--lp', model, '-w', answer, '--tmlim', String(SOLVER_LIMIT_S), '--cuts'];
    execFileSync(SOLVER, flags, { stdio: 'ignore' });
    const [, status, value] = /^s mip \d+ \d+ (\w) (\S+)/m.exec(readFileSync(answer, 'utf8')) ?? [];
    return status === 'o' ? Number(value) : null;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const title = present ? 'an independent solver' : 'an independent solver (glpsol is not installed)';

describe.skipIf(!present)(title, () => {
  it('agrees that the assay takes 375 s', () => {
    expect(optimum(assay())).toBe(375);
  });

  it('never does better in random workcells, and seldom as well as not', () => {
    const gaps: number[] = [];
    for (let seed = 1; gaps.length < 20 && seed < 40; seed++) {
      const shape = { pieces: 2, steps: 1 + (seed % 2), instruments: 2 + (seed % 2), slots: 1 };
      const problem = randomProblem(chanceOf(seed), shape);
      const found = plan(problem, { seed });
      const best_s = found.ok ? optimum(problem) : null;
      if (!found.ok || best_s === null) continue;
      expect(planFaults(problem, found.value)).toEqual([]);
      expect(found.value.makespan_s, `seed ${seed}`).toBeGreaterThanOrEqual(best_s);
      expect(found.value.lower_bound_s, `seed ${seed}`).toBeLessThanOrEqual(best_s);
      gaps.push(found.value.makespan_s / best_s - 1);
    }
    expect(gaps.length).toBe(20);
    const exact = gaps.filter((gap) => gap < 1e-9).length;
    expect(exact / gaps.length).toBeGreaterThanOrEqual(0.95);
    expect(gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length).toBeLessThanOrEqual(0.02);
  });
});
