/**
 * Compares the robot with the reference model in random commands, and checks that the commands
 * cover each required transition and refusal (§3). Test code.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planJointMove } from '../../physics/motion/joint-move.ts';
import { planResume } from '../../physics/motion/resume.ts';
import type { Caller } from './caller.ts';
import type { Command } from './commands.ts';
import { type Outcome, ReferenceRobot, type UserName } from './reference-model.cases.ts';
import { REQUIRED_REFUSALS, REQUIRED_TRANSITIONS } from './required-transitions.cases.ts';
import { ADA, AWAY, BEN, HOME, RobotHarness, thereAndBack } from './robot-harness.cases.ts';

const TOOLPATH = thereAndBack();
const LONG_S = 4.5;
const met = new Map<string, number>();

interface Pair {
  readonly harness: RobotHarness;
  readonly model: ReferenceRobot;
}

interface Act {
  readonly name: string;
  readonly run: (pair: Pair) => void;
}

const callers: Record<UserName, Caller> = { ada: ADA, ben: BEN };

function outcomeOf(refused: string | null): Outcome {
  if (refused === null) return 'done';
  if (refused.startsWith('lock')) return 'lock';
  if (refused === 'toolpath_missing') return 'toolpath_missing';
  return 'wrong_state';
}

function compare({ harness, model }: Pair, name: string, before: string): void {
  expect(`${name} in ${before}: ${harness.state}`).toBe(`${name} in ${before}: ${model.state}`);
  const holder = harness.robot.lockHolder;
  const who = holder === null ? null : holder.token_id === ADA.token_id ? 'ada' : 'ben';
  expect(`${name}: lock of ${who}`).toBe(`${name}: lock of ${model.lock}`);
}

function count(name: string, before: string, after: string): void {
  const key = `${before} ${name} ${after}`;
  met.set(key, (met.get(key) ?? 0) + 1);
}

/** A command for robot and model; both must return the same result. */
function commandAct(
  name: string,
  command: (pair: Pair) => Command,
  expected: (model: ReferenceRobot) => Outcome,
): Act {
  return {
    name,
    run(pair) {
      const before = pair.harness.state;
      const answer = pair.harness.apply(command(pair));
      const isLost = pair.model.passShort(pair.harness.settle());
      const outcome = isLost ? 'done' : outcomeOf(answer);
      const wanted = isLost ? 'done' : expected(pair.model);
      expect(`${name} in ${before}: ${outcome}`).toBe(`${name} in ${before}: ${wanted}`);
      compare(pair, name, before);
      count(name, before, outcome === 'done' ? pair.harness.state : outcome);
    },
  };
}

/** An event that returns no result. */
function eventAct(name: string, act: (pair: Pair) => void): Act {
  return {
    name,
    run(pair) {
      const before = pair.harness.state;
      act(pair);
      pair.model.passShort(pair.harness.settle());
      compare(pair, name, before);
      count(name, before, pair.harness.state);
    },
  };
}

function goTo({ harness }: Pair, caller: Caller): Command {
  const start = Float64Array.from(harness.robot.restPose);
  const nearHome = Math.abs(start[0]! - HOME[0]!) < 0.1;
  const end = Float64Array.from(nearHome ? AWAY : HOME);
  const caps = { tool_speed_m_s: 0.25, tool_offset_m: [0, 0, 0] as const };
  const { path, profile } = planJointMove({ start, end, caps, waypoints: [] });
  return { kind: 'go_to', caller, mode: 'automatic', motion: { start, path, profile, caps } };
}

function resumeProfile({ harness }: Pair) {
  const { pausedMotion } = harness.robot;
  return pausedMotion && planResume(pausedMotion).profile;
}

function actsOf(who: UserName): Act[] {
  const caller = callers[who];
  const run = (mode: 'automatic' | 'teach', loop: number) =>
    commandAct(
      `run ${mode} ${loop}`,
      () => ({ kind: 'run', caller, mode, loop }),
      (model) => model.start(who, 'run', { teach: mode === 'teach', endless: loop === 0 }),
    );
  return [
    commandAct(
      'lock',
      () => ({ kind: 'lock', caller }),
      (model) => model.take(who),
    ),
    commandAct(
      'renew',
      () => ({ kind: 'renew_lock', caller }),
      (model) => model.renew(who),
    ),
    commandAct(
      'release',
      () => ({ kind: 'release_lock', caller }),
      (model) => model.release(who),
    ),
    commandAct(
      'load',
      () => ({ kind: 'load', caller, toolpath: TOOLPATH }),
      (m) => m.load(who),
    ),
    commandAct(
      'unload',
      () => ({ kind: 'unload', caller }),
      (m) => m.unload(who),
    ),
    run('automatic', 1),
    run('automatic', 0),
    run('teach', 0),
    commandAct(
      'home',
      () => ({ kind: 'home', caller }),
      (m) => m.start(who, 'home', { teach: true, endless: false }),
    ),
    commandAct(
      'go_to',
      (pair) => goTo(pair, caller),
      (m) => m.start(who, 'go_to', { teach: false, endless: false }),
    ),
    commandAct(
      'pause',
      () => ({ kind: 'pause', caller }),
      (model) => model.pause(who),
    ),
    commandAct(
      'resume',
      (pair) => ({ kind: 'resume', caller, profile: resumeProfile(pair) }),
      (model) => model.resume(who),
    ),
    commandAct(
      'cancel',
      () => ({ kind: 'cancel', caller }),
      (model) => model.cancel(who),
    ),
    commandAct(
      'stop_loop',
      () => ({ kind: 'stop_loop', caller }),
      (model) => model.stopLoop(who),
    ),
    commandAct(
      'reset',
      () => ({ kind: 'reset_errors', caller }),
      (m) => m.resetErrors(who),
    ),
  ];
}

