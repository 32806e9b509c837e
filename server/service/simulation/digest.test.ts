/** The running digest: what of a twin it contains, and what it does not depend on. */

import { describe, expect, it } from 'vitest';
import type { Feedback } from '../../../bridge/arm-driver.ts';
import { createSimulatedArm } from '../../../bridge/simulated/simulated-arm.ts';
import { writeIo } from '../../robot/io.ts';
import { createMemory, type RobotMemory } from '../../robot/memory.ts';
import { Digest } from './digest.ts';

type Joints = 'position_rad' | 'velocity_rad_s';

/** A digest of a twin whose memory and joints the test changes. */
function digested(world: ConstructorParameters<typeof Digest>[0]['world'] = null) {
  const memory = createMemory();
  const joints: Record<Joints, number[]> = {
    position_rad: [0, 0, 0, 0, 0, 0],
    velocity_rad_s: [0, 0, 0, 0, 0, 0],
  };
  const latestFeedback = joints as object as Feedback;
  const present = { tick: 0, latestFeedback };
  const digest = new Digest({ robot: { memory }, world, loop: () => present });
  const runTo = (end: number) => {
    while (present.tick < end) digest.onTick(latestFeedback, ++present.tick);
  };
  /** Skips ticks in which nothing happens. */
  const jumpTo = (tick: number) => {
    present.tick = tick;
    digest.onTick(latestFeedback, tick);
  };
  const log = (text: string) => digest.onEvents([{ kind: 'log', level: 'info', text }]);
  return { digest, present, memory, joints, runTo, jumpTo, log };
}

type Digested = ReturnType<typeof digested>;

/** The digest at tick 600 after something at tick 100, which is undone at tick 110 if so given. */
function digestAfter(happens: (twin: Digested) => void, undo?: (twin: Digested) => void): string {
  const twin = digested();
  twin.runTo(100);
  happens(twin);
  twin.runTo(110);
  undo?.(twin);
  twin.runTo(600);
  return twin.digest.value();
}

const UNCHANGED = digestAfter(() => {});
const caller = { user_id: 1, token_id: 3, role: 'admin' } as const;
const activity: RobotMemory['activity'] = {
  ...{ kind: 'home', mode: 'teach', scheduled: false, payload_kg: 0, at: '' },
  cursor: { step: 0, wait_started_s: null },
};

/** Changes of the memory, and what it was before. */
const CHANGES: readonly (readonly [string, Partial<RobotMemory>])[] = [
  ['state', { state: 'error' }],
  ['loop count', { loop_count: 1 }],
  ['loop target', { loop_target: 2 }],
  ['emergency stop', { estop: true }],
  ['lock', { lock: { holder: caller, expires_tick: 10_000 } }],
  ['activity', { activity }],
];

