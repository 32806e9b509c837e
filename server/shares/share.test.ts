/** Accounts of a shared capacity: what one owner may take, and what is always left for the next. */
import { expect, it } from 'vitest';
import type { ShareRow } from '../../contract/shares.ts';
import { Share } from './share.ts';

const ROW: ShareRow<'share_used_up'> = {
  unit: 'places',
  total: 16,
  part: 7 / 8,
  forHolder: 0,
  forAdmins: 0,
  refusal: 'share_used_up',
  remedy: 'leave one',
  retry_after_s: 3,
};

/** Takes as much as an owner gets, one at a time; returns how much. */
function takeAll(share: Share, owner: string, rest: object = {}): number {
  let taken = 0;
  while (share.refusal({ owner, ...rest }) === null) {
    share.add(owner);
    taken++;
  }
  return taken;
}

it('gives one who is alone nearly all, and the next nearly all of the rest', () => {
  const share = new Share(ROW);
  expect([takeAll(share, 'ada'), takeAll(share, 'bob'), takeAll(share, 'eve')]).toEqual([14, 1, 1]);
  expect(share.used).toBe(16);
});

it('takes back what an owner had, so that all come to equal parts under contention', () => {
  const share = new Share(ROW);
  takeAll(share, 'ada');
  // One of Ada's ends at a time; whoever may takes the place, and Bob always asks first.
  for (let i = 0; i < 40; i++) {
    if (share.usedBy('ada') > 0) share.add('ada', -1);
    if (share.refusal({ owner: 'bob' }) === null) share.add('bob');
    if (share.refusal({ owner: 'ada' }) === null) share.add('ada');
  }
  expect(share.usedBy('bob')).toBeGreaterThanOrEqual(share.usedBy('ada'));
});

it('keeps places that only the holder of the lock, and only admins, may take', () => {
  const share = new Share({ ...ROW, forHolder: 2, forAdmins: 3 });
  expect(takeAll(share, 'ada') + takeAll(share, 'bob') + takeAll(share, 'eve')).toBe(11);
  expect(takeAll(share, 'root', { isAdmin: true })).toBe(2);
  expect(takeAll(share, 'holder', { holdsLock: true })).toBe(2);
});

it('says what is used by whom, how to free it and when to come again', () => {
  const share = new Share(ROW);
  takeAll(share, 'ada');
  share.add('bob');
  expect(share.refusal({ owner: 'ada' })).toEqual({
    refused: 'share_used_up',
    details: '13 places are your share now and you use 14; others use 1 of 16: leave one',
    count: 0,
    retry_after_s: 3,
  });
  share.clear();
  expect(share.owners.size).toBe(0);
});

it('refuses more than a part of what is left at once, and takes it back in one', () => {
  const share = new Share(ROW);
  expect(share.refusal({ owner: 'ada' }, 15)).not.toBeNull();
  share.add('ada', 14);
  share.add('ada', -14);
  expect([share.used, share.owners.size]).toEqual([0, 0]);
});
