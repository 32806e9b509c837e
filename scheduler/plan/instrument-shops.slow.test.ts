/** Plans of shops with exclusive, closed and batch instruments, against an independent solver. */

import { describe, expect, it } from 'vitest';
import { createPrng } from '../../physics/math/prng.ts';
import { shopProblem } from './problems.cases.ts';
import { compare, INSTANCES, present, title } from './solver.cases.ts';

const SHAPES = [
  { pieces: 3, steps: 2 },
  { pieces: 4, steps: 1 },
  { pieces: 3, steps: 3 },
  { pieces: 4, steps: 2 },
];

describe.skipIf(!present)(`${title}, with closed instruments and batches`, () => {
  it('finds plans that are as short, and none that opens what is closed', () => {
    const first = Number(process.env['ARMTWIN_FIRST'] ?? 1);
    const wanted = Number(process.env['ARMTWIN_ROUNDS'] ?? INSTANCES);
    let batches = 0;
    const problemOf = (seed: number) => {
      const problem = shopProblem(createPrng(7000 + seed), SHAPES[seed % SHAPES.length]!);
      if (problem.tasks.some(({ uses }) => uses.length > 1)) batches++;
      return problem;
    };
    const name = 'closed instruments and batches';
    compare({ name, problemOf, first, wanted });
    expect(batches).toBeGreaterThan(0);
  }, 3_600_000);
});
