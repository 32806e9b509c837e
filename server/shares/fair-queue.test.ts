/** Work in turns: the owners alternate, whatever one of them has waiting. */
import { expect, it } from 'vitest';
import type { ShareRow } from '../../contract/shares.ts';
import type { Claimant } from './claimant.ts';
import { FairQueue } from './fair-queue.ts';
import { Share } from './share.ts';

const ROW: ShareRow<'share_used_up'> = {
  unit: 'works',
  total: 1,
  part: 1,
  forHolder: 0,
  forAdmins: 0,
  refusal: 'share_used_up',
  remedy: 'wait',
  retry_after_s: 1,
};

/** A queue whose work ends when the test says so. */
function stage(running: Partial<typeof ROW> = {}, waiting: Partial<typeof ROW> = {}) {
  const queue = new FairQueue(
    new Share({ ...ROW, ...running }),
    new Share({ ...ROW, total: 16, part: 7 / 8, ...waiting }),
  );
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const ask = (name: string, claimant: Partial<Claimant> = {}) =>
    queue.run({ owner: name[0]!, ...claimant }, () => {
      begun.push(name);
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
    });
  const settled = async () => {
    for (let i = 0; i < 10; i++) await null;
  };
  const end = async (name: string) => {
    ends.get(name)!();
    await settled();
  };
  return { queue, begun, ask, end, settled };
}

it('serves the owners in turns', async () => {
  const { begun, ask, end } = stage();
  const all = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map((name) => ask(name));
  for (let i = 0; i < all.length; i++) await end(begun[i]!);
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'b1', 'b2', 'c1']);
});

it('refuses the one whose share of the queue is full, and nobody else', async () => {
  const { ask, queue } = stage();
  const replies = Array.from({ length: 20 }, (_, i) => ask(`a${i}`));
  const refused = await Promise.all(replies.slice(15));
  expect(refused).toEqual(Array(5).fill(expect.objectContaining({ refused: 'share_used_up' })));
  void ask('b1');
  expect(queue.waiting.usedBy('b')).toBe(1);
});

it('starts what the lock holder asks for in the place that is kept for it', async () => {
  const { begun, ask, settled } = stage({ total: 2, forHolder: 1 });
  void ask('a1');
  void ask('a2');
  void ask('h1', { holdsLock: true });
  await settled();
  expect(begun).toEqual(['a1', 'h1']);
});

it('goes on after work that fails', async () => {
  const { queue, ask, begun } = stage();
  await expect(
    queue.run({ owner: 'a' }, () => Promise.reject(new Error('broken'))),
  ).rejects.toThrow('broken');
  void ask('a2');
  expect(begun).toEqual(['a2']);
});

it('does the next one of an owner who may do more at a time', async () => {
  const { begun, ask, end } = stage({ total: 6, part: 1 / 2 });
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2']) void ask(name);
  expect(begun).toEqual(['a1', 'a2', 'a3', 'b1']);
  await end('a1');
  await end('a2');
  expect(begun).toEqual(['a1', 'a2', 'a3', 'b1', 'b2', 'a4']);
});
