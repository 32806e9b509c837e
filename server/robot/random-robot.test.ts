/**
 * The robot against the plain model: 30,000 random commands, no divergence, and every transition
 * and refusal met often enough to mean something (spec §3).
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planJointMove } from '../../physics/motion/joint-move.ts';
import type { Caller, Command } from './commands.ts';
import { ADA, AWAY, BEN, Bench, HOME, thereAndBack } from './ideal-arm.cases.ts';
import { type Outcome, PlainRobot, type Who } from './plain-model.cases.ts';
import { REFUSED, TRANSITIONS } from './walked-cells.cases.ts';

const TOOLPATH = thereAndBack();
const LONG_S = 4.5;
const met = new Map<string, number>();

interface Pair {
  readonly bench: Bench;
  readonly model: PlainRobot;
}

interface Act {
  readonly name: string;
  readonly run: (pair: Pair) => void;
}

const callers: Record<Who, Caller> = { ada: ADA, ben: BEN };

function outcomeOf(refused: string | null): Outcome {
  if (refused === null) return 'done';
  if (refused.startsWith('lock')) return 'lock';
  if (refused === 'toolpath_missing') return 'toolpath_missing';
  return 'wrong_state';
}

function compare({ bench, model }: Pair, name: string, before: string): void {
  expect(`${name} in ${before}: ${bench.state}`).toBe(`${name} in ${before}: ${model.state}`);
  const holder = bench.robot.lockHolder;
  const who = holder === null ? null : holder.token_id === ADA.token_id ? 'ada' : 'ben';
  expect(`${name}: lock of ${who}`).toBe(`${name}: lock of ${model.lock}`);
}

function count(name: string, before: string, after: string): void {
  const key = `${before} ${name} ${after}`;
  met.set(key, (met.get(key) ?? 0) + 1);
}

/** A command for both; their answers must be the same. */
function asked(
  name: string,
  command: (pair: Pair) => Command,
  expected: (model: PlainRobot) => Outcome,
): Act {
  return {
    name,
    run(pair) {
      const before = pair.bench.state;
      const outcome = outcomeOf(pair.bench.ask(command(pair)));
      expect(`${name} in ${before}: ${outcome}`).toBe(
        `${name} in ${before}: ${expected(pair.model)}`,
      );
      compare(pair, name, before);
      count(name, before, outcome === 'done' ? pair.bench.state : outcome);
    },
  };
}

/** Something that happens; nobody answers. */
function happens(name: string, act: (pair: Pair) => void): Act {
  return {
    name,
    run(pair) {
      const before = pair.bench.state;
      act(pair);
      compare(pair, name, before);
      count(name, before, pair.bench.state);
    },
  };
}

function goTo({ bench }: Pair, caller: Caller): Command {
  const start = Float64Array.from(bench.robot.restPose);
  const nearHome = Math.abs(start[0]! - HOME[0]!) < 0.1;
  const end = Float64Array.from(nearHome ? AWAY : HOME);
  const caps = { tool_speed_m_s: 0.25, tool_offset_m: [0, 0, 0] as const };
  const { path, profile } = planJointMove({ start, end, caps, waypoints: [] });
  return { kind: 'go_to', caller, mode: 'automatic', motion: { start, path, profile, caps } };
}

function resumeProfile({ bench }: Pair) {
  const { halt } = bench.robot;
  if (!halt) return null;
  const knots_s = Float64Array.of(0, 1);
  return { duration_s: 1, knots_s, coefficients: Float64Array.of(halt.s, 0, 0, 0) };
}

function actsOf(who: Who): Act[] {
  const caller = callers[who];
  const run = (mode: 'automatic' | 'teach', loop: number) =>
    asked(
      `run ${mode} ${loop}`,
      () => ({ kind: 'run', caller, mode, loop }),
      (model) => model.start(who, 'run', mode === 'teach', loop === 0),
    );
  return [
    asked(
      'lock',
      () => ({ kind: 'lock', caller }),
      (model) => model.take(who),
    ),
    asked(
      'renew',
      () => ({ kind: 'renew_lock', caller }),
      (model) => model.renew(who),
    ),
    asked(
      'release',
      () => ({ kind: 'release_lock', caller }),
      (model) => model.release(who),
    ),
    asked(
      'load',
      () => ({ kind: 'load', caller, toolpath: TOOLPATH }),
      (m) => m.load(who),
    ),
    run('automatic', 1),
    run('automatic', 0),
    run('teach', 0),
    asked(
      'home',
      () => ({ kind: 'home', caller }),
      (m) => m.start(who, 'home', true, false),
    ),
    asked(
      'go_to',
      (pair) => goTo(pair, caller),
      (m) => m.start(who, 'go_to', false, false),
    ),
    asked(
      'pause',
      () => ({ kind: 'pause', caller }),
      (model) => model.pause(who),
    ),
    asked(
      'resume',
      (pair) => ({ kind: 'resume', caller, profile: resumeProfile(pair) }),
      (model) => model.resume(who),
    ),
    asked(
      'cancel',
      () => ({ kind: 'cancel', caller }),
      (model) => model.cancel(who),
    ),
    asked(
      'stop_loop',
      () => ({ kind: 'stop_loop', caller }),
      (model) => model.stopLoop(who),
    ),
    asked(
      'reset',
      () => ({ kind: 'reset_errors', caller }),
      (m) => m.resetErrors(who),
    ),
  ];
}

