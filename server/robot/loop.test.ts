/**
 * The loop between robot, driver and listeners: commands, actions on the world, ticks and jumps
 * over idle ones, restores, and the signals of a cell.
 */
import { describe, expect, it } from 'vitest';
import type { ArmDriver, Feedback } from '../../bridge/arm-driver.ts';
import type { ArmWorld } from '../../bridge/arm-world.ts';
import type { DriverFaults } from '../../bridge/fault-injecting-driver.ts';
import { Timers } from '../clock/timers.ts';
import { InvariantMonitor } from './invariant-monitor.ts';
import { ControlLoop } from './loop.ts';
import type { LoopListener } from './loop-listener.ts';
import { ADA, RobotHarness } from './robot-harness.cases.ts';
import type { WorldAction } from './world-actions.ts';

const pause = { kind: 'pause', caller: ADA } as const;
const NEVER = { jump: false, stop: () => false };
const JUMP = { jump: true, stop: () => false };

/** A cell that records what it is asked for, and drives the inputs `inputs`. */
function fakeCell(calls: unknown[][], inputs: Map<string, boolean | number>) {
  const cell = {
    failure: null as string | null,
    inputValues: inputs,
    move: (...given: unknown[]) => calls.push(['move', ...given]),
    setFault: (...given: unknown[]) => calls.push(['cell fault', ...given]),
    setOutputs: (outputs: object) => calls.push(['outputs', { ...outputs }]),
  };
  return cell;
}

/** A world that records the calls. */
function fakeWorld(calls: unknown[][], cell: ReturnType<typeof fakeCell> | null) {
  const record =
    (name: string) =>
    (...given: unknown[]): void => {
      calls.push([name, ...given]);
    };
  const world = {
    cell: cell as ArmWorld['cell'] | null,
    place: record('place'),
    push: record('push'),
    setObstacles: record('obstacles'),
    setCell: record('cell'),
    setCellControl: (control: number, isActive: boolean) => {
      calls.push(['control', control, isActive]);
      if (!isActive) cell?.inputValues.delete('d2');
    },
    setLoad: record('load'),
    setRealism: record('realism'),
    setProfile: record('profile'),
    setFault: (joint: number, kind: 'lost' | 'overload' | null) => {
      calls.push(['fault', joint, kind]);
      return kind === 'lost' ? { kind, joint, message: 'lost' } : null;
    },
  };
  return world as ArmWorld;
}

interface Options {
  readonly world?: boolean;
  readonly cell?: boolean;
  readonly faults?: boolean;
  readonly listeners?: readonly LoopListener[];
}

function looped(options: Options = {}) {
  const harness = new RobotHarness();
  const { robot, arm } = harness;
  const calls: unknown[][] = [];
  const inputs = new Map<string, boolean | number>();
  const cell = options.cell ? fakeCell(calls, inputs) : null;
  const steps_s: number[] = [];
  const driver = {
    exchange(setpoint: Parameters<ArmDriver['exchange']>[0], dt_s: number) {
      steps_s.push(dt_s);
      return arm.exchange(setpoint);
    },
  } as ArmDriver;
  const injected: Feedback = { ...arm.feedback, age_s: 0.1 };
  const driverFaults = {
    feedback: injected,
    injectContact: (joint: number) => void calls.push(['contact', joint]),
    setNoise: (noise: unknown) => void calls.push(['noise', noise]),
    save: () => ({}) as ReturnType<DriverFaults['save']>,
    restore: () => {},
  } satisfies DriverFaults;
  const timers = new Timers();
  const loop = new ControlLoop({
    ...{ robot, driver, timers, feedback: arm.feedback, epoch_ms: 1000 },
    listeners: options.listeners ?? [],
    worldPorts: {
      world: options.world || cell ? fakeWorld(calls, cell) : null,
      driverFaults: options.faults ? driverFaults : null,
    },
  });
  return { robot, arm, loop, calls, inputs, cell, steps_s, timers };
}

