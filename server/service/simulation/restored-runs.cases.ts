/** A restored snapshot continues as the original, whatever was going on. Test code. */

import { describe, expect, it } from 'vitest';
import type { ArmClient } from '../../../contract/client.ts';
import { createPrng } from '../../../physics/math/prng.ts';
import { type CellFixture, type Plant, SORTER, TRAYS } from '../../cell/cells.cases.ts';
import { type TwinAndClient, withTwinClient } from './twin-client.cases.ts';
import { FIXED_CREDENTIALS, fingerprint } from './twin-fingerprint.cases.ts';

/** How long a part is in which a run goes on after its snapshot (s). */
const PART_S = 0.4;
const HALF = { x: 0.05, y: 0.05, z: 0.05 };

/** What may be going on at the instant of the snapshot. */
const SITUATIONS: Readonly<Record<string, (arm: ArmClient) => Promise<unknown>>> = {
  noise: (arm) => arm.addFault({ kind: 'sensor_noise', position_rad: 1e-4, velocity_rad_s: 1e-3 }),
  lost: (arm) => arm.addFault({ kind: 'driver', joint: 3, fault: 'lost' }),
  collision: (arm) => arm.addFault({ kind: 'collision', joint: 2, with_detection: true }),
  push: (arm) => arm.pushArm({ force: { x: 4, y: 7, z: 0 }, duration_s: 1.13 }),
  'push without end': (arm) => arm.pushArm({ force: { x: 0, y: 3, z: 2 } }),
  obstacle: (arm) =>
    arm.addObstacle({ name: 'box', position: { x: 0.25, y: 0.1, z: 0.2 }, half: HALF }),
  'emergency stop': (arm) => arm.setEmergencyStop({ engaged: true }),
  pause: (arm) => arm.pause(),
  undisturbed: async () => {},
};

/** What some of the drawn snapshots have to show, else the comparison would prove less. */
const SHOWN: Readonly<Record<string, string>> = {
  'a held object': '"status":"held"',
  'an open contact': '"ended_s":null',
  'a run': '"state":"running"',
  'a paused run': '"state":"paused"',
  'a disabled arm': '"state":"disabled"',
};

/** All that a client can read of the arm and its cell. */
async function published(arm: ArmClient): Promise<unknown[]> {
  return [
    (await arm.getSnapshot()).snapshot,
    await arm.getStatus(),
    await arm.listContacts(),
    await arm.getCell(),
    await arm.listCellEvents(),
  ];
}

/** Goes on in some parts, and returns what was published at the start and after each. */
async function goOn({ twin, arm }: TwinAndClient, parts: number): Promise<string[]> {
  const seen = [JSON.stringify(await published(arm))];
  for (let i = 0; i < parts; i++) {
    await twin.advance(PART_S);
    seen.push(JSON.stringify(await published(arm)));
  }
  return [...seen, await fingerprint(arm)];
}

async function startRun(arm: ArmClient, { cell, toolpath }: CellFixture): Promise<void> {
  await arm.setCell(cell);
  const { toolpath: saved } = await arm.createToolpath({ name: 'path', toolpath });
  await arm.takeLock();
  await arm.useToolpath({ toolpath_id: saved.id });
  await arm.home();
  await arm.runUntil({ state: 'ready', limit_s: 60 });
  await arm.run({ mode: 'automatic', loop: 2 });
}

interface Continuation {
  readonly seed: number;
  readonly driver: Plant;
  readonly situation: string;
  readonly parts: number;
}

/** Returns what the original published at its snapshot. */
async function continues({ seed, driver, situation, parts }: Continuation): Promise<string> {
  const next = createPrng(seed);
  const options = { ...FIXED_CREDENTIALS, driver };
  let start = '';
  await withTwinClient(options, async (client) => {
    const { twin, arm } = client;
    await startRun(arm, seed % 2 === 0 ? TRAYS : SORTER);
    await twin.advance(Math.ceil(next() * 500) / 50);
    await SITUATIONS[situation]!(arm);
    const ticks = Math.floor(next() * 40);
    if (ticks > 0) await twin.advance(ticks / 50);
    await arm.keepState({ name: 'now' });
    const file = await arm.exportState({ name: 'now' });
    const original = await goOn(client, parts);
    start = original[0]!;
    await arm.restoreState({ name: 'now' });
    expect(await goOn(client, parts), 'in the same twin').toEqual(original);
    await withTwinClient(options, async (other) => {
      await other.arm.importState(file);
      await other.arm.restoreState({ name: 'now' });
      expect(await goOn(other, parts), 'in a new twin').toEqual(original);
    });
  });
  return start;
}

const NAMES = Object.keys(SITUATIONS);
/** One seed for each situation. */
export const SITUATION_COUNT = NAMES.length;

/** Compares runs of seeds in some parts: each has a situation, every sixth is on Rapier. */
export function restoredRunCases(seeds: readonly number[], parts: number): void {
  describe('a run that is continued from a snapshot', () => {
    const starts: string[] = [];
    it.each(seeds.map((seed) => [seed, NAMES[seed % NAMES.length]!] as const))(
      'of seed %i with %s is the original, bit for bit',
      async (seed, situation) => {
        const driver = seed % 6 === 5 ? 'rapier' : 'fast';
        starts.push(await continues({ seed, driver, situation, parts }));
      },
    );

    it.each(Object.entries(SHOWN))('was drawn with %s', (_name, text) => {
      expect(starts.some((start) => start.includes(text))).toBe(true);
    });
  });
}