const worldActs: Act[] = [
  happens('sick', ({ bench, model }) => {
    bench.recovers = false;
    bench.arm.feedback.fault = { kind: 'overload', joint: 1, message: 'Joint 2 is overloaded' };
    bench.pass(0.004);
    model.fallSick();
  }),
  happens('well', ({ bench, model }) => {
    bench.recovers = true;
    bench.arm.feedback.fault = null;
    model.getWell();
  }),
  happens('press stop', ({ bench, model }) => {
    bench.ask({ kind: 'estop', engaged: true });
    model.pressStop();
  }),
  happens('release stop', ({ bench, model }) => {
    bench.ask({ kind: 'estop', engaged: false });
    model.releaseStop();
  }),
  asked(
    'press',
    () => ({ kind: 'backdriving', pressed: true }),
    (model) => model.press(),
  ),
  asked(
    'let go',
    () => ({ kind: 'backdriving', pressed: false }),
    (model) => model.letGo(),
  ),
];

const long = happens('long time', ({ bench, model }) => {
  // Whether a teach motion or its lock ends first is a race; who wants the motion done, renews.
  if (model.lock && model.work && (!model.work.endless || model.state === 'stopping')) {
    bench.ask({ kind: 'renew_lock', caller: callers[model.lock] });
    model.renew(model.lock);
  }
  bench.pass(LONG_S);
  model.passLong(LONG_S);
});

/** What helps to get on: without these the walks end in locks and errors. */
const HELPFUL = ['lock', 'reset', 'well', 'release stop', 'let go', 'pause', 'stop_loop'];

/** Ada acts most, so that runs get somewhere; Ben mostly meets a lock. */
const acts: Act[] = [...actsOf('ada'), ...actsOf('ada'), ...worldActs];
acts.push(...acts.filter((act) => HELPFUL.includes(act.name)));
acts.push(...acts.filter((act) => HELPFUL.includes(act.name)));
acts.push(...actsOf('ben').filter((act) => act.name !== 'lock'));
acts.push(
  happens('Ben comes and goes', ({ bench, model }) => {
    expect(bench.ask({ kind: 'lock', caller: BEN }) === null).toBe(model.take('ben') === 'done');
    expect(bench.ask({ kind: 'release_lock', caller: BEN }) === null).toBe(
      model.release('ben') === 'done',
    );
  }),
);

/** Adds the story so far to what went wrong. */
function tell(told: readonly string[], act: () => void): void {
  try {
    act();
  } catch (error) {
    throw new Error(`after: ${told.join(', ')}`, { cause: error });
  }
}

describe('random commands', () => {
  it('never part from the plain model in 30,000 commands', () => {
    const choice = fc.oneof(
      { weight: 12, arbitrary: fc.integer({ min: 0, max: acts.length - 1 }).map((i) => acts[i]!) },
      { weight: 1, arbitrary: fc.constant(long) },
    );
    const story = fc.array(choice, { minLength: 100, maxLength: 100 });
    const property = fc.property(story, (chosen) => {
      const told: string[] = [];
      const pair: Pair = { bench: new Bench(), model: new PlainRobot() };
      pair.bench.prepare(TOOLPATH);
      pair.model.take('ada');
      pair.model.load('ada');
      for (const act of chosen) {
        told.push(act.name);
        tell(told, () => act.run(pair));
      }
    });
    fc.assert(property, { numRuns: 300, seed: 20261121 });
  }, 60_000);

  it.each(TRANSITIONS)('takes “%s” at least 20 times', (transition) => {
    expect(met.get(transition) ?? 0).toBeGreaterThanOrEqual(20);
  });

  const cells = Object.entries(REFUSED).flatMap(([name, states]) =>
    states.map((state) => `${state} ${name} wrong_state`),
  );
  it.each(cells)('refuses “%s” at least 5 times', (cell) => {
    expect(met.get(cell) ?? 0).toBeGreaterThanOrEqual(5);
  });
});
