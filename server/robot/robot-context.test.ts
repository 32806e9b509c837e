/**
 * What commands and ticks share: the lock and its timer, refusals, logged transitions, aborts, and
 * what waits for the arm to stand (§2.9, §3.2; decisions D13, D29, D31).
 */
import { describe, expect, it } from 'vitest';
import { limits } from '../../contract/limits.ts';
import type { MotionTiming } from '../../physics/motion/motion-timing.ts';
import { tickOf } from '../clock/twin-time.ts';
import type { Command } from './commands.ts';
import type { LoopEvent } from './loop-event.ts';
import { RobotContext } from './robot-context.ts';
import { ADA, AWAY, BEN, HOME, RobotHarness, toolpathOf } from './robot-harness.cases.ts';
import { stateRefusal } from './state-refusal.ts';

const AUTOMATIC_TICKS = tickOf(limits.lock_expiry_automatic_s);
const TEACH_TICKS = tickOf(limits.lock_expiry_teach_s);

const turn = (harness: RobotHarness) => harness.arm.feedback.position_rad[0]!;
const restTurn = (harness: RobotHarness) => harness.robot.restPose[0];
const expiry = ({ robot }: RobotHarness) => robot.memory.lock?.expires_tick;
const detailsOf = ({ robot }: RobotHarness, kind: 'run' | 'load' | 'reset_errors') =>
  robot.refusalOf({ kind, caller: ADA })?.details;

function eventsOf<Kind extends LoopEvent['kind']>({ robot }: RobotHarness, kind: Kind) {
  const isOfKind = (one: LoopEvent): one is Extract<LoopEvent, { kind: Kind }> => one.kind === kind;
  return robot.takeEvents().filter(isOfKind);
}

function running(mode: 'automatic' | 'teach' = 'automatic'): RobotHarness {
  const harness = new RobotHarness().prepare();
  expect(harness.apply({ kind: 'run', caller: ADA, mode, loop: 1 })).toBeNull();
  harness.advance(0.3);
  harness.robot.takeEvents();
  return harness;
}

function fail(harness: RobotHarness): void {
  harness.arm.feedback.fault = { kind: 'lost', joint: 2, message: 'Joint 3 does not answer' };
  harness.advance(0.004);
}

/** Releases the button while a hand still moves the arm. */
function releaseWhileGuided(): RobotHarness {
  const harness = new RobotHarness().prepare();
  harness.apply({ kind: 'backdriving', pressed: true });
  harness.arm.feedback.standing = false;
  harness.apply({ kind: 'backdriving', pressed: false });
  return harness;
}

describe('after power-up', () => {
  it('the robot is ready without events, and its detection is off', () => {
    const { robot } = new RobotHarness();
    expect(robot.takeEvents()).toEqual([]);
    expect(robot.snapshot().collision_detection).toEqual({
      enabled: false,
      sensitivity: 'medium',
    });
    const times = { start_time: '00:00:00', stop_time: '00:00:00' };
    expect(robot.snapshot().scheduler).toEqual({ enabled: false, ...times });
    const rest = { state: 'ready', resume_to: 'running', teach_braking: false, timing: null };
    expect(robot.memory).toMatchObject(rest);
  });

  it('the planner of the arm has the timing of its profile', () => {
    const timing: MotionTiming = {
      law: 'quintic',
      velocity_rad_s: [1, 1, 1, 1, 1, 1],
      acceleration_rad_s2: [5, 5, 5, 5, 5, 5],
      jerk_rad_s3: [50, 50, 50, 50, 50, 50],
      ramp_s: 0.1,
      braking_share: 1,
      tool_speed: 'whole_motion',
    };
    expect(new RobotHarness({ timing }).robot.memory.timing).toBe(timing);
  });
});

