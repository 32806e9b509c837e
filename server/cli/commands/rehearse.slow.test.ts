/**
 * 200 variations of the tray cell: the share that works is what geometry predicts. Jaws that open
 * 60 mm clear a part of 40 mm as long as it lies at most 10 mm off their middle along the closing
 * direction (x); across it the pads reach it anywhere within the drawn offsets.
 */
import { expect, it } from 'vitest';
import { PICK_AND_PLACE, rehearsed } from './rehearse.cases.ts';
import type { RehearsedRun } from './rehearsed-run.ts';
import { shareInterval } from './share-interval.ts';

const VARIATIONS = 200;
const SPREAD_MM = 20;
const CLEARANCE_MM = 10;
/** A round fingertip (radius 4 mm) that meets the edge of a part pushes it aside. */
const FINGER_EDGE_MM = 2;
const MM_PER_M = 1000;
const START_X_M = 0.35;

interface Rehearsed {
  readonly variations: readonly { readonly report: RehearsedRun }[];
}

it.each([1, 2, 3])('the share of working variations is that of geometry, seed %i', async (seed) => {
  const { out } = await rehearsed('trays', PICK_AND_PLACE, {
    expect: { objects: [{ object: 'part 1', at: 'B1', within_mm: SPREAD_MM + 5 }] },
    variations: VARIATIONS,
    spread: SPREAD_MM,
    seed,
    json: true,
  });
  const [{ variations }] = JSON.parse(out) as [Rehearsed];
  const runs = variations.map(({ report: { events, problems } }) => {
    const placed = events.find(({ kind, object }) => kind === 'settled' && object === 'part 1')!;
    const off_mm = Math.abs(placed.position.x - START_X_M) * MM_PER_M;
    return { off_mm, works: problems.length === 0 };
  });
  for (const { off_mm, works } of runs) {
    if (off_mm <= CLEARANCE_MM) expect([off_mm, works]).toEqual([off_mm, true]);
    if (off_mm > CLEARANCE_MM + FINGER_EDGE_MM) expect([off_mm, works]).toEqual([off_mm, false]);
  }
  const predicted = runs.filter(({ off_mm }) => off_mm <= CLEARANCE_MM).length / VARIATIONS;
  const [low, high] = shareInterval(runs.filter(({ works }) => works).length, VARIATIONS);
  expect(predicted).toBeGreaterThan(low);
  expect(predicted).toBeLessThan(high);
});

it('repeats the same bits with the same seed, also with imperfections', async () => {
  const flags = { variations: 5, realism: 'typical', seed: 7, json: true } as const;
  const [first, again] = [
    await rehearsed('trays', PICK_AND_PLACE, flags),
    await rehearsed('trays', PICK_AND_PLACE, flags),
  ];
  expect(again.out).toBe(first.out);
  expect(
    new Set(
      (JSON.parse(first.out) as [Rehearsed])[0].variations.map((one) =>
        JSON.stringify(one.report.objects),
      ),
    ).size,
  ).toBe(5);
});
