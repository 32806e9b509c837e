/** What the stream of the simulation control API carries of log, touches, lock and clock. */

import { describe, expect, it } from 'vitest';
import type { ArmWorld, Touch } from '../../../bridge/arm-world.ts';
import type { SimClock } from '../../../contract/types.generated.ts';
import type { LockMemory } from '../../robot/memory.ts';
import { EVERYONE } from '../stream/audience.ts';
import type { Hub } from '../stream/hub.ts';
import { SimulationStream } from './simulation-stream.ts';

const LOCK: LockMemory = {
  holder: { user_id: 3, token_id: 4, role: 'user' },
  expires_tick: 1000,
};
const touch = (obstacle: string, force_n = 1): Touch => ({ link: 6, obstacle, force_n });

/** A stream whose world, lock and subscribers the test changes. */
function streamed(hasWorld = true) {
  const state = { size: 1, lock: null as LockMemory | null, touches: [] as Touch[] };
  const published: object[] = [];
  const hub = {
    get size() {
      return state.size;
    },
    publish: (message: object, receivers: unknown) => {
      expect(receivers).toBe(EVERYONE);
      published.push(message);
    },
  };
  const world = { touches: () => state.touches } as Partial<ArmWorld> as ArmWorld;
  const stream = new SimulationStream({
    hub: hub as Partial<Hub> as Hub,
    world: hasWorld ? world : null,
    lock: () => state.lock,
    clock: () => ({ tick: 7 }) as SimClock,
  });
  return { stream, state, take: () => published.splice(0) };
}

describe('the simulation stream', () => {
  it('carries the log with its ticks, and no other events of the robot', () => {
    const { stream, take } = streamed();
    stream.onEvents(
      [
        { kind: 'log', level: 'warning', text: 'a text' },
        { kind: 'safety', state: 'normal' as never },
        { kind: 'completed', refusal: null },
      ],
      42,
    );
    expect(take()).toEqual([{ type: 'log', level: 'warning', text: 'a text', tick: 42 }]);
  });

  it('carries who has the lock and for how long, also that it is free', () => {
    const { stream, state, take } = streamed();
    state.lock = LOCK;
    stream.onEvents([{ kind: 'lock_status', holder: LOCK.holder }], 250);
    expect(take()).toEqual([{ type: 'lock', holder: { user_id: 3, role: 'user' }, left_s: 3 }]);
    state.lock = null;
    stream.onEvents([{ kind: 'lock_status', holder: null }], 251);
    expect(take()).toEqual([{ type: 'lock', holder: null, left_s: 0 }]);
  });

  it('carries the clock once a second, with the lock while one is held', () => {
    const { stream, state, take } = streamed();
    for (let tick = 1; tick < 250; tick++) stream.onTick(null, tick);
    expect(take()).toEqual([]);
    for (let tick = 250; tick < 500; tick++) stream.onTick(null, tick);
    expect(take()).toEqual([{ type: 'clock', clock: { tick: 7 } }]);
    state.lock = LOCK;
    stream.onTick(null, 500);
    expect(take()).toMatchObject([{ type: 'clock' }, { type: 'lock', left_s: 2 }]);
  });

  it('carries the touching bodies when other ones touch', () => {
    const { stream, state, take } = streamed();
    state.touches = [touch('a')];
    stream.onTick(null, 1);
    expect(take()).toEqual([{ type: 'touching', touches: [touch('a')] }]);
    state.touches = [touch('a', 9)];
    stream.onTick(null, 2);
    expect(take()).toEqual([]);
    state.touches = [touch('a'), touch('b')];
    stream.onTick(null, 3);
    state.touches = [];
    stream.onTick(null, 4);
    expect(take()).toMatchObject([
      { touches: [{ obstacle: 'a' }, { obstacle: 'b' }] },
      { touches: [] },
    ]);
  });

  it('carries the touching bodies also where their names make the same text', () => {
    const { stream, state, take } = streamed();
    state.touches = [touch('a'), touch('b')];
    stream.onTick(null, 1);
    state.touches = [touch('a6 b')];
    stream.onTick(null, 2);
    expect(take()).toMatchObject([{ type: 'touching' }, { touches: [{ obstacle: 'a6 b' }] }]);
  });

  it('carries clock and log without a simulated world', () => {
    const { stream, take } = streamed(false);
    stream.onTick(null, 250);
    expect(take()).toMatchObject([{ type: 'clock' }]);
  });

  it('is silent without a subscriber', () => {
    const { stream, state, take } = streamed();
    Object.assign(state, { size: 0, touches: [touch('a')], lock: LOCK });
    stream.onTick(null, 250);
    stream.onEvents([{ kind: 'log', level: 'info', text: 'a text' }], 250);
    expect(take()).toEqual([]);
  });
});