const worldActs: Act[] = [
  eventAct('joint fault', ({ harness, model }) => {
    harness.recovers = false;
    harness.arm.feedback.fault = { kind: 'overload', joint: 1, message: 'Joint 2 is overloaded' };
    harness.advance(0.004);
    model.raiseFault();
  }),
  eventAct('fault gone', ({ harness, model }) => {
    harness.recovers = true;
    harness.arm.feedback.fault = null;
    model.getWell();
  }),
  eventAct('press stop', ({ harness, model }) => {
    harness.apply({ kind: 'estop', engaged: true });
    model.pressStop();
  }),
  eventAct('release stop', ({ harness, model }) => {
    harness.apply({ kind: 'estop', engaged: false });
    model.releaseStop();
  }),
  commandAct(
    'press',
    () => ({ kind: 'backdriving', pressed: true }),
    (model) => model.press(),
  ),
  commandAct(
    'release button',
    () => ({ kind: 'backdriving', pressed: false }),
    (model) => model.releaseButton(),
  ),
];

const long = eventAct('long time', ({ harness, model }) => {
  // A teach motion races with the expiry of its lock: renew the lock to complete the motion.
  if (model.lock && model.work && (!model.work.endless || model.state === 'stopping')) {
    harness.apply({ kind: 'renew_lock', caller: callers[model.lock] });
    model.renew(model.lock);
  }
  harness.advance(LONG_S);
  model.passLong(LONG_S);
});

/** Acts that leave dead ends; they are repeated so that the walks do not end in errors. */
const RECOVERING = [
  'lock',
  'reset',
  'fault gone',
  'release stop',
  'release button',
  'pause',
  'stop_loop',
];

/** Ada acts most often, so that runs make progress; Ben is mostly refused by the lock. */
const acts: Act[] = [...actsOf('ada'), ...actsOf('ada'), ...worldActs];
acts.push(...acts.filter((act) => RECOVERING.includes(act.name)));
acts.push(...acts.filter((act) => RECOVERING.includes(act.name)));
acts.push(...actsOf('ben').filter((act) => act.name !== 'lock'));
acts.push(
  eventAct('Ben locks and releases', ({ harness, model }) => {
    expect(harness.apply({ kind: 'lock', caller: BEN }) === null).toBe(
      model.take('ben') === 'done',
    );
    expect(harness.apply({ kind: 'release_lock', caller: BEN }) === null).toBe(
      model.release('ben') === 'done',
    );
  }),
);

/** Adds the history of acts to an error. */
function withHistory(history: readonly string[], act: () => void): void {
  try {
    act();
  } catch (error) {
    throw new Error(`after: ${history.join(', ')}`, { cause: error });
  }
}

/** Walks of 100 commands, and how often each transition and each refusal has to occur in them. */
export interface RandomCommands {
  readonly walks: number;
  readonly transitions: number;
  readonly refusals: number;
}

export function randomCommandCases({ walks, transitions, refusals }: RandomCommands): void {
  describe('random commands', () => {
    it(`match the reference model in ${walks} walks of 100 commands`, () => {
      const any = fc.integer({ min: 0, max: acts.length - 1 }).map((i) => acts[i]!);
      const choice = fc.oneof(
        { weight: 12, arbitrary: any },
        { weight: 1, arbitrary: fc.constant(long) },
      );
      const walk = fc.array(choice, { minLength: 100, maxLength: 100 });
      fc.assert(fc.property(walk, follow), { numRuns: walks, seed: 20261121 });
    }, 60_000);

    it.each(REQUIRED_TRANSITIONS)(`take “%s” at least ${transitions} times`, (transition) => {
      expect(met.get(transition) ?? 0).toBeGreaterThanOrEqual(transitions);
    });

    const cells = Object.entries(REQUIRED_REFUSALS).flatMap(([name, states]) =>
      states.map((state) => `${state} ${name} wrong_state`),
    );
    it.each(cells)(`are refused “%s” at least ${refusals} times`, (cell) => {
      expect(met.get(cell) ?? 0).toBeGreaterThanOrEqual(refusals);
    });
  });
}

/** Takes the robot and the model through the acts of a walk. */
function follow(chosen: readonly Act[]): void {
  const history: string[] = [];
  const pair: Pair = { harness: new RobotHarness(), model: new ReferenceRobot() };
  pair.harness.prepare(TOOLPATH);
  pair.model.take('ada');
  pair.model.load('ada');
  for (const act of chosen) {
    history.push(act.name);
    withHistory(history, () => act.run(pair));
  }
}
