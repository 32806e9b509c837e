/** The status of a robot without a twin: progress in a run, and when it is reported. */

import { describe, expect, it } from 'vitest';
import type { Feedback } from '../../../bridge/arm-driver.ts';
import type { SimActivity, SimStatus, Toolpath } from '../../../contract/types.generated.ts';
import { END_OF_LOOP, type ProgramStep } from '../../../physics/toolpath/program.ts';
import { planTasks, sourceOf } from '../../planning/plan-tasks.ts';
import { readInput } from '../../robot/io.ts';
import type { LoadedToolpath } from '../../robot/loaded-toolpath.ts';
import { type Activity, createMemory, type RobotMemory } from '../../robot/memory.ts';
import type { Robot } from '../../robot/robot.ts';
import { IdealArm, toolpathOf } from '../../robot/robot-harness.cases.ts';
import { ADA, type LiveArm, liveArm, SMALL } from './live-arm.cases.ts';
import { RobotStatus } from './robot-status.ts';

/** Moves, waits for input 0, waits a second, and moves back. */
function waitingToolpath(): LoadedToolpath {
  const io = { location: 'base', type: 'digital', index: 0 } as const;
  const [home, there, back] = SMALL.timeline;
  const toolpath: Toolpath = {
    ...SMALL,
    timeline: [
      ...[home!, there!],
      { type: 'wait', condition: { type: 'input', io, value: true } },
      { type: 'wait', condition: { type: 'time', duration: 1 } },
      back!,
    ],
  };
  const json = new TextEncoder().encode(JSON.stringify(toolpath));
  const task = { toolpath: json, timing: null, range: null };
  const plan = planTasks.program(task);
  if (plan.kind !== 'built') throw new Error(plan.error);
  const { program } = plan;
  const source = sourceOf(task, plan);
  return { name: 'Waits', hash: 'waits', metadata: SMALL.metadata, program, source };
}

/** A status that follows an arm; `reports` has the ticks of its reports. */
function followed(arm: LiveArm) {
  const reports: SimStatus[] = [];
  const status = new RobotStatus(arm.robot, (read) => void reports.push(read()));
  arm.loop.subscribe(status);
  status.onRestore(arm.loop.tick, arm.loop.latestFeedback);
  reports.length = 0;
  const activity = (): SimActivity => {
    const found = status.status().activity;
    if (!found) throw new Error('nothing runs');
    return found;
  };
  return { status, activity, reports };
}

async function waitingArm() {
  const arm = await liveArm();
  arm.apply({ kind: 'load', caller: ADA, toolpath: waitingToolpath() });
  return { arm, ...followed(arm) };
}

const setInput = (arm: LiveArm, d0: boolean) => arm.apply({ kind: 'inputs', values: { d0 } });

