/** The emergency stop wired to the joints, in addition to the one of the simulation control API. */
import { describe, expect, it } from 'vitest';
import { ADA, AWAY, RobotHarness } from './robot-harness.cases.ts';

function wired(harness: RobotHarness, pressed: boolean): void {
  harness.arm.feedback.estop = pressed;
  harness.advance(0.1);
}

function stopOf({ robot }: RobotHarness): unknown {
  return robot.snapshot().global;
}

describe('a wired emergency stop', () => {
  it.each([
    [false, 'ready'],
    [true, 'error'],
  ])('disables the robot, pressed while moving: %s, and leads to %s', (moving, next) => {
    const harness = new RobotHarness().prepare();
    if (moving) harness.apply({ kind: 'run', caller: ADA, mode: 'automatic', loop: 0 });
    harness.advance(0.2);
    wired(harness, true);
    expect([harness.state, stopOf(harness)]).toEqual(['disabled', { estop: true }]);
    wired(harness, false);
    expect([harness.state, stopOf(harness)]).toEqual([next, { estop: false }]);
  });

  it('disables the robot until both stops are released', () => {
    const harness = new RobotHarness().prepare();
    wired(harness, true);
    harness.apply({ kind: 'estop', engaged: true });
    harness.apply({ kind: 'estop', engaged: false });
    expect(harness.state).toBe('disabled');
    harness.apply({ kind: 'estop', engaged: true });
    wired(harness, false);
    expect(harness.state).toBe('disabled');
    harness.apply({ kind: 'estop', engaged: false });
    expect(harness.state).toBe('ready');
  });

  it('reports each change of the safety state, also between two ticks', () => {
    const harness = new RobotHarness().prepare();
    harness.robot.takeEvents();
    for (const pressed of [true, false, true, false]) {
      harness.arm.feedback.estop = pressed;
      harness.robot.followWorld([], 0);
    }
    const states = harness.robot
      .takeEvents()
      .flatMap((event) => (event.kind === 'safety' ? [event.state] : []));
    expect(states).toEqual(['emergency_stop', 'ok', 'emergency_stop', 'ok']);
  });

  it('survives a power cycle and acts from the first tick on', () => {
    const harness = new RobotHarness().prepare();
    wired(harness, true);
    harness.apply({ kind: 'power_cycle' });
    harness.advance(0.1);
    expect(harness.state).toBe('disabled');
    wired(harness, false);
    expect(harness.state).toBe('ready');
  });

  it('takes the measured pose as rest pose after the release', () => {
    const harness = new RobotHarness().prepare();
    wired(harness, true);
    harness.arm.feedback.position_rad.set(AWAY);
    wired(harness, false);
    expect(Array.from(harness.robot.restPose)).toEqual(AWAY);
  });

  it('is followed by the error of joints that do not respond', () => {
    const harness = new RobotHarness().prepare();
    wired(harness, true);
    harness.arm.feedback.fault = { kind: 'lost', joint: 4, message: 'Joint 4 does not answer' };
    wired(harness, false);
    expect([harness.state, harness.robot.memory.error]).toEqual([
      'error',
      'Joint 4 does not answer',
    ]);
  });
});
