/** Random rounds of revocations against calls in progress. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { RevocationModel, ROUNDS } from './revocation.cases.ts';

const COUNT = 300;
const LIMIT_MS = 1_800_000;

it(
  `has no effect after an acknowledged revocation, in ${COUNT} random rounds`,
  async () => {
    const data = mkdtempSync(join(tmpdir(), 'armtwin-revocation-'));
    const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);
    const model = await RevocationModel.start(join(data, 'data'));
    try {
      for (const round of fc.sample(ROUNDS, { numRuns: COUNT, seed })) {
        expect(await model.play(round), `seed ${seed}: ${JSON.stringify(round)}`).toEqual([]);
      }
    } finally {
      await model.close();
      rmSync(data, { recursive: true, force: true });
    }
  },
  LIMIT_MS,
);
