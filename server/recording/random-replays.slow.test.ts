/** Random calls while a twin records: the replay has the same bits, whatever was called. */
import { expect, it } from 'vitest';
import { playAndReplay } from './random-replays.cases.ts';

const ROUNDS = Number(process.env['ARMTWIN_ROUNDS'] ?? 150);
const FIRST = Number(process.env['ARMTWIN_FIRST'] ?? 0);

it.each([
  ['fast', ROUNDS],
  ['rapier', Math.ceil(ROUNDS / 5)],
] as const)(
  'replays on the plant %s to the same bits',
  async (plant, rounds) => {
    const differences: string[] = [];
    let ticks = 0;
    let accepted = 0;
    for (let seed = FIRST; seed < FIRST + rounds; seed++) {
      const result = await playAndReplay(seed, plant);
      ticks += result.ticks;
      accepted += result.accepted;
      if (result.divergence) differences.push(`seed ${seed}: ${JSON.stringify(result.divergence)}`);
    }
    expect(differences).toEqual([]);
    expect(ticks).toBeGreaterThan(1000 * rounds);
    expect(accepted).toBeGreaterThan(10 * rounds);
  },
  1_800_000,
);