const REALISM = 'worn' as never;
const ACTIONS: readonly (readonly [WorldAction, readonly unknown[], boolean])[] = [
  [{ kind: 'push', force_n: [1, 2, 3] }, ['push', [1, 2, 3]], true],
  [{ kind: 'obstacles', obstacles: [] }, ['obstacles', []], true],
  [{ kind: 'cell', cell: null }, ['cell', null], true],
  [{ kind: 'load', load: null }, ['load', null], true],
  [{ kind: 'realism', realism: REALISM }, ['realism', REALISM], true],
  [{ kind: 'profile', profile: null }, ['profile', null], true],
  [{ kind: 'place', joints: [1, 2] }, ['place', Float64Array.of(1, 2)], true],
  [{ kind: 'joint_fault', joint: 2, fault: 'lost' }, ['fault', 2, 'lost'], true],
  [{ kind: 'joint_fault', joint: 2, fault: 'overload' }, ['fault', 2, 'overload'], false],
  [{ kind: 'joint_fault', joint: 2, fault: null }, ['fault', 2, null], true],
];
const CELL_ACTIONS: typeof ACTIONS = [
  [{ kind: 'cell_move', object: 1, frame: [5] }, ['move', 1, Float64Array.of(5), undefined], true],
  [{ kind: 'cell_fault', fault: null, active: true }, ['cell fault', null, true], true],
  [{ kind: 'cell_control', control: 3, active: true }, ['control', 3, true], true],
];

describe('an action on the world', () => {
  it.each([...ACTIONS, ...CELL_ACTIONS])('%j is done and heard of', (action, call, isDone) => {
    const { loop, calls } = looped({ cell: true });
    const heard: unknown[] = [];
    loop.subscribe({ onAction: (...given) => heard.push(given) });
    expect(loop.applyWorldAction(action)).toBe(isDone);
    expect(calls).toEqual([call]);
    expect(heard).toEqual(isDone ? [[action, 0]] : []);
  });

  it.each([...ACTIONS, ...CELL_ACTIONS])('%j is not possible without a world', (action) => {
    const { loop, calls } = looped({ faults: true });
    expect(loop.applyWorldAction(action)).toBe(false);
    expect(calls).toEqual([]);
  });

  it.each(CELL_ACTIONS)('%j is not possible without a cell', (action) => {
    expect(looped({ world: true }).loop.applyWorldAction(action)).toBe(false);
  });

  it.each<[WorldAction, unknown[]]>([
    [{ kind: 'contact', joint: 4 }, ['contact', 4]],
    [{ kind: 'noise', noise: null }, ['noise', null]],
  ])('%j is one of the driver, whose feedback is read again', (action, call) => {
    const { loop, calls, robot } = looped({ faults: true });
    expect([loop.feedbackAge_s, loop.latestFeedback.age_s]).toEqual([0, 0]);
    expect(loop.applyWorldAction(action)).toBe(true);
    expect([calls, loop.feedbackAge_s, loop.latestFeedback.age_s]).toEqual([[call], 0.1, 0.1]);
    expect(robot.source.feedback).toBe(loop.latestFeedback);
    expect(looped({ world: true }).loop.applyWorldAction(action)).toBe(false);
  });
});

describe('a cell', () => {
  it('has the outputs at each tick, and its inputs reach the robot', () => {
    const { loop, calls, inputs, robot } = looped({ cell: true });
    inputs.set('d1', true);
    loop.runTo(1, NEVER);
    expect(calls).toEqual([['outputs', robot.memory.io.outputs]]);
    expect(robot.memory.io.inputs['d1']).toBe(true);
  });

  it('that a person changes drives and leaves inputs before the next command', () => {
    const { loop, inputs, robot } = looped({ cell: true });
    const heard: string[] = [];
    for (const key of ['d1', 'd2']) inputs.set(key, true);
    loop.applyWorldAction({ kind: 'cell_control', control: 0, active: true });
    expect(robot.memory.io.inputs).toMatchObject({ d1: true, d2: true });
    loop.subscribe({ onEvents: (events) => heard.push(...events.map(({ kind }) => kind)) });
    robot.trackChanges(true);
    loop.applyWorldAction({ kind: 'cell_control', control: 0, active: false });
    expect(robot.memory.io.inputs).toMatchObject({ d1: true, d2: false });
    expect(heard).toEqual(['state_change']);
    const change = { kind: 'cell_fault', fault: null, active: true } as const;
    inputs.set('d3', true);
    loop.applyWorldAction(change);
    expect(robot.memory.io.inputs['d3']).toBe(false);
  });

  it('that is new drives its inputs at once', () => {
    const { loop, inputs, robot } = looped({ cell: true });
    inputs.set('d1', true);
    loop.applyWorldAction({ kind: 'cell', cell: null });
    expect(robot.memory.io.inputs['d1']).toBe(true);
  });

  it('halts the loop where it has failed', () => {
    const { loop, cell } = looped({ cell: true });
    const others = [looped(), looped({ world: true })].map((other) => other.loop.halted);
    expect([loop.halted, ...others]).toEqual([false, false, false]);
    cell!.failure = 'an object has no place';
    expect(loop.halted).toBe(true);
  });
});

