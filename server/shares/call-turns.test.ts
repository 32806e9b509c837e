import { describe, expect, it } from 'vitest';
import { systemClock } from '../clock/wall-clock.ts';
import { CallTurns } from './call-turns.ts';

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** The calls that have been answered, as they are answered. */
function answering() {
  const turns = new CallTurns(systemClock.soon);
  const answered: string[] = [];
  const call = (owner: string, name = owner) => {
    const wait = turns.turn({ owner });
    if (wait) void wait.then(() => answered.push(name));
    else answered.push(name);
  };
  return { turns, answered, call };
}

describe('calls in turns of the event loop', () => {
  it('answers a call at once where its owner has not called in this turn', () => {
    const { answered, call } = answering();
    call('eve');
    call('bob');
    expect(answered).toEqual(['eve', 'bob']);
  });

  it('answers the call of another before the many of one', async () => {
    const { answered, call } = answering();
    for (let i = 0; i < 100; i++) call('eve');
    call('bob');
    expect(answered).toEqual(['eve', 'bob']);
    await nextTurn();
    await nextTurn();
    call('bob');
    expect(answered.filter((name) => name === 'bob')).toHaveLength(2);
    expect(answered.length).toBeLessThan(10);
  });

  it('answers the calls of an owner in their order, all of them', async () => {
    const { turns, answered, call } = answering();
    for (let i = 0; i < 20; i++) call('eve', `eve ${i}`);
    for (let i = 0; i < 40; i++) await nextTurn();
    expect(answered).toEqual(Array.from({ length: 20 }, (_, i) => `eve ${i}`));
    expect(turns.queue.running.used).toBe(0);
  });
});