describe('the status in a run', () => {
  it('counts time in the loop, and waits for signals apart', async () => {
    const { arm, activity } = await waitingArm();
    arm.run();
    arm.advance(0.2);
    const moving = activity();
    expect(moving).toMatchObject({ kind: 'run', mode: 'automatic', loop_waited_s: 0 });
    expect(moving.loop_time_s).toBeCloseTo(0.2, 2);
    expect(moving).toMatchObject({ waiting: null, to_start: false, step: { at: '/timeline/1' } });
    arm.advance(3);
    const waiting = activity();
    expect(waiting.waiting?.condition.type).toBe('input');
    expect(waiting.loop_time_s).toBeCloseTo(3.2, 2);
    expect(waiting.loop_waited_s).toBeCloseTo(3.2 - (waiting.waiting!.since_s - 2), 2);
    setInput(arm, true);
    arm.advance(0.5);
    const timed = activity();
    expect(timed.waiting?.condition.type).toBe('time');
    expect(timed.loop_waited_s).toBeCloseTo(waiting.loop_waited_s, 1);
    const { loop_remaining_s } = timed;
    arm.advance(loop_remaining_s - 0.05);
    expect(activity().step).toMatchObject({ at: '/timeline/4' });
    arm.advance(0.1);
    expect(arm.robot.memory.state).toBe('ready');
  });

  it('has no steps on the way home, and says that a run goes to its start', async () => {
    const { arm, activity } = await waitingArm();
    arm.apply({ kind: 'stand_at', joints: [0.3, 0.5, -1.7, 0, -1.2, 0] });
    arm.loop.applyWorldAction({ kind: 'place', joints: [0.3, 0.5, -1.7, 0, -1.2, 0] });
    arm.apply({ kind: 'home', caller: ADA });
    arm.advance(0.1);
    const home = activity();
    expect(home).toMatchObject({ kind: 'home', to_start: false, step: null, waiting: null });
    expect(home.loop_remaining_s).toBeGreaterThan(0);
    arm.apply({ kind: 'abort_motion', caller: ADA });
    arm.advance(2);
    arm.run();
    arm.advance(0.05);
    expect(activity()).toMatchObject({ kind: 'run', to_start: true, step: null, waiting: null });
  });

  it('begins again with each loop', async () => {
    const arm = await liveArm();
    const { activity } = followed(arm);
    arm.run('automatic', 3);
    while (arm.robot.memory.loop_count === 0) arm.advance(0.004);
    expect(activity().loop_time_s).toBeLessThan(0.05);
    arm.advance(0.2);
    expect(activity().loop_time_s).toBeCloseTo(0.2, 1);
  });

  it('knows the planned time so far after a restore without counts', async () => {
    const { arm, status, activity } = await waitingArm();
    arm.run();
    arm.advance(0.3);
    const { tick } = arm.loop;
    const kept = { robot: arm.robot.save(tick), world: arm.world.snapshot() };
    const saved = { robot: structuredClone(kept.robot), world: kept.world };
    const before = activity();
    const counts = status.save();
    arm.advance(2);
    const restore = () => {
      arm.world.restore(saved.world, tick);
      arm.loop.restore(structuredClone(saved.robot), tick);
    };
    restore();
    expect(activity().loop_time_s).toBeCloseTo(before.loop_time_s, 1);
    expect(status.status().state_since_s).toBe(tick / 250);
    status.restore(counts, 0);
    expect(activity()).toEqual(before);
    expect(status.status().state_since_s).toBe(2);
    status.restore(counts, 50);
    expect(status.status().state_since_s).toBeCloseTo(2.2, 6);
    expect(status.save()).toEqual({ ...counts, state_tick: counts.state_tick + 50 });
  });
});

it('the status names the source of an emergency stop', () => {
  const sourceOf = (memory: Partial<RobotMemory>) => {
    const robot = { memory: { ...createMemory(), ...memory } } as Partial<Robot> as Robot;
    return new RobotStatus(robot, () => {}).status().emergency_stop;
  };
  expect(sourceOf({})).toBe(null);
  expect(sourceOf({ estop: true, estop_by_hand: true })).toBe('simulated');
  expect(sourceOf({ estop: true, estop_wired: true })).toBe('wired');
});