describe('the digest', () => {
  it('is a SHA-256, and the same for the same', () => {
    expect(UNCHANGED).toMatch(/^[0-9a-f]{64}$/);
    expect(digestAfter(() => {})).toBe(UNCHANGED);
  });

  it.each(CHANGES)('contains a change of the %s, also one that comes and goes', (_what, change) => {
    const happens = ({ memory }: Digested) => void Object.assign(memory, change);
    const undo = ({ memory }: Digested) => {
      const before = createMemory();
      const keys = Object.keys(change) as (keyof RobotMemory)[];
      Object.assign(memory, Object.fromEntries(keys.map((key) => [key, before[key]])));
    };
    const stays = digestAfter(happens);
    const goes = digestAfter(happens, undo);
    expect(new Set([UNCHANGED, stays, goes]).size).toBe(3);
  });

  it.each(['inputs', 'outputs'] as const)(
    'contains a signal of the %s that comes and goes',
    (side) => {
      const write = (value: boolean) => (twin: Digested) =>
        writeIo(twin.memory.io, side, 'd1', value);
      const stays = digestAfter(write(true));
      const goes = digestAfter(write(true), write(false));
      expect(new Set([UNCHANGED, stays, goes]).size).toBe(3);
    },
  );

  it('contains at which tick a signal came and went', () => {
    const cameAt = (tick: number) => {
      const twin = digested();
      twin.runTo(tick);
      writeIo(twin.memory.io, 'inputs', 'd1', true);
      twin.runTo(120);
      writeIo(twin.memory.io, 'inputs', 'd1', false);
      twin.runTo(600);
      return twin.digest.value();
    };
    expect(cameAt(100)).not.toBe(cameAt(101));
  });

  it.each(['position_rad', 'velocity_rad_s'] as const)('contains each %s, bit for bit', (which) => {
    const values = [0, 1, 2, 3, 4, 5].map((joint) => {
      const twin = digested();
      twin.joints[which][joint] = 1e-300;
      return twin.digest.value();
    });
    expect(new Set([digested().digest.value(), ...values]).size).toBe(7);
  });

  it('contains where the joints were in each second', () => {
    const passed = digestAfter(
      ({ joints, runTo }) => {
        joints.position_rad[0] = 1;
        runTo(260);
      },
      ({ joints }) => {
        joints.position_rad[0] = 0;
      },
    );
    expect(passed).not.toBe(UNCHANGED);
  });

  it('contains no motion that returns within a second, with and without a log', () => {
    const moves = ({ joints }: Digested) => {
      joints.position_rad[0] = 1;
    };
    const returns = ({ joints }: Digested) => {
      joints.position_rad[0] = 0;
    };
    expect(digestAfter(moves, returns)).toBe(UNCHANGED);
    const logs = ({ log }: Digested) => log('one');
    const logsAndMoves = (twin: Digested) => {
      logs(twin);
      moves(twin);
    };
    expect(digestAfter(logsAndMoves, returns)).toBe(digestAfter(logs));
  });

  it('contains the log, of the present second too', () => {
    const one = digestAfter(({ log }) => log('one'));
    const two = digestAfter(({ log }) => log('two'));
    expect(new Set([UNCHANGED, one, two]).size).toBe(3);
    const later = ['one', 'two'].map((text) => {
      const quiet = digested();
      quiet.runTo(300);
      quiet.log(text);
      quiet.runTo(600);
      return quiet.digest.value();
    });
    expect(new Set([UNCHANGED, ...later]).size).toBe(3);
    const twin = digested();
    twin.runTo(10);
    const before = twin.digest.value();
    twin.digest.onEvents([{ kind: 'lock_status', holder: null }]);
    expect(twin.digest.value()).toBe(before);
    twin.log('one');
    expect(twin.digest.value()).not.toBe(before);
  });

  it('contains the present tick and a change just made', () => {
    const twin = digested();
    twin.runTo(10);
    const before = twin.digest.value();
    expect(twin.digest.value()).toBe(before);
    twin.runTo(11);
    const later = twin.digest.value();
    writeIo(twin.memory.io, 'outputs', 'd0', true);
    expect(new Set([before, later, twin.digest.value()]).size).toBe(3);
  });

  it('contains the cell', async () => {
    const arm = createSimulatedArm({ plant: 'fast' });
    await arm.start();
    const { digest } = digested(arm.world);
    const without = digest.value();
    expect(without).toBe(digested().digest.value());
    const shape = { kind: 'box', size_m: { x: 0.1, y: 0.1, z: 0.1 } } as const;
    const position = { x: 0.5, y: 0.3, z: 0 };
    arm.world.setCell({ name: 'c', objects: [{ name: 'a', position, mass_kg: 1, shape }] });
    expect(digest.value()).not.toBe(without);
  });

  it('is the same with and without jumps over ticks in which nothing happens', () => {
    const jumped = digested();
    jumped.runTo(100);
    jumped.jumpTo(600);
    expect(jumped.digest.value()).toBe(UNCHANGED);
  });

  it('begins again after a reset, as that of a new twin', () => {
    const twin = digested();
    const start = twin.digest.save();
    writeIo(twin.memory.io, 'inputs', 'd1', true);
    twin.log('one');
    twin.runTo(260);
    twin.log('two');
    writeIo(twin.memory.io, 'inputs', 'd1', false);
    twin.runTo(270);
    twin.digest.restore(start, 0);
    twin.jumpTo(0);
    twin.runTo(600);
    const fresh = digested();
    fresh.jumpTo(0);
    fresh.runTo(600);
    expect(twin.digest.value()).toBe(fresh.digest.value());
  });

  it.each([100, 249, 250, 263, 512])('continues from a state saved at tick %i', (at) => {
    /** Something happens every 37th tick, the same in each twin. */
    const goOn = (twin: Digested, from: number) => {
      for (let tick = from; tick <= 900; tick++) {
        if (tick > from) twin.runTo(tick);
        if (tick % 37 !== 0) continue;
        writeIo(twin.memory.io, 'inputs', 'd1', tick % 2 === 0);
        twin.joints.position_rad[0] = tick;
        twin.log(`tick ${tick}`);
      }
      return twin.digest.value();
    };
    const twin = digested();
    let state = twin.digest.save();
    const runOn = twin.digest.onTick.bind(twin.digest);
    twin.digest.onTick = (feedback, tick) => {
      runOn(feedback, tick);
      if (tick === at) state = structuredClone(twin.digest.save());
    };
    const original = goOn(twin, 0);
    const other = digested();
    goOn(other, 880);
    Object.assign(other.memory, createMemory());
    const passed = 37 * Math.floor((at - 1) / 37);
    writeIo(other.memory.io, 'inputs', 'd1', passed % 2 === 0);
    other.joints.position_rad[0] = passed;
    other.digest.restore(state, at);
    other.present.tick = at;
    expect(goOn(other, at)).toBe(original);
  });
});