describe('the lock', () => {
  it('belongs to one token', () => {
    const harness = new RobotHarness();
    const results = (['lock', 'renew_lock', 'release_lock'] as const).flatMap((kind) =>
      [ADA, BEN].map((caller) => `${kind} ${harness.apply({ kind, caller })}`),
    );
    expect(results).toEqual([
      'lock null',
      'lock lock_held_by_other',
      'renew_lock null',
      'renew_lock lock_not_held',
      'release_lock null',
      'release_lock lock_not_held',
    ]);
    expect(harness.apply({ kind: 'renew_lock', caller: ADA })).toBe('lock_not_held');
    expect(harness.apply({ kind: 'lock', caller: ADA })).toBeNull();
    expect(harness.apply({ kind: 'lock', caller: ADA })).toBe('lock_held_by_you');
    expect(harness.apply({ kind: 'release_lock', caller: BEN })).toBe('lock_not_held');
    expect(harness.robot.lockHolder).toEqual(ADA);
  });

  it('of another token does not permit a motion', () => {
    const harness = new RobotHarness().prepare();
    const run = { kind: 'run', caller: BEN, mode: 'automatic', loop: 1 } as const;
    expect(harness.apply(run)).toBe('lock_not_held');
    expect(harness.state).toBe('ready');
  });

  it('lasts its period from a renewal, which a robot that shuts down refuses', () => {
    const harness = new RobotHarness().prepare();
    expect(expiry(harness)).toBe(AUTOMATIC_TICKS);
    harness.advance(1);
    expect(expiry(harness)).toBe(AUTOMATIC_TICKS);
    harness.apply({ kind: 'renew_lock', caller: ADA });
    expect(expiry(harness)).toBe(250 + AUTOMATIC_TICKS);
    harness.apply({ kind: 'shut_down' });
    harness.advance(1);
    expect(harness.apply({ kind: 'renew_lock', caller: ADA })).toBe('wrong_state');
    expect(harness.apply({ kind: 'release_lock', caller: ADA })).toBe('wrong_state');
    expect(expiry(harness)).toBe(250 + AUTOMATIC_TICKS);
  });

  it('cannot be acquired from a robot that shuts down', () => {
    const harness = new RobotHarness();
    harness.apply({ kind: 'shut_down' });
    expect(harness.apply({ kind: 'lock', caller: ADA })).toBe('wrong_state');
    expect(harness.robot.lockHolder).toBeNull();
  });

  it('keeps its timer at the end of an automatic run', () => {
    const harness = running();
    const before = expiry(harness);
    expect(harness.advanceUntil('ready')).toBe(true);
    expect(expiry(harness)).toBe(before);
  });

  it('lasts five minutes from the end of a teach-mode run', () => {
    const harness = running('teach');
    expect(expiry(harness)).toBe(TEACH_TICKS);
    expect(harness.advanceUntil('ready')).toBe(true);
    expect(expiry(harness)).toBe(harness.tick - 1 + AUTOMATIC_TICKS);
  });

  it('lasts five minutes from where the arm stands after an aborted teach-mode run', () => {
    const harness = running('teach');
    const stopped = harness.tick;
    harness.apply({ kind: 'estop', engaged: true });
    expect(expiry(harness)).toBe(stopped + TEACH_TICKS);
    harness.settle();
    expect(harness.tick).toBeGreaterThan(stopped + 5);
    expect(expiry(harness)).toBe(harness.tick - 1 + AUTOMATIC_TICKS);
    expect(harness.robot.memory.teach_braking).toBe(false);
    harness.advance(0.1);
    expect(expiry(harness)).toBeLessThan(harness.tick - 1 + AUTOMATIC_TICKS);
  });

  it('acquired after a teach-mode run lost its lock is not bound by that run', () => {
    const harness = running('teach');
    harness.apply({ kind: 'forget_token', token_id: ADA.token_id });
    harness.apply({ kind: 'estop', engaged: true });
    harness.apply({ kind: 'lock', caller: BEN });
    const acquired = expiry(harness);
    expect(acquired).toBe(harness.tick + AUTOMATIC_TICKS);
    harness.advance(1);
    expect(expiry(harness)).toBe(acquired);
  });
});

