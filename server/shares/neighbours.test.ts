/**
 * Noisy neighbours: for every shared capacity, a plain user takes all that can be got and goes on
 * asking, and a bystander makes the same kind of call. Nine of ten of the bystander's are served,
 * soon, and nothing of theirs is gone afterwards. What is kept for the holder of the lock and for
 * admins is theirs when many users together have taken all the rest.
 */
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type ShareName, type ShareRow, shares } from '../../contract/shares.ts';
import { NEIGHBOURS, type Neighbour, type UserClaimant } from './neighbours.cases.ts';

const ATTACKER = { owner: 66 };
const BYSTANDER = { owner: 7 };
const HOLDER = { owner: 1, holdsLock: true };
const ADMIN = { owner: 2, isAdmin: true };
/** Plain users who take all that each of them can get. */
const CROWD = Array.from({ length: 30 }, (_, i) => ({ owner: 100 + i }));
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
  const has = await places.has(BYSTANDER.owner);
  // What an owner's own next one pushes out is never refused: as many as the largest share.
  for (let i = 0; i < 600 && (await places.take(ATTACKER)); i++);
  for (let i = 0; i < BEYOND; i++) await places.take(ATTACKER);
  const kept = await places.has(BYSTANDER.owner);
  let served = 0;
  for (let i = 0; i < CALLS; i++) served += Number(await places.take(BYSTANDER));
  return { before, has, kept, served };
}

/** The work of one is done within so many works of the attackers', one after another. */
async function besideWaiting(
  turns: Extract<Neighbour, { kind: 'turns' }>,
  row: ShareRow,
  { attackers, one }: { readonly attackers: readonly UserClaimant[]; readonly one: UserClaimant },
) {
  const ends: (() => void)[] = [];
  const work = () => new Promise<true>((resolve) => ends.push(() => resolve(true)));
  const waiting = attackers.flatMap((attacker) =>
    Array.from({ length: 2 * row.total + BEYOND }, () => turns.run(attacker, work)),
  );
  await settled();
  let served = 0;
  let longest = 0;
  for (let i = 0; i < CALLS; i++) {
    let isDone = false;
    let steps = 0;
    const call = turns.run(one, work).then((done) => {
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
      const who = { attackers: [ATTACKER], one: BYSTANDER };
      const { served, longest } = await besideWaiting(neighbour, shares[name], who);
      expect(served).toBeGreaterThanOrEqual(0.9 * CALLS);
      // Those that are being done when it comes, one turn of the other, and its own.
      expect(longest).toBeLessThanOrEqual(8);
      await neighbour.close?.();
    }
  });
});

/** The rows that keep something, and for whom. */
const reserved = tried.flatMap(([name, make]) => {
  const { forHolder, forAdmins }: ShareRow = shares[name];
  return [
    ...(forHolder > 0 ? [[name, 'the holder of the lock', HOLDER, make] as const] : []),
    ...(forAdmins > 0 ? [[name, 'an admin', ADMIN, make] as const] : []),
  ];
});

describe.each(reserved)('when many users have taken all of %s', (name, _who, one, make) => {
  it(`${_who} is served`, async () => {
    const neighbour = await make();
    if (neighbour.kind === 'places') {
      for (const attacker of CROWD) {
        for (let i = 0; i < 600 && (await neighbour.take(attacker)); i++);
      }
      expect(await neighbour.take(CROWD[0]!)).toBe(false);
      expect(await neighbour.take(one)).toBe(true);
    } else {
      const { served, longest } = await besideWaiting(neighbour, shares[name], {
        ...{ attackers: CROWD, one },
      });
      expect(served).toBe(CALLS);
      expect(longest).toBeLessThanOrEqual(CROWD.length + 8);
      await neighbour.close?.();
    }
  });
});

it('keeps something for who moves the arm, and for an admin who logs in, wherever they wait', () => {
  const kept = (whom: 'forHolder' | 'forAdmins') =>
    Object.entries<ShareRow>(shares).flatMap(([name, row]) => (row[whom] > 0 ? [name] : []));
  // Loading a toolpath needs a connection, a turn, a body that is read, and a plan.
  expect(kept('forHolder')).toEqual([
    ...['calls_in_turn', 'planning_queue', 'connections', 'document_queue', 'planning_threads'],
  ]);
  expect(kept('forAdmins')).toEqual([
    ...['calls_in_turn', 'connections', 'streams', 'password_queue', 'log_in_addresses'],
    'run_replay_queue',
  ]);
});

it('tries the others elsewhere', () => {
  const places = Object.values(NEIGHBOURS).filter((one) => typeof one === 'string');
  expect(places.filter((path) => !existsSync(path))).toEqual([]);
});