describe('reports of the status', () => {
  const gapsOf = (reports: readonly SimStatus[]) => {
    const ticks = reports.map(({ tick }) => tick);
    return ticks.slice(1).map((tick, i) => tick - ticks[i]!);
  };

  it('come ten times a second in motion, and once a second at rest', async () => {
    const { arm, reports } = await waitingArm();
    const tick = () => arm.advance(0.004);
    for (let i = 0; i < 800; i++) tick();
    expect(gapsOf(reports.splice(0))).toEqual([250, 250, 250]);
    arm.run();
    for (let i = 0; i < 500; i++) tick();
    const gaps = gapsOf(reports);
    expect(Math.max(...gaps)).toBe(25);
    expect(gaps.filter((gap) => gap === 25).length).toBeGreaterThan(10);
    expect(gaps.filter((gap) => gap < 25).length).toBeLessThan(10);
  });

  it('come at once with each change that is shown', async () => {
    const { arm, reports } = await waitingArm();
    const latest = () => reports.splice(0).at(-1);
    arm.apply({ kind: 'estop', engaged: true });
    expect(latest()).toMatchObject({ state: 'disabled', emergency_stop: 'simulated' });
    arm.apply({ kind: 'estop', engaged: false });
    arm.advance(0.1);
    arm.loop.applyWorldAction({ kind: 'joint_fault', joint: 2, fault: 'overheated' });
    arm.advance(0.004);
    expect(latest()).toMatchObject({
      ...{ state: 'error', fault: { kind: 'overheated', joint: 2 }, emergency_stop: null },
      error: expect.stringContaining('J3'),
    });
  });

  it('come with each step and each wait of a run', async () => {
    const { arm, reports } = await waitingArm();
    setInput(arm, true);
    arm.run();
    arm.advance(10);
    const steps = reports.flatMap(({ activity }) => activity?.step?.at ?? []);
    expect([...new Set(steps)]).toEqual(['/timeline/1', '/timeline/3', '/timeline/4']);
    expect(reports.at(-1)).toMatchObject({ state: 'ready', activity: null, error: null });
    const ended = reports.findIndex(({ state, tick }) => state === 'ready' && tick > 500);
    expect(gapsOf(reports.slice(0, ended + 1)).every((gap) => gap <= 25)).toBe(true);
  });

  it('come with a restore', async () => {
    const { arm, status, reports } = await waitingArm();
    const { tick } = arm.loop;
    arm.loop.restore(structuredClone(arm.robot.save(tick)), tick);
    expect(reports.splice(0)).toMatchObject([{ tick, state: 'ready', activity: null }]);
    status.restore({ state_tick: 5, loop_ticks: 0, waited_ticks: 0 }, 0);
    expect(reports).toMatchObject([{ state_since_s: 0.02 }]);
  });
});

/** The status of a robot whose memory the test sets, with `moving_s` left of its motion. */
function statusOf(changes: Partial<RobotMemory>, moving_s = 0) {
  const memory: RobotMemory = { ...createMemory(), ...changes };
  const robot = { memory, remainingMotion_s: moving_s, source: { seed: 1 } } as object as Robot;
  const reports: number[] = [];
  const status = new RobotStatus(robot, (read) => void reports.push(read().tick));
  const feedback: Feedback = new IdealArm().feedback;
  return { memory, status, feedback, reports };
}

/** A run at the first step, before it has begun. */
const runAt = (cursor: Partial<Activity['cursor']> = {}): Activity => ({
  ...{ kind: 'run', mode: 'automatic', scheduled: false, payload_kg: 0, at: '' },
  cursor: { step: 0, wait_started_s: null, ...cursor },
});

const PLACE = { at: '/timeline/1', cell: [1, 2] } as const;
const WAIT: ProgramStep = {
  ...{ kind: 'wait', ...PLACE, next: END_OF_LOOP },
  condition: { type: 'time', duration: 5 },
};
const OUTPUT: ProgramStep = {
  ...{ kind: 'output', ...PLACE, next: END_OF_LOOP, value: true },
  io: { location: 'base', type: 'digital', index: 0 },
};

