/** The trial of a state that may be made by hand: what is done with it, and why it fails. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { planTasks } from '../../planning/plan-tasks.ts';
import { recordedToolpath } from '../../planning/recorded-toolpath.ts';
import type { Command, CommandKind } from '../../robot/commands.ts';
import { Robot } from '../../robot/robot.ts';
import { ADA, createTarget, type LiveArm, liveArm, smallLoaded } from './live-arm.cases.ts';
import { RobotStatus } from './robot-status.ts';
import { type SnapshotTrialTask, trySnapshot } from './snapshot-trial.ts';

afterEach(() => void vi.restoreAllMocks());

const DAMAGED = 'a damaged part';
const fail = () => {
  throw new Error(DAMAGED);
};

/** The state of the arm after something happened to it. */
async function stateAfter(happens: (arm: LiveArm) => void): Promise<SnapshotTrialTask> {
  const arm = await liveArm();
  happens(arm);
  const { robot, loop, world, driver } = arm;
  const { tick } = loop;
  const state = structuredClone(robot.save(tick));
  const { loaded, ...memory } = state.memory;
  return {
    ...{ driver: 'fast', tick, robot: { ...state, memory: { ...memory, loaded: null } } },
    ...{ loaded: loaded && recordedToolpath(loaded) },
    ...{ world: world.snapshot(), disturbance: driver.save() },
    status: { state_tick: 0, loop_ticks: 0, waited_ticks: 0 },
  };
}

const atRest = () => stateAfter(() => {});
const running = (loops = 1) =>
  stateAfter((arm) => {
    arm.run('automatic', loops);
    arm.advance(0.2);
  });
const paused = () =>
  stateAfter((arm) => {
    arm.run();
    arm.advance(0.2);
    arm.apply({ kind: 'pause', caller: ADA });
    arm.advance(1);
  });

/** The state with other values in the memory of the robot. */
function withMemory(task: SnapshotTrialTask, memory: object): SnapshotTrialTask {
  const { robot } = task;
  return { ...task, robot: { ...robot, memory: { ...robot.memory, ...memory } } };
}

/** Notes every command with its refusal and tick; one of the kind fails. */
function followCommands(failing: CommandKind | null = null) {
  const seen: [CommandKind, string | null, number][] = [];
  const apply = Robot.prototype.apply;
  vi.spyOn(Robot.prototype, 'apply').mockImplementation(function (
    this: Robot,
    command: Command,
    tick: number,
  ) {
    if (command.kind === failing) fail();
    const refusal = apply.call(this, command, tick);
    seen.push([command.kind, refusal?.refused ?? null, tick]);
    return refusal as never;
  });
  return seen;
}

describe('the trial of a state', () => {
  it.each([
    ['at rest', atRest],
    ['in a run', running],
    ['paused', paused],
  ])('lets a sound one pass, and stops its arm: %s', async (_name, stateOf) => {
    const state = await stateOf();
    const target = createTarget();
    const stop = vi.spyOn(target.driver, 'stop');
    expect(await trySnapshot(state, target)).toBe(null);
    expect(stop).toHaveBeenCalledOnce();
  });

  it('gives the reason why a state fails, and stops its arm, too', async () => {
    const state = { ...(await atRest()), world: new Uint8Array(3) };
    const target = createTarget();
    const stop = vi.spyOn(target.driver, 'stop');
    expect(await trySnapshot(state, target)).toEqual(expect.any(String));
    expect(stop).toHaveBeenCalledOnce();
  });

  it.each([
    'lock',
    'pause',
    'cancel',
    'abort_motion',
    'estop',
    'reset_errors',
    'stop_loop',
    'release_lock',
    'acknowledge_collision',
    'power_cycle',
  ] as const)('notices what fails with the command %s', async (kind) => {
    const state = withMemory(await running(), { lock: null });
    followCommands(kind);
    expect(await trySnapshot(state, createTarget())).toBe(DAMAGED);
  });

  it('gives the commands as the holder of the lock, or takes it', async () => {
    const state = await running();
    const accepted = ['pause', 'abort_motion', 'stop_loop', 'release_lock'];
    for (const [task, locks] of [
      [state, 0],
      [withMemory(state, { lock: null }), 8],
    ] as const) {
      vi.restoreAllMocks();
      const seen = followCommands();
      expect(await trySnapshot(task, createTarget())).toBe(null);
      const refused = seen.filter(([kind, refusal]) => accepted.includes(kind) && refusal);
      expect(refused).toEqual([]);
      expect(seen.filter(([kind]) => kind === 'lock')).toHaveLength(locks);
    }
  });

  it('gives them while the arm moves, one after another', async () => {
    const state = await running();
    const seen = followCommands();
    expect(await trySnapshot(state, createTarget())).toBe(null);
    const ticksTo = (kind: CommandKind) => seen.find((one) => one[0] === kind)![2] - state.tick;
    expect([ticksTo('pause'), ticksTo('cancel'), ticksTo('power_cycle')]).toEqual([25, 50, 25]);
  });

  it('lets some seconds pass where nothing is done, and no more', async () => {
    const state = await running(100);
    const failAfter = async (time_s: number) => {
      const seen = followCommands();
      const tick = Robot.prototype.tick;
      const ticks = vi.spyOn(Robot.prototype, 'tick');
      ticks.mockImplementation(function (this: Robot, feedback, at) {
        if (at > state.tick + time_s * 250) fail();
        return tick.call(this, feedback, at);
      });
      const reason = await trySnapshot(state, createTarget());
      const played = ticks.mock.calls.length;
      vi.restoreAllMocks();
      return { reason, played, commands: seen.length };
    };
    expect(await failAfter(7)).toMatchObject({ reason: DAMAGED, commands: 0 });
    const passed = await failAfter(9);
    expect(passed.reason).toBe(null);
    expect(passed.played).toBeLessThan(8.2 * 250 + 7 * 1.4 * 250);
  });

  it('ends the wait with the motion', async () => {
    const state = await running();
    const skips = vi.spyOn(Robot.prototype, 'skipTo');
    const ticks = vi.spyOn(Robot.prototype, 'tick');
    expect(await trySnapshot(state, createTarget())).toBe(null);
    const last = Math.max(...skips.mock.calls.map((call) => call[1]), 0);
    const played = Math.max(...ticks.mock.calls.map((call) => call[1]));
    expect(Math.max(last, played) - state.tick).toBeLessThan(3 * 250);
    expect(played - state.tick).toBeGreaterThan(0.4 * 250);
  });
});

