/** Random rounds of revocations against calls in progress. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { playRounds } from '../../rounds.cases.ts';
import { RevocationModel, ROUNDS } from './revocation.cases.ts';

const COUNT = 300;
const LIMIT_MS = 1_800_000;

it(
  `has no effect after an acknowledged revocation, in ${COUNT} random rounds`,
  async () => {
    const data = mkdtempSync(join(tmpdir(), 'armtwin-revocation-'));
    const model = await RevocationModel.start(join(data, 'data'));
    try {
      const played = await playRounds('revocation', COUNT, async (seed) => {
        const [round] = fc.sample(ROUNDS, { numRuns: 1, seed });
        const found = await model.play(round!);
        const text = `seed ${seed}: ${JSON.stringify(round)}`;
        return {
          violations: found.length > 0 ? [text, ...found] : [],
          counts: { calls: round!.calls.length },
        };
      });
      expect(played.violations).toEqual([]);
    } finally {
      await model.close();
      rmSync(data, { recursive: true, force: true });
    }
  },
  LIMIT_MS,
);