describe('the status at a step', () => {
  const running = (steps: readonly ProgramStep[], cursor: Partial<Activity['cursor']> = {}) => ({
    ...({ state: 'running', activity: runAt(cursor), loaded: toolpathOf(steps) } as const),
  });

  it('waits since the wait has begun, and not before', () => {
    const shown = (wait_started_s: number | null) =>
      statusOf(running([WAIT], { wait_started_s })).status.status().activity;
    const step = { index: 0, count: 1, ...PLACE };
    expect(shown(null)).toMatchObject({ step, waiting: null, loop_remaining_s: 5 });
    const waiting = { condition: { type: 'time', duration: 5 }, since_s: 0 };
    expect(shown(0)).toMatchObject({ step, waiting, to_start: false });
  });

  it('is not on the way to the start once the first step waits', () => {
    const toStart = (wait_started_s: number | null) =>
      statusOf(running([WAIT], { wait_started_s }), 1).status.status().activity?.to_start;
    expect([toStart(null), toStart(0)]).toEqual([true, false]);
  });

  it('waits at no other step, as a snapshot made by hand may have it', () => {
    const { status, feedback } = statusOf(running([OUTPUT], { wait_started_s: 0 }));
    status.onTick(feedback, 250);
    const activity = { waiting: null, loop_time_s: 1, loop_waited_s: 0, step: PLACE };
    expect(status.status()).toMatchObject({ activity });
  });

  it('takes no planned time to wait for a signal, whatever its condition says besides', () => {
    const io = { location: 'base', type: 'digital', index: 0 } as const;
    const condition = { type: 'input', io, value: true, duration: 3 } as const;
    const signal: ProgramStep = { kind: 'wait', ...PLACE, condition, next: 1 };
    const { status, feedback } = statusOf(running([signal, WAIT], { wait_started_s: 0 }));
    status.onTick(feedback, 250);
    expect(status.status().activity).toMatchObject({ loop_remaining_s: 5, loop_waited_s: 1 });
  });

  it('is none without a toolpath, as a snapshot made by hand may have it', () => {
    const { status, feedback } = statusOf({
      ...{ state: 'running', activity: runAt({ wait_started_s: 0 }) },
    });
    status.onRestore(250, feedback);
    status.onTick(feedback, 500);
    const activity = { step: null, waiting: null, loop_time_s: 1, loop_waited_s: 0 };
    expect(status.status()).toMatchObject({ activity });
  });

  it('takes the branch of the present noise of an open input', () => {
    const tick = 1000;
    const { io } = createMemory();
    const [now, first] = [readInput(io, 'a0', tick, 1), readInput(io, 'a0', 0, 0)] as number[];
    expect(now).not.toBe(first);
    const middle = (now! + first!) / 2;
    const range =
      now! > first!
        ? ({ operator: 'above', thresholds: { upper: middle } } as const)
        : ({ operator: 'below', thresholds: { lower: middle } } as const);
    const address = { location: 'base', type: 'analog', index: 0 } as const;
    const condition = { type: 'input', io: address, ...range } as const;
    const branches = [{ condition, next: 1 }];
    const choice: ProgramStep = { kind: 'branch', ...PLACE, branches, otherwise: END_OF_LOOP };
    const { status, feedback } = statusOf(running([choice, WAIT]));
    status.onTick(feedback, tick);
    expect(status.status().activity).toMatchObject({ loop_remaining_s: 5 });
  });
});

it('the status names the fault of an error, also behind an emergency stop', () => {
  const faultIn = (state: RobotMemory['state'], error: string | null) => {
    const fault = { kind: 'lost', joint: 2, message: 'J3 is lost' } as const;
    const error_cause = error === null ? null : { ...fault, isReported: true };
    const { status, feedback } = statusOf({ state, error, error_cause });
    status.onTick({ ...feedback, fault }, 1);
    return status.status().fault;
  };
  expect(faultIn('error', 'J3 is lost')).toEqual({ kind: 'lost', joint: 2 });
  expect(faultIn('disabled', 'J3 is lost')).toEqual({ kind: 'lost', joint: 2 });
  expect(faultIn('ready', null)).toBeNull();
});

describe('a report of the status comes at once', () => {
  it.each<[string, (memory: RobotMemory) => unknown]>([
    ['an error', (memory) => Object.assign(memory, { error: 'J3 is lost' })],
    ['an emergency stop', (memory) => Object.assign(memory, { estop: true })],
    ['an action', ({ activity }) => Object.assign(activity!, { at: '/timeline/1' })],
    ['a step', ({ activity }) => Object.assign(activity!.cursor, { step: 1 })],
    ['a wait', ({ activity }) => Object.assign(activity!.cursor, { wait_started_s: 0 })],
  ])('with %s that is new', (_what, change) => {
    const loaded = toolpathOf([WAIT, WAIT]);
    const { memory, status, feedback, reports } = statusOf({
      ...{ state: 'running', activity: runAt(), loaded },
    });
    for (const tick of [1, 2]) status.onTick(feedback, tick);
    change(memory);
    for (const tick of [3, 4]) status.onTick(feedback, tick);
    expect(reports).toEqual([1, 3]);
  });
});
