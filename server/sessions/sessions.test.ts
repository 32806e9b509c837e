/** The limits on the number of sessions: each caller can end only their own. */
import { expect, it } from 'vitest';
import { limits } from '../../contract/limits.ts';
import { Timers } from '../clock/twin-time.ts';
import { type Session, Sessions } from './users.ts';

function openSessions() {
  const ended: Session[] = [];
  const sessions = new Sessions({
    time: { now_s: 0, epoch_ms: 0, tick: 0 },
    timers: new Timers(),
    onEnd: (session) => ended.push(session),
  });
  const open = (user_id: number, token_id: number | null, count: number) =>
    Array.from({ length: count }, () => sessions.create(user_id, token_id));
  return { sessions, ended, open };
}

it('ends the oldest session of the same token beyond the limit of a token', () => {
  const { sessions, ended, open } = openSessions();
  const [bystander] = open(2, 20, 1);
  const [sibling] = open(1, 11, 1);
  const [first, second] = open(1, 10, limits.sessions_per_token + 1);
  expect(sessions.find(first!)).toBeNull();
  for (const kept of [second, sibling, bystander]) expect(sessions.find(kept!)).not.toBeNull();
  expect(ended).toHaveLength(1);
});

it('ends the oldest session of the same user beyond the limit of a user', () => {
  const { sessions, ended, open } = openSessions();
  const [bystander] = open(2, 20, 1);
  const [first] = open(1, null, limits.sessions_per_user + 1);
  expect(sessions.find(first!)).toBeNull();
  expect(sessions.find(bystander!)).not.toBeNull();
  expect(ended).toHaveLength(1);
});

it('ends a session of the user with the most when all together are too many', () => {
  const { sessions, ended, open } = openSessions();
  const [bystander] = open(1000, 1, 1);
  const users = limits.sessions / limits.sessions_per_user;
  for (let user_id = 1; user_id <= users; user_id++) open(user_id, null, limits.sessions_per_user);
  expect(sessions.size).toBe(limits.sessions);
  open(1001, 2, 5);
  expect(sessions.size).toBe(limits.sessions);
  expect(sessions.find(bystander!)).not.toBeNull();
  expect(ended.every(({ user_id }) => user_id <= users)).toBe(true);
});