describe('listeners', () => {
  it('hear of commands, events and ticks until they unsubscribe', () => {
    const always: number[] = [];
    const { loop } = looped({ listeners: [{ onTick: (_, tick) => always.push(tick) }] });
    const heard: unknown[] = [];
    const listener: LoopListener = {
      onCommand: ({ kind }, refusal, tick) => heard.push([kind, refusal?.refused, tick]),
      onEvents: (events, tick) => heard.push([...events.map(({ kind }) => kind), tick]),
      onTick: (_, tick) => heard.push(tick),
    };
    const unsubscribe = loop.subscribe(listener);
    loop.subscribe({});
    expect(loop.apply({ kind: 'lock', caller: ADA })).toBeNull();
    expect(loop.apply(pause)?.refused).toBe('wrong_state');
    loop.runTo(2, NEVER);
    expect(heard).toEqual([
      ['lock', undefined, 0],
      ['lock_status', 0],
      ['pause', 'wrong_state', 0],
      1,
      2,
    ]);
    unsubscribe();
    loop.apply({ kind: 'release_lock', caller: ADA });
    loop.runTo(3, NEVER);
    expect(heard.length).toBe(5);
    expect(always).toEqual([1, 2, 3]);
  });

  it('of a completion have the answer of the command that waited', async () => {
    const { loop, robot } = looped();
    const toolpath = new RobotHarness().prepare().robot.memory.loaded!;
    loop.apply({ kind: 'lock', caller: ADA });
    loop.apply({ kind: 'load', caller: ADA, toolpath });
    loop.apply({ kind: 'run', caller: ADA, mode: 'automatic', loop: 1 });
    loop.runTo(75, NEVER);
    loop.apply(pause);
    const answers = [loop.completion(), loop.completion()];
    loop.runTo(300, NEVER);
    expect(robot.memory.state).toBe('paused');
    expect(await Promise.all(answers)).toEqual([null, null]);
  });
});

