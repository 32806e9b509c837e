/** Sleeps of the pacer at very slow paces, ticks before work that would delay them, and dates. */
import { describe, expect, it } from 'vitest';
import type { ClockedLoop, Pace } from './clock.ts';
import { Pacer, runDueTicks } from './pacer.ts';
import { type TwinTime, ticksLeft, timestamp } from './twin-time.ts';
import type { WallClock } from './wall-clock.ts';

const cancel = () => {};

/** A wall clock that stands, with the sleeps that were asked for. */
function standingWall() {
  const naps: { readonly delay_ms: number; readonly callback: () => void }[] = [];
  const wall: WallClock & { time_ms: number } = {
    time_ms: 0,
    now_ms: () => wall.time_ms,
    epoch_ms: () => 0,
    after(delay_ms, callback) {
      naps.push({ delay_ms, callback });
      return cancel;
    },
    afterUnreferenced: () => cancel,
    soon: () => cancel,
  };
  return { wall, naps };
}

it.each([
  [1, 4],
  [0.5, 8],
  [1e-3, 4000],
  [1e-150, 60_000],
])('sleeps at a pace of %d for %d ms', (factor, nap_ms) => {
  const { wall, naps } = standingWall();
  const loop: ClockedLoop = {
    tick: 0,
    setbacks: 0,
    idle: true,
    halted: false,
    runTo: () => expect.fail('nothing is due'),
  };
  const clock = new Pacer({ kind: 'scaled', factor }, wall);
  clock.start(loop);
  expect(naps.map(({ delay_ms }) => delay_ms)).toEqual([nap_ms]);
  clock.stop();
});

/** A clock with a loop that counts its ticks; the wall clock is at `time_ms` later. */
function startedClock(pace: Pace) {
  const { wall, naps } = standingWall();
  const loop = {
    tick: 0,
    setbacks: 0,
    idle: true,
    halted: false,
    runTo(tick: number) {
      loop.tick = tick;
      // Work of a tick cannot run ticks itself.
      runDueTicks();
      expect(loop.tick).toBe(tick);
    },
  };
  const clock = new Pacer(pace, wall);
  clock.start(loop);
  return { wall, naps, loop, clock };
}

it('runs due ticks before other work, in the order and number of the schedule', () => {
  const { wall, naps, loop, clock } = startedClock({ kind: 'scaled', factor: 1 });
  for (const [time_ms, tick] of [
    [3.9, 0],
    [4, 1],
    [7.9, 1],
    [17, 4],
  ] as const) {
    wall.time_ms = time_ms;
    runDueTicks();
    expect([time_ms, loop.tick]).toEqual([time_ms, tick]);
  }
  // The next sleep ends when the fifth tick is due.
  expect(naps.at(-1)?.delay_ms).toBe(3);
  expect(clock.statistics().lateness_p99_ms).toBeLessThanOrEqual(9);
  clock.stop();
  wall.time_ms = 100;
  runDueTicks();
  expect(loop.tick).toBe(4);
});

it.each<[string, Pace, (started: ReturnType<typeof startedClock>) => void]>([
  ['faster than real time', { kind: 'scaled', factor: 10 }, () => {}],
  ['stepped', { kind: 'stepped' }, () => {}],
  ['paused', { kind: 'scaled', factor: 1 }, ({ clock }) => clock.setPaused(true)],
  ['halted', { kind: 'scaled', factor: 1 }, ({ loop }) => Object.assign(loop, { halted: true })],
])('leaves a clock that is %s alone', (_name, pace, change) => {
  const started = startedClock(pace);
  change(started);
  started.wall.time_ms = 40;
  runDueTicks();
  expect(started.loop.tick).toBe(0);
  started.clock.stop();
});

it.each([
  ['before its start', 2],
  ['after its start', 7],
])('ends the advance whose time is set back to %s', async (_name, tick) => {
  const wall: WallClock = {
    ...standingWall().wall,
    soon: (callback) => {
      setImmediate(callback);
      return cancel;
    },
  };
  const loop = {
    tick: 5,
    setbacks: 0,
    idle: true,
    halted: false,
    runTo() {
      loop.tick += 1;
    },
  };
  const clock = new Pacer({ kind: 'stepped' }, wall);
  clock.start(loop);
  const advanced = clock.advance(100, () => loop.tick === 50);
  await new Promise(setImmediate);
  expect(loop.tick).toBeLessThan(50);
  Object.assign(loop, { tick, setbacks: 1 });
  await advanced;
  expect(loop.tick).toBe(tick);
  clock.stop();
});

it('lets no tick pass between changes of pace and pause that are made together', () => {
  const { loop, clock } = startedClock({ kind: 'stepped' });
  loop.idle = false;
  clock.set({ pace: { kind: 'max' }, paused: true });
  expect(loop.tick).toBe(0);
  clock.set({ pace: { kind: 'stepped' }, paused: false });
  expect(loop.tick).toBe(0);
  clock.stop();
});

it('calls back while time passes by calls alone', () => {
  const { clock } = startedClock({ kind: 'scaled', factor: 1 });
  let calls = 0;
  const end = clock.whileHeld(() => {
    calls += 1;
  });
  expect(calls).toBe(0);
  clock.setPaused(true);
  expect(calls).toBe(1);
  clock.setPaused(false);
  clock.setPace({ kind: 'stepped' });
  expect(calls).toBe(2);
  end();
  clock.setPaused(true);
  expect(calls).toBe(2);
  clock.whileHeld(() => {
    calls += 1;
  });
  expect(calls).toBe(3);
  clock.stop();
});