describe('the refusal', () => {
  it.each<[string, () => RobotHarness, string]>([
    ['running', running, 'run is not possible while the robot is running; it needs: ready'],
    [
      'backdriving',
      () => {
        const harness = new RobotHarness().prepare();
        harness.apply({ kind: 'backdriving', pressed: true });
        return harness;
      },
      'run is not possible while the robot is backdriving; it needs: ready',
    ],
    [
      'backdriving, released',
      releaseWhileGuided,
      'run is not possible yet: the arm still brakes, and the robot leaves backdriving',
    ],
    [
      'a fault after the release',
      () => {
        const harness = releaseWhileGuided();
        fail(harness);
        return harness;
      },
      'Reset hard errors first',
    ],
  ])('names what the state needs: %s', (_name, reach, details) => {
    expect(detailsOf(reach(), 'run')).toContain(details);
  });

  it('knows a released button in backdriving alone', () => {
    const memory = { ...running().robot.memory, button_released: true };
    const details = 'run is not possible while the robot is running; it needs: ready';
    expect(stateRefusal(memory, 'run')?.details).toContain(details);
  });

  it('of a reset names the fault that persists, or that one does', () => {
    const harness = new RobotHarness().prepare();
    harness.recovers = false;
    fail(harness);
    const reset = { kind: 'reset_errors', caller: ADA } as const;
    const details = () => harness.robot.apply(reset, harness.tick)?.details;
    expect(details()).toBe('Joint 3 does not answer');
    harness.arm.feedback.fault = null;
    expect(details()).toBe('The cause of the fault is still present');
  });
});

describe('a transition', () => {
  it.each<[string, (harness: RobotHarness) => void, string]>([
    ['fault', fail, 'warning: ready → error (fault)'],
    [
      'emergency stop',
      (harness) => harness.apply({ kind: 'estop', engaged: true }),
      'info: ready → disabled (emergency stop pressed)',
    ],
    [
      'shut_down',
      (harness) => harness.apply({ kind: 'shut_down' }),
      'info: ready → shutting down (shut down)',
    ],
  ])('is logged in words: %s', (_name, act, expected) => {
    const harness = new RobotHarness();
    act(harness);
    const [first] = eventsOf(harness, 'log');
    expect(`${first?.level}: ${first?.text}`).toBe(expected);
  });

  it('to the same state happens without a word, and an unknown one does not happen', () => {
    const { feedback } = new RobotHarness().arm;
    const place = { epoch_ms: 0, timezone: 'UTC', seed: 1 };
    const context = new RobotContext({ feedback, ...place, recover: () => true });
    expect(context.transition('pause')).toBe(false);
    expect(context.events).toEqual([]);
    expect(context.transition('fault')).toBe(true);
    context.events = [];
    expect(context.transition('fault')).toBe(true);
    expect(context.events).toEqual([]);
  });

  it('reports the safety state where it changes, and there alone', () => {
    const harness = new RobotHarness().prepare();
    harness.apply({ kind: 'collision_detection', caller: ADA, enabled: true });
    const seen = () => eventsOf(harness, 'safety').map(({ state }) => state);
    harness.apply({ kind: 'run', caller: ADA, mode: 'automatic', loop: 1 });
    harness.advance(0.3);
    expect(seen()).toEqual([]);
    harness.arm.feedback.contact = { joint: 1, at_s: 0.3 };
    harness.advance(0.004);
    expect([harness.state, ...seen()]).toEqual(['collision', 'protective_stop']);
    harness.apply({ kind: 'acknowledge_collision', caller: ADA });
    harness.settle();
    expect([harness.state, ...seen()]).toEqual(['ready', 'ok']);
  });
});

