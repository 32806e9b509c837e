/**
 * When an unpaced clock may skip ticks, and up to which one: the expiry of the lock, the times of
 * the schedule, and the ends of waits.
 */
import { describe, expect, it } from 'vitest';
import { END_OF_LOOP, type ProgramStep } from '../../physics/toolpath/program.ts';
import { ADA, RobotHarness, toolpathOf } from './robot-harness.cases.ts';

type Condition = Extract<ProgramStep, { kind: 'wait' }>['condition'];

const run = { kind: 'run', caller: ADA, mode: 'automatic', loop: 1 } as const;
const pause = { kind: 'pause', caller: ADA } as const;
const A0 = { location: 'base', type: 'analog', index: 0 } as const;
const D0 = { location: 'base', type: 'digital', index: 0 } as const;
const EMPTY = toolpathOf([]);
const FOR_A_SECOND: Condition = { type: 'time', duration: 1 };
const FOR_AN_INPUT: Condition = { type: 'input', io: D0, value: true };
/** The tick at which a lock acquired at tick 0 expires. */
const LOCK = 75_000;

function waiting(condition: Condition): RobotHarness {
  const place = { next: END_OF_LOOP, at: '/timeline/1', cell: [] };
  return new RobotHarness().prepare(toolpathOf([{ kind: 'wait', condition, ...place }]));
}

function running(): RobotHarness {
  const harness = started(new RobotHarness().prepare());
  harness.advance(0.3);
  return harness;
}

function started(harness: RobotHarness): RobotHarness {
  expect(harness.apply(run)).toBeNull();
  return harness;
}

function outputs(): RobotHarness {
  const place = { next: END_OF_LOOP, at: '/timeline/1', cell: [] };
  const step: ProgramStep = { kind: 'output', io: D0, value: true, ...place };
  return new RobotHarness().prepare(toolpathOf([step]));
}

function homing(): RobotHarness {
  const harness = waiting(FOR_A_SECOND);
  expect(harness.apply({ kind: 'home', caller: ADA })).toBeNull();
  return harness;
}

function pausedRun(): RobotHarness {
  const harness = running();
  harness.apply(pause);
  harness.settle();
  return harness;
}

function guided(): RobotHarness {
  const harness = new RobotHarness();
  harness.apply({ kind: 'backdriving', pressed: true });
  return harness;
}

describe('ticks may be skipped', () => {
  const idle = ({ robot }: RobotHarness) => robot.idle;

  it.each<[string, () => RobotHarness, boolean]>([
    ['ready', () => new RobotHarness(), true],
    ['moving', () => running(), false],
    ['waiting in a run', () => started(waiting(FOR_A_SECOND)), true],
    ['before a step without duration', () => started(outputs()), false],
    ['at the end of an empty program', () => started(new RobotHarness().prepare(EMPTY)), false],
    ['at home, before that ends', () => homing(), false],
    ['paused', () => pausedRun(), true],
    ['backdriving', () => guided(), false],
  ])('while %s', (_name, reach, expected) => {
    const harness = reach();
    expect(idle(harness)).toBe(expected);
    harness.arm.feedback.at_rest = false;
    expect(idle(harness)).toBe(false);
  });

  it('to a tick, at which open inputs have the readings of the tick before', () => {
    const { robot, arm } = new RobotHarness();
    const reading = () => (robot.snapshot()['global.inputs'] as Record<string, unknown>)['a0'];
    for (const [tick, value] of [
      [250, 0.003],
      [251, 0.042],
    ] as const) {
      robot.skipTo(arm.feedback, tick);
      expect([reading(), robot.source.tick]).toEqual([value, tick - 1]);
    }
  });
});

describe('the next deadline', () => {
  const deadline = ({ robot }: RobotHarness) => robot.nextDeadline_tick;

  it('is none, the expiry of the lock, or the next time of the schedule', () => {
    const harness = new RobotHarness({ epoch_ms: Date.UTC(2026, 4, 1) + 1 });
    expect(deadline(harness)).toBe(Number.POSITIVE_INFINITY);
    harness.apply({ kind: 'lock', caller: ADA });
    expect(deadline(harness)).toBe(LOCK);
    for (const [start_time, end_time, expected] of [
      ['00:00:10', '00:00:20', 2500],
      ['00:00:20', '00:00:10', 2500],
      ['00:10:00', '00:20:00', LOCK],
    ] as const) {
      const set = { kind: 'scheduler', caller: ADA, enabled: true } as const;
      harness.apply({ ...set, start_time, end_time });
      expect(deadline(harness)).toBe(expected);
    }
  });

  it('is the tick of a scheduled time', () => {
    const harness = new RobotHarness().prepare();
    const times = { start_time: '00:00:10', end_time: '00:00:20' };
    harness.apply({ kind: 'scheduler', caller: ADA, enabled: true, ...times });
    expect(deadline(harness)).toBe(2500);
  });

  it('is the end of a wait for a time, before and after the wait has begun', () => {
    const harness = waiting(FOR_A_SECOND);
    harness.advance(0.1);
    started(harness);
    expect(deadline(harness)).toBe(25 + 250);
    harness.advance(0.3);
    expect(deadline(harness)).toBe(25 + 250);
    harness.apply({ kind: 'stop_loop', caller: ADA });
    expect([harness.state, deadline(harness)]).toEqual(['stopping', 25 + 250]);
    harness.apply(pause);
    expect([harness.state, deadline(harness)]).toEqual(['paused', 25 + LOCK]);
  });

  it.each<[string, Condition]>([
    ['a digital input', FOR_AN_INPUT],
    ['an analog input', { type: 'input', io: A0, operator: 'above', thresholds: { upper: 5 } }],
  ])('is the next reading in a wait for %s', (_name, condition) => {
    const harness = started(waiting(condition));
    harness.advance(0.1);
    expect(deadline(harness)).toBe(250);
    harness.advance(1);
    expect(deadline(harness)).toBe(500);
  });

  it('is that of the lock where it is earlier than the end of a wait', () => {
    const harness = waiting({ type: 'time', duration: 60 });
    harness.apply({ ...run, mode: 'teach' });
    expect(deadline(harness)).toBe(1250);
  });

  it.each<[string, () => RobotHarness, number]>([
    ['moving', () => running(), LOCK],
    ['at the end of an empty program', () => started(new RobotHarness().prepare(EMPTY)), LOCK],
    ['at home', () => homing(), 1250],
  ])('has no wait while %s', (_name, reach, expected) => {
    expect(deadline(reach())).toBe(expected);
  });
});
