/**
 * The samples run again and again on a twin, by the requests that the page makes.
 * @module-tag ci
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ArmClient } from '../../contract/client.ts';
import type { Cell, Toolpath } from '../../contract/types.generated.ts';
import { openTwinFixture } from '../../testing/index.ts';
import { displacedParts, putPartsBack } from '../link/parts-back.ts';
import { ALL_SAMPLES, SAMPLES, type Sample, startSample } from './samples.ts';

const RUNS = 10;
/** Longer than any loop of a sample (s). */
const LOOP_S = 120;
/** A part that is put down stands still within this time (s). */
const SETTLED_S = 1;
/** What a grasp that fails leaves behind. */
const FAILURES: readonly string[] = ['missed', 'dropped', 'slipped', 'tipped', 'fell_off'];

const json = <Document>(url: URL) => JSON.parse(readFileSync(url, 'utf8')) as Document;
const documentsOf = ({ url, cell }: Sample) => ({
  toolpath: json<Toolpath>(url),
  cell: json<Cell>(cell),
});
const [PICK_AND_PLACE] = SAMPLES as readonly [Sample, Sample, Sample];

async function onTwin(driver: 'fast' | 'rapier', use: (arm: ArmClient) => Promise<void>) {
  const { arm, close } = await openTwinFixture({ driver });
  try {
    await arm.takeLock();
    await use(arm);
  } finally {
    await close();
  }
}

/** Lets a run end; it has to end at rest, with every grasp. */
async function endsWell(arm: ArmClient, loops = 1): Promise<void> {
  const { reached } = await arm.runUntil({ state: 'ready', limit_s: loops * LOOP_S });
  const { state, error } = await arm.getStatus();
  expect({ reached, state, error }).toEqual({ reached: true, state: 'ready', error: null });
  const { events } = await arm.listCellEvents();
  expect(events.filter(({ kind }) => FAILURES.includes(kind)).map(({ text }) => text)).toEqual([]);
}

const displaced = async (arm: ArmClient) => {
  const { cell, state } = await arm.getCell();
  return displacedParts({ description: cell!, state: state! }).map(({ name }) => name);
};

type Plant = 'fast' | 'rapier';
const LONG = { tags: ['slow'], timeout: 240_000 };

/** Runs a sample ten times in a row, and then in ten loops. */
const runsAgain = (driver: Plant, sample: Sample) =>
  onTwin(driver, async (arm) => {
    await startSample(arm, sample, documentsOf(sample));
    await endsWell(arm);
    for (let i = 1; i < RUNS; i++) {
      await arm.run({ mode: 'automatic', loop: 1 });
      await endsWell(arm);
    }
    await arm.run({ mode: 'automatic', loop: RUNS });
    await endsWell(arm, RUNS);
  });

describe('the first sample ends well ten times in a row, and in ten loops', () => {
  it('on fast', () => runsAgain('fast', PICK_AND_PLACE));
  it('on rapier', LONG, () => runsAgain('rapier', PICK_AND_PLACE));
});

describe.each(['fast', 'rapier'] as const)('on the plant %s', (driver) => {
  it.each(SAMPLES.slice(1).map((sample) => [sample.name, sample] as const))(
    '%s ends well after its parts were put back, again and again',
    LONG,
    async (_name, sample) => {
      await onTwin(driver, async (arm) => {
        await startSample(arm, sample, documentsOf(sample));
        await endsWell(arm);
        for (let i = 1; i < 3; i++) {
          expect(await displaced(arm)).not.toEqual([]);
          await putPartsBack(arm);
          await arm.advanceClock({ seconds: SETTLED_S });
          expect(await displaced(arm)).toEqual([]);
          await arm.run({ mode: 'automatic', loop: 1 });
          await endsWell(arm);
        }
      });
    },
  );
});

it('starts a sample again, and saves it once, also beside another one of its name', async () => {
  await onTwin('fast', async (arm) => {
    const documents = documentsOf(PICK_AND_PLACE);
    const { timeline, ...rest } = documents.toolpath;
    await arm.createToolpath({
      name: PICK_AND_PLACE.name,
      toolpath: { ...rest, timeline: timeline.slice(0, 1) },
    });
    for (let i = 0; i < 2; i++) {
      await startSample(arm, PICK_AND_PLACE, documents);
      await endsWell(arm);
    }
    expect((await arm.listToolpaths()).toolpaths.map(({ name }) => name)).toEqual([
      PICK_AND_PLACE.name,
      PICK_AND_PLACE.name,
    ]);
  });
});

it('puts a held part back, and opens the gripper that would come down on it', async () => {
  await onTwin('fast', async (arm) => {
    await startSample(arm, PICK_AND_PLACE, documentsOf(PICK_AND_PLACE));
    await arm.runUntilObject({ object: 'part 1', held_by: 'gripper', limit_s: LOOP_S });
    await arm.advanceClock({ seconds: 2 });
    await arm.pause();
    await arm.runUntil({ state: 'paused', limit_s: LOOP_S });
    await arm.cancel();
    await arm.runUntil({ state: 'ready', limit_s: LOOP_S });
    expect(await displaced(arm)).toEqual(['part 1']);
    await putPartsBack(arm);
    await arm.run({ mode: 'automatic', loop: 1 });
    await endsWell(arm);
    expect(await displaced(arm)).toEqual([]);
  });
});

it('are there for every arm that comes with the twin', () => {
  const arms = readdirSync('arms').filter((name) => existsSync(`arms/${name}/arm.json`));
  expect(new Set(ALL_SAMPLES.map(({ arm }) => arm))).toEqual(new Set(arms));
});
