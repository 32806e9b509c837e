import { expect, it } from 'vitest';
import { lockedByOtherText, lockHolderText } from './lock-holder.ts';

const ME = 7;
const view = (owner: 'you' | 'admin' | 'user', lockHolder: number | null) =>
  ({
    lock: { owner, status: 'locked' },
    sim: { lockHolder },
    user_id: ME,
  }) as Parameters<typeof lockHolderText>[0];

it.each([
  ['user', ME, 'Another session of yours holds the lock'],
  ['admin', ME, 'Another session of yours holds the lock'],
  ['user', 8, 'Another user holds the lock'],
  ['admin', null, 'An admin holds the lock'],
  ['you', ME, ''],
] as const)('a lock of %s, whose user is %s: "%s"', (owner, holder, text) => {
  expect(lockedByOtherText(view(owner, holder))).toBe(text);
});

it('says a role alone where the user is not known', () => {
  expect(lockHolderText({ ...view('user', null), sim: null, user_id: null })).toBe('another user');
});

it('says nothing of a free lock', () => {
  const free = { lock: { owner: 'none', status: 'unlocked' }, sim: null, user_id: ME } as const;
  expect([lockHolderText(free), lockedByOtherText(free)]).toEqual(['no one', '']);
});
