/**
 * Every ordered pair and a seeded sample of triples of commands at zero delay, in each phase of a
 * motion, on both plants: no statement of the invariant monitor is violated.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPrng } from '../physics/math/prng.ts';
import { type RunningTwin, startTwin } from './app/app.ts';
import { TWIN_DEFAULTS } from './cli/config.ts';
import { NAMES, PHASES, playSequence } from './command-sequences.cases.ts';
import { takeViolations } from './robot/invariants.ts';

const MODES = ['automatic', 'teach'] as const;
const PAIRS = NAMES.flatMap((first) => NAMES.map((second) => [first, second] as const));
const SEED = 20261122;

describe.each(['fast', 'rapier'] as const)('%s', (driver) => {
  let twin: RunningTwin;
  let played = 0;
  beforeAll(async () => {
    twin = await startTwin({ ...TWIN_DEFAULTS, driver });
  });
  afterAll(async () => {
    process.stdout.write(`${driver}: ${played} sequences, each with gaps of 0 and 1 tick\n`);
    await twin.close();
  });

  it.each(PHASES)(
    'stays true in pairs and triples of commands: %s',
    async (phase) => {
      const random = createPrng(SEED);
      const name = () => NAMES[Math.floor(random() * NAMES.length)]!;
      const share = driver === 'fast' ? 1 : 0.1;
      const triples = Array.from({ length: 100 }, () => [name(), name(), name()]);
      for (const [i, names] of [...PAIRS, ...triples].entries()) {
        if (random() >= share) continue;
        const mode = MODES[i % 2]!;
        await playSequence(twin, names, { phase, mode });
        played += 1;
        const found = takeViolations();
        expect(found, `${names.join(', ')} in ${phase}, ${mode}`).toEqual([]);
      }
    },
    240_000,
  );
});
