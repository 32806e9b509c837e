/** The limits on the number of sessions: each caller can end only their own. */

import { describe, expect, it } from 'vitest';
import { limits } from '../../../contract/limits.ts';
import { Timers } from '../../clock/timers.ts';
import { tickOf } from '../../clock/twin-time.ts';
import { type Session, Sessions } from './sessions.ts';

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

describe('a session', () => {
  const time = { now_s: 100, epoch_ms: 0, tick: 25_000 };

  function started() {
    const timers = new Timers();
    const ended: Session[] = [];
    const sessions = new Sessions({ time, timers, onEnd: (session) => ended.push(session) });
    /** Lets time pass; timers that are due fire. */
    const passTo = (now_s: number) => {
      time.now_s = now_s;
      timers.fire(tickOf(now_s));
    };
    time.now_s = 100;
    return { sessions, timers, ended, passTo };
  }

  it('ends half an hour after its start or its last renewal, and after two days at most', () => {
    const { sessions, ended, passTo } = started();
    const [secret, other] = [sessions.create(1, 7), sessions.create(1, 7)];
    const session = sessions.find(secret)!;
    const idle_s = limits.session_idle_s;
    expect(session).toEqual({ user_id: 1, token_id: 7, created_s: 100, expires_s: 100 + idle_s });
    passTo(200);
    sessions.renew(session);
    expect(session.expires_s).toBe(200 + idle_s);
    passTo(100 + idle_s);
    expect([sessions.find(secret), sessions.find(other)]).toEqual([session, null]);
    expect([ended.length, sessions.size]).toEqual([1, 1]);
    const latest_s = 100 + limits.session_age_s;
    time.now_s = latest_s - 5;
    sessions.renew(session);
    expect(session.expires_s).toBe(latest_s);
    passTo(latest_s - 1);
    expect(sessions.find(secret)).toBe(session);
    time.now_s = latest_s;
    expect(sessions.find(secret)).toBeNull();
    passTo(latest_s);
    expect([ended[1], sessions.size]).toEqual([session, 0]);
    sessions.renew(session);
    expect(sessions.size).toBe(0);
  });

  it('keeps its remaining time when twin time is changed', () => {
    const { sessions } = started();
    const session = sessions.find(sessions.create(1, 7))!;
    const { expires_s } = session;
    time.now_s += 5000;
    sessions.shift(5000);
    expect(session).toMatchObject({ created_s: 5100, expires_s: expires_s + 5000 });
  });

  it('of a password has a hidden token of its own, below zero', () => {
    const { sessions } = started();
    const ids = [1, 1, 2].map((user_id) => sessions.find(sessions.create(user_id, null))?.token_id);
    expect(ids).toEqual([-1, -2, -3]);
  });

  it('is known by its user and token while it is open', () => {
    const { sessions, passTo } = started();
    passTo(100);
    for (const token_id of [10, 11]) sessions.create(1, token_id);
    sessions.create(2, 20);
    const asked: [number, number][] = [
      [1, 10],
      [1, 11],
      [1, 20],
      [2, 20],
      [2, 10],
      [3, 10],
    ];
    const open = () =>
      asked.filter(([user_id, token_id]) => sessions.hasTokenOf(user_id, token_id));
    expect(open()).toEqual([
      [1, 10],
      [1, 11],
      [2, 20],
    ]);
    sessions.endWhere(({ token_id }) => token_id === 10);
    expect(open()).toEqual([
      [1, 11],
      [2, 20],
    ]);
  });

  it('ends where it matches, and those who subscribed hear of it until they cancel', () => {
    const { sessions, timers, ended } = started();
    const heard: number[] = [];
    const cancel = sessions.onSessionEnd(({ token_id }) => heard.push(token_id));
    for (const token_id of [1, 2, 3]) sessions.create(token_id, token_id);
    sessions.endWhere(({ token_id }) => token_id === 2);
    expect([heard, sessions.size]).toEqual([[2], 2]);
    cancel();
    sessions.endWhere(() => true);
    expect([heard, sessions.size, ended.length]).toEqual([[2], 0, 3]);
    expect(timers.nextDue_tick()).toBe(Number.POSITIVE_INFINITY);
  });

  it('ends once, also when the end of another one ends it', () => {
    const { sessions, ended } = started();
    sessions.onSessionEnd(() => sessions.endWhere(() => true));
    for (const token_id of [1, 2, 3]) sessions.create(1, token_id);
    sessions.endWhere(() => true);
    expect(ended.map(({ token_id }) => token_id)).toEqual([1, 2, 3]);
  });
});