describe('an aborted motion', () => {
  const D3 = { location: 'base', type: 'digital', index: 3 } as const;

  function started(kind: 'run' | 'home') {
    const harness = new RobotHarness();
    harness.arm.feedback.position_rad.set(AWAY);
    harness.apply({ kind: 'stand_at', joints: AWAY });
    harness.prepare(toolpathOf([], { output_on_error: { io: D3, value: true } }));
    const run = { kind, caller: ADA, mode: 'automatic', loop: 1 } as const;
    expect(harness.apply(kind === 'run' ? run : { kind, caller: ADA })).toBeNull();
    harness.advance(0.2);
    expect(harness.robot.isMoving).toBe(true);
    return harness;
  }

  it.each<['run' | 'home', string, boolean]>([
    ['run', 'fault', true],
    ['run', 'estop', false],
    ['home', 'fault', false],
  ])('of a %s sets the output of an error after: %s, %s', (kind, cause, isSet) => {
    const harness = started(kind);
    if (cause === 'fault') fail(harness);
    else harness.apply({ kind: 'estop', engaged: true });
    expect(harness.robot.memory.io.outputs['d3']).toBe(isSet);
  });

  it('stops before its end', () => {
    const harness = running();
    harness.apply({ kind: 'estop', engaged: true });
    expect(harness.robot.plannedPath).toBeNull();
    harness.advance(1);
    expect(harness.robot.isMoving).toBe(false);
    expect(turn(harness)).toBeLessThan(AWAY[0]! - 0.01);
    expect(restTurn(harness)).toBeCloseTo(turn(harness), 9);
  });
});

describe('what waits for the arm to stand', () => {
  it('is answered once, and nothing is where nothing waits', () => {
    const harness = new RobotHarness().prepare();
    harness.apply({ kind: 'power_cycle' });
    expect(eventsOf(harness, 'completed')).toEqual([]);
    const paused = running();
    paused.apply({ kind: 'pause', caller: ADA });
    paused.settle();
    expect(eventsOf(paused, 'completed')).toEqual([{ kind: 'completed', refusal: null }]);
    expect(paused.robot.memory.resume_to).toBe('running');
  });

  it('is a reset, which is refused after all when the fault comes back', () => {
    const harness = running();
    fail(harness);
    expect(harness.apply({ kind: 'reset_errors', caller: ADA })).toBeNull();
    expect(harness.robot.isCommandAwaited).toBe(true);
    harness.recovers = false;
    harness.settle();
    const refusal = expect.objectContaining({ refused: 'wrong_state' });
    expect(eventsOf(harness, 'completed')).toEqual([{ kind: 'completed', refusal }]);
    expect([harness.state, harness.robot.isCommandAwaited]).toEqual(['error', false]);
  });

  it('is a reset, after which motions start from the pose that the drives hold', () => {
    const harness = running();
    fail(harness);
    harness.arm.feedback.held_rad = Float64Array.from(AWAY);
    harness.apply({ kind: 'reset_errors', caller: ADA });
    harness.settle();
    expect([harness.state, restTurn(harness)]).toEqual(['ready', AWAY[0]]);
    expect(harness.robot.memory.error).toBeNull();
  });

  it('is a cancel, which leaves nothing to resume', () => {
    const harness = running();
    harness.apply({ kind: 'pause', caller: ADA });
    harness.settle();
    expect(harness.robot.pausedMotion).not.toBeNull();
    harness.apply({ kind: 'cancel', caller: ADA });
    expect([harness.state, harness.robot.pausedMotion]).toEqual(['ready', null]);
    expect(harness.robot.memory.activity).toBeNull();
    expect(harness.robot.remainingMotion_s).toBe(0);
  });

  it.each<[string, Command]>([
    ['lost its lock', { kind: 'forget_token', token_id: ADA.token_id }],
    ['is aborted', { kind: 'abort_motion', caller: ADA }],
  ])('is the end of a motion that %s, which leaves nothing to resume', (_name, command) => {
    const harness = running('teach');
    harness.apply(command);
    expect(harness.robot.pausedMotion).not.toBeNull();
    expect(harness.advanceUntil('ready', 2)).toBe(true);
    expect(harness.robot.pausedMotion).toBeNull();
    expect(turn(harness)).toBeLessThan(AWAY[0]!);
  });

  it('is no pause of a motion that loses its lock while it brakes', () => {
    const harness = running('teach');
    harness.apply({ kind: 'pause', caller: ADA });
    harness.apply({ kind: 'forget_token', token_id: ADA.token_id });
    harness.advance(1);
    expect(harness.state).toBe('ready');
    const refusal = expect.objectContaining({ refused: 'wrong_state' });
    expect(eventsOf(harness, 'completed')).toEqual([{ kind: 'completed', refusal }]);
  });

  it('is a pause at the very end of a motion, which ends when it is resumed', () => {
    const harness = new RobotHarness();
    harness.arm.feedback.position_rad.set(AWAY);
    harness.apply({ kind: 'stand_at', joints: AWAY });
    harness.prepare().apply({ kind: 'home', caller: ADA });
    while (harness.robot.memory.ending === null) harness.advance(0.004);
    harness.apply({ kind: 'pause', caller: ADA });
    harness.advance(0.1);
    expect(harness.robot.memory).toMatchObject({ state: 'paused', activity: { kind: 'home' } });
    expect(harness.apply({ kind: 'resume', caller: ADA, profile: null })).toBeNull();
    harness.advance(0.004);
    expect([harness.state, harness.robot.memory.activity]).toEqual(['ready', null]);
  });
});

