/** After an acknowledged revocation nothing that the user began happens any more. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { REVOCATIONS, type Revocation, RevocationModel, ROUNDS } from './revocation.cases.ts';
import { ACTIONS } from './revocation-calls.cases.ts';

const data = mkdtempSync(join(tmpdir(), 'armtwin-revocation-'));
let model: RevocationModel;
beforeAll(async () => {
  model = await RevocationModel.start(join(data, 'data'));
});
afterAll(async () => {
  await model.close();
  rmSync(data, { recursive: true, force: true });
});

it.each(Object.keys(REVOCATIONS) as Revocation[])(
  'has no effect of a call whose body is slow: %s',
  async (revocation) => {
    const calls = ACTIONS.map((_, action) => ({ action, isSlow: true }));
    expect(await model.play({ revocation, calls, turns: 3 })).toEqual([]);
  },
);

it('has no effect of calls that wait for plans, hashes or the disk', async () => {
  for (const round of fc.sample(ROUNDS, { numRuns: 3, seed: 20 })) {
    expect(await model.play(round)).toEqual([]);
  }
});