describe('ticks', () => {
  it('are played one by one, with their timers', () => {
    const { loop, timers, steps_s } = looped();
    const fired: number[] = [];
    for (const due of [2, 9]) timers.at(due, () => fired.push(loop.tick));
    loop.runTo(3, NEVER);
    expect([loop.tick, fired, steps_s]).toEqual([3, [2], [0.004, 0.004, 0.004]]);
    expect(loop.now_s).toBeCloseTo(0.012, 12);
    expect(loop.epoch_ms).toBeCloseTo(1012, 9);
    loop.runTo(3, NEVER);
    expect(loop.tick).toBe(3);
  });

  it('are skipped up to the next timer, the deadline of the robot, or the target', () => {
    const { loop, timers, steps_s, robot } = looped();
    const heard: number[] = [];
    loop.subscribe({ onTick: (_, tick) => heard.push(tick) });
    timers.at(50.5, () => {});
    loop.apply({ kind: 'lock', caller: ADA });
    loop.runTo(100_000, JUMP);
    expect(heard).toEqual([1, 51, 52, 75_000, 75_001, 100_000]);
    expect(steps_s.map((step_s) => Math.round(step_s / 0.004))).toEqual([
      1, 50, 1, 74_948, 1, 24_999,
    ]);
    expect([loop.tick, robot.source.tick, robot.lockHolder]).toEqual([100_000, 99_999, null]);
  });

  it('are not skipped without a deadline, or while the arm is not at rest', () => {
    const { loop, arm, steps_s } = looped();
    const stopAt = (tick: number) => ({ jump: true, stop: () => loop.tick >= tick });
    loop.runTo(Number.POSITIVE_INFINITY, stopAt(5));
    expect([loop.tick, steps_s.length]).toEqual([5, 5]);
    const unasked = looped().loop;
    let asked = 0;
    unasked.runTo(Number.POSITIVE_INFINITY, { jump: true, stop: () => ++asked >= 5 });
    expect(unasked.tick).toBe(5);
    const guided = looped();
    guided.loop.apply({ kind: 'backdriving', pressed: true });
    asked = 0;
    guided.loop.runTo(20, { jump: true, stop: () => ++asked > 99 });
    expect([guided.steps_s.length, asked]).toEqual([20, 20]);
    arm.exchange = () => arm.feedback;
    arm.feedback.at_rest = false;
    loop.runTo(20, JUMP);
    expect(steps_s.length).toBe(20);
  });

  it('end where the clock stops, before and after a jump', () => {
    for (const stops of [1, 2, 3]) {
      const { loop } = looped();
      let asked = 0;
      loop.runTo(100, { jump: true, stop: () => ++asked >= stops });
      expect([loop.tick, asked]).toEqual(stops === 1 ? [1, 1] : [100, 2]);
    }
    const single = looped();
    single.loop.runTo(1, JUMP);
    expect(single.steps_s).toEqual([0.004]);
  });

  it('that are skipped publish what has changed meanwhile', () => {
    const { loop, robot } = looped();
    robot.trackChanges(true);
    const heard: unknown[] = [];
    loop.subscribe({ onEvents: (events, tick) => heard.push([tick, events.length]) });
    loop.runTo(251, JUMP);
    expect(heard).toEqual([[251, 1]]);
  });

  it.each([1000, 1001, 1002, 1003, 1004])('agree with the stream up to tick %i', (tick) => {
    const { loop, robot, arm, steps_s } = looped();
    const found: unknown[] = [];
    const onViolation = (violation: unknown) => found.push(violation);
    loop.subscribe(new InvariantMonitor({ robot, feedback: arm.feedback, onViolation }));
    robot.trackChanges(true);
    // Servos cool down in a jump; telemetry is published at some ticks only.
    const exchange = arm.exchange.bind(arm);
    arm.exchange = (setpoint) => {
      if (steps_s.at(-1)! > 1) arm.feedback.temperature_c.fill(31);
      return exchange(setpoint);
    };
    loop.runTo(tick, JUMP);
    loop.runTo(tick + 10, NEVER);
    expect(found).toEqual([]);
  });

  it('are needed while one of those that wait needs them', () => {
    const { loop } = looped();
    expect(loop.idle).toBe(true);
    let isNeeded = false;
    const release = [loop.keepAwake(() => isNeeded), loop.keepAwake(() => false)];
    expect(loop.idle).toBe(true);
    isNeeded = true;
    expect(loop.idle).toBe(false);
    for (const one of release) one();
    expect(loop.idle).toBe(true);
    loop.keepAwake();
    expect(loop.idle).toBe(false);
    const guided = looped().loop;
    guided.apply({ kind: 'backdriving', pressed: true });
    expect(guided.idle).toBe(false);
  });

  it('that fail replace the state once, where that is possible', () => {
    const { loop, timers } = looped();
    const failure = new Error('a tick failed');
    const fail = () => {
      throw failure;
    };
    const seen: unknown[] = [];
    timers.at(0, fail);
    expect(() => loop.runTo(1, NEVER)).toThrow(failure);
    loop.onFailedTick = (error) => seen.push(error);
    timers.at(0, fail);
    loop.runTo(1, NEVER);
    expect([seen, loop.onFailedTick]).toEqual([[failure], null]);
  });
});

describe('a restore', () => {
  it('sets time and robot, counts a step back and is heard of', () => {
    const { loop, robot } = looped({ faults: true });
    loop.subscribe({});
    loop.apply({ kind: 'lock', caller: ADA });
    const state = { ...robot.save(0), epoch_ms: 5000 };
    loop.runTo(10, NEVER);
    loop.apply({ kind: 'release_lock', caller: ADA });
    const heard: unknown[] = [];
    loop.subscribe({
      onRestore: (tick, { age_s }) => heard.push([tick, age_s]),
      onEvents: (events) => heard.push(events.map(({ kind }) => kind)),
    });
    loop.restore(state, 4);
    expect([loop.tick, loop.setbacks, loop.epoch_ms]).toEqual([4, 1, 5016]);
    expect(heard).toEqual([[4, 0.1], ['lock_status']]);
    expect(robot.lockHolder).toEqual(ADA);
    for (const tick of [4, 20]) loop.restore(state, tick);
    expect([loop.tick, loop.setbacks]).toEqual([20, 1]);
  });
});
