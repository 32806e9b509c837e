/**
 * Random calls to a twin, a snapshot at a random tick, and the same further calls to the original,
 * to the same twin after a restore, and to a new one: all that is published and the digests are
 * equal. Test code.
 */
import { expect, it } from 'vitest';
import { TICK_S } from '../../../bridge/arm-driver.ts';
import { callOne, Draw, PLAIN_DECK } from '../../recording/random-calls.cases.ts';
import { type TwinAndClient, withTwinClient } from './twin-client.cases.ts';
import { FIXED_CREDENTIALS } from './twin-fingerprint.cases.ts';

/** Most calls before the snapshot, and calls after it. */
const CALLS_BEFORE = 25;
const CALLS_AFTER = 12;
/** Longest time between two calls (ticks). */
const PAUSE_TICKS = 500;

async function callAndWait({ arm, twin }: TwinAndClient, draw: Draw): Promise<number> {
  const status = await callOne(arm, PLAIN_DECK, draw);
  await twin.advance(draw.whole(PAUSE_TICKS) * TICK_S);
  return status;
}

/** Goes on with calls of a seed: answers, poses, states and digests, one line a call. */
async function goOn(client: TwinAndClient, seed: number): Promise<string[]> {
  const draw = new Draw(seed);
  const seen = [`${client.twin.now_s()} ${client.twin.digest()}`];
  for (let i = 0; i < CALLS_AFTER; i++) {
    const status = await callAndWait(client, draw);
    const { snapshot } = await client.arm.getSnapshot();
    const { twin } = client;
    seen.push(`${status} ${twin.now_s()} ${twin.digest()} ${JSON.stringify(snapshot)}`);
  }
  return seen;
}

/** What three twins saw that go on from a snapshot of the seed; equal where a restore is whole. */
async function continuations(seed: number, driver: 'fast' | 'rapier') {
  const draw = new Draw(seed);
  const realism = draw.one(['ideal', 'worn'] as const);
  const options = { ...FIXED_CREDENTIALS, driver, noise_seed: seed, realism };
  const later = seed + 1_000_000;
  return withTwinClient(options, async (client) => {
    const { arm } = client;
    const calls = draw.whole(CALLS_BEFORE);
    for (let i = 0; i < calls; i++) await callAndWait(client, draw);
    await arm.keepState({ name: 'now' });
    const file = await arm.exportState({ name: 'now' });
    const original = await goOn(client, later);
    await arm.restoreState({ name: 'now' });
    const again = await goOn(client, later);
    const elsewhere = await withTwinClient(options, async (other) => {
      await other.arm.importState(file);
      await other.arm.restoreState({ name: 'now' });
      return goOn(other, later);
    });
    return { original, again, elsewhere };
  });
}

/** Compares the continuations of `rounds` seeds on a plant. */
export function randomRestoreCases(driver: 'fast' | 'rapier', first: number, rounds: number): void {
  const seeds = Array.from({ length: rounds }, (_, i) => first + i);
  it.each(seeds)(
    `on ${driver}, seed %i: a restored twin continues as the original`,
    async (seed) => {
      const { original, again, elsewhere } = await continuations(seed, driver);
      expect(again, 'in the same twin').toEqual(original);
      expect(elsewhere, 'in a new twin').toEqual(original);
    },
  );
}