describe('the reading of a tried state', () => {
  it.each([
    ['what is published', () => vi.spyOn(Robot.prototype, 'snapshot').mockImplementation(fail)],
    ['the status', () => vi.spyOn(RobotStatus.prototype, 'status').mockImplementation(fail)],
    [
      'what the status follows',
      () => vi.spyOn(RobotStatus.prototype, 'onTick').mockImplementation(fail),
    ],
    ['a plan from rest', () => vi.spyOn(planTasks, 'goTo').mockImplementation(fail)],
    ['a plan to go on', () => vi.spyOn(planTasks, 'resume').mockImplementation(fail)],
  ] as const)('notices where %s fails', async (_what, spy) => {
    const state = await paused();
    spy();
    expect(await trySnapshot(state, createTarget())).toBe(DAMAGED);
  });

  it('notices a status that fails in the midst of the motion', async () => {
    const state = await running();
    const status = vi.spyOn(RobotStatus.prototype, 'status');
    status.mockImplementation(function (this: RobotStatus) {
      const passed = this.save().loop_ticks;
      return passed > 60 && passed < 90 ? fail() : ({} as never);
    });
    expect(await trySnapshot(state, createTarget())).toBe(DAMAGED);
  });

  it('is done at the start, after each command, and at the end', async () => {
    const state = await atRest();
    const seen = followCommands();
    const plan = vi.spyOn(planTasks, 'goTo');
    const commandsBefore: number[] = [];
    plan.mockImplementation(() => void commandsBefore.push(seen.length) as never);
    expect(await trySnapshot(state, createTarget())).toBe(null);
    expect(commandsBefore.slice(0, 5)).toEqual([0, 0, 0, 1, 1]);
    const rounds = 8;
    expect(commandsBefore).toHaveLength(2 * rounds + seen.length);
  });

  it('plans a short motion with the payload of the loaded toolpath', async () => {
    const toolpath = smallLoaded({ payload: 0.5 });
    const state = await stateAfter((arm) => arm.apply({ kind: 'load', caller: ADA, toolpath }));
    const plan = vi.spyOn(planTasks, 'goTo');
    expect(await trySnapshot(state, createTarget())).toBe(null);
    const [{ start, joints, mode, payload }] = plan.mock.calls[0]!;
    expect({ mode, payload }).toEqual({ mode: 'automatic', payload: 0.5 });
    const [from, to] = [Array.from(start), Array.from(joints)];
    for (const [joint, angle] of to.entries()) {
      expect(Math.abs(angle)).toBeLessThanOrEqual(Math.abs(from[joint]!));
      expect(Math.abs(angle - from[joint]!)).toBeLessThan(0.1);
    }
    expect(to).not.toEqual(from);
  });

  it('notices a date that is none', async () => {
    const state = await atRest();
    const robot = { ...state.robot, epoch_ms: 8.64e15 };
    const reason = await trySnapshot({ ...state, robot }, createTarget());
    expect(reason).toMatch(/time|date/i);
  });

  it('notices a pose that is no number', async () => {
    const state = await atRest();
    vi.spyOn(Robot.prototype, 'remainingMotion_s', 'get').mockReturnValue(Number.NaN);
    expect(await trySnapshot(state, createTarget())).toBe('a pose of the motion is not a number');
  });

  it('restores what the status counts', async () => {
    const state = await atRest();
    const restore = vi.spyOn(RobotStatus.prototype, 'restore').mockImplementation(fail);
    expect(await trySnapshot(state, createTarget())).toBe(DAMAGED);
    expect(restore.mock.calls).toEqual([[state.status, 0]]);
  });

  it('notices a state that contradicts the motion', async () => {
    const state = withMemory(await running(), { state: 'ready', activity: null });
    expect(await trySnapshot(state, createTarget())).toMatch(/; .*, but /);
  });
});