it.each([1, 0.01, 1e-3, 1e-5])('runs each tick when it is due at a pace of %d', (factor) => {
  const { wall, naps, loop, clock } = startedClock({ kind: 'scaled', factor });
  for (const tick of [1, 2, 3]) {
    // Long sleeps are taken in parts.
    while (wall.time_ms < (4 * tick) / factor) {
      wall.time_ms += naps.at(-1)!.delay_ms;
      naps.at(-1)!.callback();
    }
    expect(loop.tick).toBe(tick);
  }
  clock.stop();
});

it('does not catch up on a time in which the process stood', () => {
  const { wall, naps, loop, clock } = startedClock({ kind: 'scaled', factor: 1 });
  wall.time_ms = 60_000;
  naps.at(-1)!.callback();
  expect(loop.tick).toBe(0);
  wall.time_ms = 60_004;
  naps.at(-1)!.callback();
  expect(loop.tick).toBe(1);
  clock.stop();
});

it('measures a factor of 0 while time stands', () => {
  const { wall, loop, clock } = startedClock({ kind: 'scaled', factor: 1 });
  const factorAt = (time_ms: number) => {
    wall.time_ms = time_ms;
    runDueTicks();
    return clock.statistics().real_time_factor;
  };
  for (let time_ms = 40; time_ms <= 2000; time_ms += 40) factorAt(time_ms);
  expect(factorAt(2001)).toBeCloseTo(1, 1);
  clock.setPaused(true);
  expect(factorAt(2100)).toBeCloseTo(1, 1);
  expect(factorAt(3200)).toBe(0);
  wall.time_ms = 9000;
  clock.setPaused(false);
  expect(clock.statistics().real_time_factor).toBe(0);
  // A snapshot sets the time back: that is no speed.
  loop.tick = 10;
  clock.setPace({ kind: 'stepped' });
  expect(factorAt(10_500)).toBe(0);
  clock.stop();
});

it('rejects the advance in which a tick of any slice fails, and runs the next one', async () => {
  const wall: WallClock = {
    ...standingWall().wall,
    soon: (callback) => {
      setImmediate(callback);
      return cancel;
    },
  };
  let runs = 0;
  const loop = {
    tick: 0,
    setbacks: 0,
    idle: true,
    halted: false,
    runTo() {
      if (++runs === 3) throw new Error('the tick failed');
      loop.tick += 1;
    },
  };
  const clock = new Pacer({ kind: 'stepped' }, wall);
  clock.start(loop);
  const first = clock.advance(5);
  const second = clock.advance(5);
  await expect(first).rejects.toThrow('the tick failed');
  await second;
  expect(loop.tick).toBe(7);
  clock.stop();
});

/**
 * A wall clock of a machine that computes all the time and switches between threads every 4 ms:
 * one sleep in ten that ends in between lasts until the next switch.
 */
function busyMachine() {
  let now_ms = 0;
  let sleeps = 0;
  let next: { at_ms: number; callback: () => void } | null = null;
  const wall: WallClock = {
    ...standingWall().wall,
    now_ms: () => now_ms,
    after(delay_ms, callback) {
      sleeps += 1;
      const end_ms = now_ms + delay_ms;
      next = { at_ms: sleeps % 10 === 0 ? 4 * Math.ceil(end_ms / 4) : end_ms, callback };
      return cancel;
    },
  };
  const runTo = (end_ms: number) => {
    while (next && next.at_ms <= end_ms) {
      const { at_ms, callback } = next;
      next = null;
      now_ms = at_ms;
      callback();
    }
    now_ms = end_ms;
  };
  return { wall, runTo };
}

it.each([0, 1, 2, 3, 1.5])(
  'places a schedule from %d ms on where the machine lets it run',
  (at_ms) => {
    const { wall, runTo } = busyMachine();
    const loop = {
      ...{ tick: 0, setbacks: 0, idle: true, halted: false },
      runTo(tick: number) {
        loop.tick = tick;
      },
    };
    const clock = new Pacer({ kind: 'scaled', factor: 1 }, wall);
    runTo(at_ms);
    clock.start(loop);
    runTo(60_000);
    expect(clock.statistics().lateness_p99_ms).toBeLessThanOrEqual(2);
    // It keeps time: the moves cancel each other.
    expect(Math.abs(4 * loop.tick - 60_000)).toBeLessThanOrEqual(8);
    clock.stop();
  },
);

describe('dates', () => {
  const at = (epoch_ms: number) => ({ epoch_ms }) as TwinTime;
  const last_ms = Date.parse('9999-12-31T23:59:59.999Z');

  it('have years of four digits', () => {
    expect(timestamp(at(0))).toBe('1970-01-01T00:00:00.000Z');
    expect(timestamp(at(last_ms))).toBe('9999-12-31T23:59:59.999Z');
    expect(timestamp(at(last_ms + 1))).toBe('9999-12-31T23:59:59.999Z');
    expect(timestamp(at(Number.MAX_VALUE))).toBe('9999-12-31T23:59:59.999Z');
  });

  it('end after whole ticks', () => {
    expect([0, 3, 4, 8, -5].map((left_ms) => ticksLeft(at(last_ms - left_ms)))).toEqual([
      ...[0, 0, 1, 2, 0],
    ]);
  });
});
