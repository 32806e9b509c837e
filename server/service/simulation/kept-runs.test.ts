/** Which runs are kept, without a twin: their begin and end, and restored states. */

import { describe, expect, it } from 'vitest';
import { limits } from '../../../contract/limits.ts';
import { ADA, type LiveArm, liveArm } from './live-arm.cases.ts';

/** The state of an arm now, as a snapshot keeps it. */
function saved(arm: LiveArm) {
  const { tick } = arm.loop;
  return { tick, robot: structuredClone(arm.robot.save(tick)), world: arm.world.snapshot() };
}

function restore(arm: LiveArm, { tick, robot, world }: ReturnType<typeof saved>): void {
  arm.world.restore(world, tick);
  arm.loop.restore(structuredClone(robot), tick);
}

const ids = (arm: LiveArm) => arm.runs.list().map(({ id }) => id);
const stopLoop = { kind: 'stop_loop', caller: ADA } as const;

describe('a kept run', () => {
  it('goes on while the robot ends its loop', async () => {
    const arm = await liveArm();
    arm.run('automatic', 3);
    arm.advance(0.2);
    arm.apply(stopLoop);
    arm.advance(0.1);
    expect(arm.robot.memory.state).toBe('stopping');
    expect(arm.runs.list()).toMatchObject([{ outcome: 'running', duration_s: 0.3 }]);
    arm.advance(20);
    expect(arm.runs.list()).toMatchObject([{ id: 1, outcome: 'finished' }]);
    expect(arm.runs.list()[0]!.duration_s).toBeGreaterThan(0.4);
  });

  it('is no way home', async () => {
    const arm = await liveArm();
    arm.apply({ kind: 'stand_at', joints: [0.3, 0.5, -1.7, 0, -1.2, 0] });
    arm.loop.applyWorldAction({ kind: 'place', joints: [0.3, 0.5, -1.7, 0, -1.2, 0] });
    arm.apply({ kind: 'home', caller: ADA });
    arm.advance(0.1);
    expect([arm.robot.memory.state, ids(arm)]).toEqual(['running', []]);
  });

  it('has who ran it, and the faults that were injected', async () => {
    const fault = { kind: 'driver', joint: 2, fault: 'lost' } as const;
    const arm = await liveArm([{ id: 4, acted: 1, fault }]);
    arm.run();
    expect(arm.runs.list()).toMatchObject([{ user_id: ADA.user_id, faults: [fault] }]);
  });

  it('can be replayed unless too much happened in it', async () => {
    const arm = await liveArm();
    arm.run();
    const isReplayable = () => arm.runs.list()[0]!.replayable;
    const push = () => arm.runs.onAction({ kind: 'push', force_n: [0, 0, 0] }, arm.loop.tick);
    const { inputs } = arm.runs.find(1)!;
    inputs!.push(...Array.from({ length: limits.robot_run_inputs - 1 }, () => ''));
    push();
    expect(isReplayable()).toBe(true);
    push();
    expect(isReplayable()).toBe(false);
  });
});

describe('a restored state', () => {
  it('takes away the run that it cuts off, and no finished one', async () => {
    const arm = await liveArm();
    const before = saved(arm);
    arm.run();
    arm.advance(20);
    restore(arm, before);
    expect(ids(arm)).toEqual([1]);
    arm.run();
    arm.advance(0.2);
    expect(ids(arm)).toEqual([2, 1]);
    restore(arm, before);
    expect(ids(arm)).toEqual([1]);
  });

  it('within a run begins another one, which is kept from there on', async () => {
    const arm = await liveArm();
    arm.run();
    arm.advance(0.2);
    const within = saved(arm);
    restore(arm, within);
    expect(arm.runs.list()).toMatchObject([{ id: 2, name: 'Small', tick: within.tick }]);
  });

  it('made by hand may run without a toolpath, which has no name then', async () => {
    const arm = await liveArm();
    arm.run();
    arm.advance(0.2);
    const within = saved(arm);
    within.robot = { ...within.robot, memory: { ...within.robot.memory, loaded: null } };
    restore(arm, within);
    expect(arm.runs.list()).toMatchObject([{ name: '', toolpath_hash: '', outcome: 'running' }]);
  });
});
