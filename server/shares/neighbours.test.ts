/**
 * Noisy neighbours: for every shared capacity, a plain user takes all that can be got and goes on
 * asking, and a bystander makes the same kind of call. Nine of ten of the bystander's are served,
 * soon, and nothing of theirs is gone afterwards.
 */
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type ShareName, type ShareRow, shares } from '../../contract/shares.ts';
import { NEIGHBOURS, type Neighbour } from './neighbours.cases.ts';

const ATTACKER = 66;
const BYSTANDER = 7;
/** Calls of the bystander. */
const CALLS = 10;
/** Tries of the attacker after the first refusal. */
const BEYOND = 50;

const tried = Object.entries(NEIGHBOURS).flatMap(([name, make]) =>
  typeof make === 'string' ? [] : [[name as ShareName, make] as const],
);

const settled = async () => {
  for (let i = 0; i < 20; i++) await null;
};

/** The attacker has all that can be got, and the bystander some before and after. */
async function besideTaken(places: Extract<Neighbour, { kind: 'places' }>) {
  const before = await places.take(BYSTANDER);
  const has = await places.has(BYSTANDER);
  // What an owner's own next one pushes out is never refused: as many as the largest share.
  for (let i = 0; i < 600 && (await places.take(ATTACKER)); i++);
  for (let i = 0; i < BEYOND; i++) await places.take(ATTACKER);
  const kept = await places.has(BYSTANDER);
  let served = 0;
  for (let i = 0; i < CALLS; i++) served += Number(await places.take(BYSTANDER));
  return { before, has, kept, served };
}

/** The bystander's work is done within so many works of the attacker's, one after another. */
async function besideWaiting(turns: Extract<Neighbour, { kind: 'turns' }>, row: ShareRow) {
  const ends: (() => void)[] = [];
  const work = () => new Promise<true>((resolve) => ends.push(() => resolve(true)));
  const waiting = Array.from({ length: 2 * row.total + BEYOND }, () => turns.run(ATTACKER, work));
  await settled();
  let served = 0;
  let longest = 0;
  for (let i = 0; i < CALLS; i++) {
    let isDone = false;
    let steps = 0;
    const call = turns.run(BYSTANDER, work).then((done) => {
      isDone = true;
      return done;
    });
    for (await settled(); !isDone && ends.length > 0; steps++) {
      ends.shift()!();
      await settled();
    }
    served += Number((await call) === true);
    longest = Math.max(longest, steps);
  }
  while (ends.length > 0) {
    ends.shift()!();
    await settled();
  }
  await Promise.all(waiting);
  return { served, longest };
}

describe.each(tried)('beside one who takes all of %s', (name, make) => {
  it('another is served, and loses nothing', async () => {
    const neighbour = await make();
    if (neighbour.kind === 'places') {
      const { before, has, kept, served } = await besideTaken(neighbour);
      expect({ before, has, kept }).toEqual({ before: true, has: 1, kept: 1 });
      expect(served).toBeGreaterThanOrEqual(0.9 * CALLS);
    } else {
      const row = shares[name];
      const { served, longest } = await besideWaiting(neighbour, row);
      expect(served).toBeGreaterThanOrEqual(0.9 * CALLS);
      // Those that are being done when it comes, one turn of the other, and its own.
      expect(longest).toBeLessThanOrEqual(8);
      await neighbour.close?.();
    }
  });
});

it('tries the others elsewhere', () => {
  const places = Object.values(NEIGHBOURS).filter((one) => typeof one === 'string');
  expect(places.filter((path) => !existsSync(path))).toEqual([]);
});
