/**
 * Standstill on an ideal arm (decision D29): `paused` and `ready` are published when the arm
 * stands, and the lock of a teach-mode motion cannot be released before.
 */
import { describe, expect, it } from 'vitest';
import { planJointMove } from '../../physics/motion/joint-move.ts';
import { planResume } from '../../physics/motion/resume.ts';
import { ADA, HOME, RobotHarness, thereAndBack } from './robot-harness.cases.ts';

const turn = (harness: RobotHarness) => harness.arm.feedback.position_rad[0]!;
const speed = (harness: RobotHarness) =>
  Math.max(...harness.arm.feedback.velocity_rad_s.map(Math.abs));

function start(loop = 1) {
  const harness = new RobotHarness().prepare(thereAndBack());
  expect(harness.apply({ kind: 'run', caller: ADA, mode: 'automatic', loop })).toBeNull();
  return harness;
}

function resume(harness: RobotHarness): string | null {
  const { path, s, caps } = harness.robot.pausedMotion!;
  const { profile } = planResume({ path, s, caps });
  return harness.apply({ kind: 'resume', caller: ADA, profile });
}

describe('a pause', () => {
  it('is published when the arm stands; a cancel and another motion can follow at once', () => {
    const harness = start();
    harness.advance(0.3);
    expect(harness.apply({ kind: 'pause', caller: ADA })).toBeNull();
    expect(harness.state).toBe('running');
    expect(harness.apply({ kind: 'pause', caller: ADA })).toBeNull();
    expect(harness.apply({ kind: 'cancel', caller: ADA })).toBe('wrong_state');
    const braking_s = harness.settle();
    expect(braking_s).toBeGreaterThan(0.02);
    expect(braking_s).toBeLessThan(0.4);
    expect(harness.state).toBe('paused');
    expect(speed(harness)).toBe(0);
    expect(harness.apply({ kind: 'cancel', caller: ADA })).toBeNull();
    expect(harness.apply({ kind: 'run', caller: ADA, mode: 'automatic', loop: 1 })).toBeNull();
    expect(harness.advanceUntil('ready')).toBe(true);
    expect(turn(harness)).toBeCloseTo(0, 6);
  });

  it('ends the stay of a motion with a time to where the arm is, like any other motion', () => {
    const harness = new RobotHarness().prepare();
    const here = Float64Array.from(HOME);
    const caps = { tool_speed_m_s: 0.25, tool_offset_m: [0, 0, 0] as const };
    const timed = { ...caps, time_s: 4 };
    const { path, profile } = planJointMove({ start: here, end: here, caps: timed, waypoints: [] });
    const motion = { start: here, path, profile, caps: timed };
    const goTo = () => harness.apply({ kind: 'go_to', caller: ADA, mode: 'automatic', motion });
    expect(goTo()).toBeNull();
    harness.advance(3.9);
    expect(harness.state).toBe('running');
    expect(harness.advanceUntil('ready', 0.2)).toBe(true);
    expect(goTo()).toBeNull();
    harness.advance(1);
    harness.apply({ kind: 'pause', caller: ADA });
    harness.settle();
    expect(harness.state).toBe('paused');
    expect(resume(harness)).toBeNull();
    expect(harness.advanceUntil('ready', 0.1)).toBe(true);
  });

  it('waits in `stopping` when the last loop was requested while braking', () => {
    const harness = start(0);
    harness.advance(0.3);
    harness.apply({ kind: 'pause', caller: ADA });
    harness.apply({ kind: 'stop_loop', caller: ADA });
    harness.settle();
    expect(harness.state).toBe('paused');
    expect(resume(harness)).toBeNull();
    expect(harness.state).toBe('stopping');
    expect(harness.advanceUntil('ready')).toBe(true);
    expect(harness.robot.memory.loop_count).toBe(1);
  });

  it('is refused after all when a fault or the emergency stop comes first', () => {
    for (const interrupt of ['fault', 'estop'] as const) {
      const harness = start();
      harness.advance(0.3);
      expect(harness.apply({ kind: 'pause', caller: ADA })).toBeNull();
      harness.robot.takeEvents();
      if (interrupt === 'estop') harness.apply({ kind: 'estop', engaged: true });
      else harness.arm.feedback.fault = { kind: 'overload', joint: 1, message: 'overloaded' };
      harness.advance(0.004);
      const completed = harness.robot.takeEvents().find(({ kind }) => kind === 'completed');
      expect(completed).toMatchObject({ refusal: { refused: 'wrong_state' } });
      expect(harness.robot.isCommandAwaited).toBe(false);
    }
  });
});

describe('the lock in teach mode', () => {
  const release = (harness: RobotHarness) => harness.apply({ kind: 'release_lock', caller: ADA });

  it.each(['pause', 'fault', 'estop', 'collision'] as const)(
    'cannot be released while the arm brakes after: %s',
    (interruption) => {
      const harness = new RobotHarness().prepare(thereAndBack());
      const detection = { enabled: true, sensitivity: 'high' } as const;
      harness.apply({ kind: 'collision_detection', caller: ADA, ...detection });
      harness.apply({ kind: 'run', caller: ADA, mode: 'teach', loop: 0 });
      harness.advance(0.4);
      if (interruption === 'pause') harness.apply({ kind: 'pause', caller: ADA });
      if (interruption === 'estop') harness.apply({ kind: 'estop', engaged: true });
      if (interruption === 'collision') harness.arm.feedback.contact = { joint: 1, at_s: 0.4 };
      if (interruption === 'fault') {
        harness.arm.feedback.age_s = 1;
        harness.advance(0.004);
        harness.arm.feedback.age_s = 0;
      }
      harness.advance(0.004);
      let refused = 0;
      while (release(harness) === 'wrong_state' && refused < 1000) {
        refused += 1;
        harness.apply({ kind: 'cancel', caller: ADA });
        harness.advance(0.004);
      }
      expect(refused).toBeGreaterThan(3);
      expect(speed(harness)).toBe(0);
    },
  );
});
