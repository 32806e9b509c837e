import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createPrng } from '../../../physics/math/prng.ts';
import { programText } from './integer-program.cases.ts';
import { planFaults } from './plan-check.cases.ts';
import { plan } from './planner.ts';
import type { PlanProblem } from './problem.ts';
import { assayProblem, randomProblem } from './problems.cases.ts';

const SOLVER = 'glpsol';
const present = spawnSync(SOLVER, ['--version']).status === 0;
const SOLVER_LIMIT_S = 10;
const INSTANCES = 40;
const SHAPES = [
  { pieces: 2, steps: 1, instruments: 2, slots: 1 },
  { pieces: 2, steps: 2, instruments: 3, slots: 1 },
  { pieces: 3, steps: 1, instruments: 2, slots: 2 },
  { pieces: 2, steps: 3, instruments: 3, slots: 2 },
];

/** The proven optimum (s), or null if the solver did not prove one in time. */
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
    expect(optimum(assayProblem())).toBe(375);
  });

  it('finds no better plans for random workcells, and the planner is nearly always optimal', () => {
    const gaps: number[] = [];
    let unproven = 0;
    for (let seed = 1; gaps.length < INSTANCES && seed < 3 * INSTANCES; seed++) {
      const shape = SHAPES[seed % SHAPES.length]!;
      const problem = randomProblem(createPrng(seed), shape);
      const found = plan(problem, { seed });
      if (!found.ok) continue;
      const best_s = optimum(problem);
      if (best_s === null) {
        unproven++;
        continue;
      }
      expect(planFaults(problem, found.value)).toEqual([]);
      expect(found.value.makespan_s, `seed ${seed}`).toBeGreaterThanOrEqual(best_s);
      expect(found.value.lower_bound_s, `seed ${seed}`).toBeLessThanOrEqual(best_s);
      gaps.push(found.value.makespan_s / best_s - 1);
    }
    expect(gaps.length).toBe(INSTANCES);
    const exact = gaps.filter((gap) => gap < 1e-9).length / gaps.length;
    const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
    const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
    process.stdout.write(
      `${gaps.length} instances against glpsol: optimal in ${percent(exact)}, ` +
        `mean gap ${percent(mean)}, worst ${percent(Math.max(...gaps))}; ` +
        `${unproven} more that it did not prove in ${SOLVER_LIMIT_S} s\n`,
    );
    expect(exact).toBeGreaterThanOrEqual(0.95);
    expect(mean).toBeLessThanOrEqual(0.02);
  });
});
