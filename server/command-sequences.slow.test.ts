/**
 * Every ordered pair and a seeded sample of triples of commands at zero delay, in each phase of a
 * motion in each mode, on both plants: no statement of the invariant monitor is violated. A part
 * runs alone by its name: `-t "rapier.*braking, teach"`.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPrng } from '../physics/math/prng.ts';
import { type RunningTwin, startTwin } from './app/app.ts';
import { TWIN_DEFAULTS } from './cli/config.ts';
import { NAMES, PHASES, playSequence } from './command-sequences.cases.ts';
import { takeViolations } from './robot/invariant-violations.ts';

const PAIRS = NAMES.flatMap((first) => NAMES.map((second) => [first, second] as const));
const TRIPLES = 100;
const SEED = 20261122;
/** The start of a twin, also beside other work. */
const START_MS = 60_000;

/** At rest there is no motion, so the mode of the motion does not matter. */
const STARTS = PHASES.flatMap((phase) => {
  const modes = phase === 'at rest' ? (['automatic'] as const) : (['automatic', 'teach'] as const);
  return modes.map((mode) => [phase, mode] as const);
});

describe.each(['fast', 'rapier'] as const)('%s', (driver) => {
  let twin: RunningTwin;
  let pairs = 0;
  let triples = 0;
  beforeAll(async () => {
    twin = await startTwin({ ...TWIN_DEFAULTS, driver });
  }, START_MS);
  afterAll(async () => {
    const counts = `${pairs} pairs and ${triples} triples`;
    process.stdout.write(`${driver}: ${counts}, each with gaps of 0 and 1 tick\n`);
    await twin.close();
  });

  it.each(STARTS)(
    'stays true in pairs and triples of commands: %s, %s',
    async (phase, mode) => {
      const random = createPrng(SEED + PHASES.indexOf(phase) + (mode === 'teach' ? 100 : 0));
      const name = () => NAMES[Math.floor(random() * NAMES.length)]!;
      const drawn = Array.from({ length: TRIPLES }, () => [name(), name(), name()]);
      for (const names of [...PAIRS, ...drawn]) {
        await playSequence(twin, names, { phase, mode });
        if (names.length === 2) pairs += 1;
        else triples += 1;
        expect(takeViolations(), `${names.join(', ')} in ${phase}, ${mode}`).toEqual([]);
      }
    },
    1_800_000,
  );
});