describe('a released emergency stop', () => {
  /** The drives hold another pose than the one in which the stop was pressed. */
  function released(wired: boolean): RobotHarness {
    const harness = new RobotHarness();
    if (wired) harness.arm.feedback.estop = false;
    harness.advance(0.1);
    harness.apply({ kind: 'estop', engaged: true });
    harness.arm.feedback.held_rad = Float64Array.from(AWAY);
    harness.apply({ kind: 'estop', engaged: false });
    expect(harness.state).toBe('ready');
    return harness;
  }

  it('lets motions start from the held pose where a wired stop cuts the power', () => {
    expect(restTurn(released(true))).toBe(AWAY[0]);
  });

  it('lets motions start from where the last one ended where none is wired', () => {
    expect(restTurn(released(false))).toBe(HOME[0]);
  });

  it('is over: the pose at rest is not measured again while the robot is ready', () => {
    const harness = new RobotHarness();
    harness.arm.feedback.estop = false;
    harness.advance(0.1);
    harness.arm.feedback.held_rad = Float64Array.from(AWAY);
    harness.advance(0.1);
    expect(restTurn(harness)).toBe(HOME[0]);
  });

  it('leaves no trace of the motion that it interrupted', () => {
    const harness = running();
    harness.apply({ kind: 'estop', engaged: true });
    expect(harness.robot.save(harness.tick).memory.error_behind_estop).toBe(true);
    harness.apply({ kind: 'estop', engaged: false });
    harness.settle();
    expect(harness.robot.memory.error).toContain('interrupted by the emergency stop');
    expect(harness.robot.save(harness.tick).memory.error_behind_estop).toBe(false);
  });
});

describe('a released backdriving button', () => {
  it('ends backdriving where the arm stands, and motions start there', () => {
    const harness = releaseWhileGuided();
    expect(harness.state).toBe('backdriving');
    harness.arm.feedback.position_rad.set(AWAY);
    harness.advance(0.004);
    harness.advance(0.004);
    expect([harness.state, restTurn(harness)]).toEqual(['ready', AWAY[0]]);
    expect(harness.robot.memory.button_released).toBe(false);
    harness.apply({ kind: 'backdriving', pressed: true });
    expect(harness.state).toBe('backdriving');
  });

  it.each<[string, (harness: RobotHarness) => void]>([
    [
      'a fault',
      (harness) => {
        fail(harness);
        harness.arm.feedback.fault = null;
        harness.apply({ kind: 'reset_errors', caller: ADA });
      },
    ],
    [
      'an emergency stop',
      (harness) => {
        harness.apply({ kind: 'estop', engaged: true });
        harness.advance(0.004);
        harness.apply({ kind: 'estop', engaged: false });
      },
    ],
  ])('is forgotten where %s ends backdriving', (_cause, end) => {
    const harness = releaseWhileGuided();
    end(harness);
    harness.arm.feedback.standing = true;
    harness.advance(0.1);
    expect(harness.state).toBe('ready');
    harness.apply({ kind: 'backdriving', pressed: true });
    expect(harness.state).toBe('backdriving');
  });
});
