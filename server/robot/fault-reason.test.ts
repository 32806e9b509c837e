/**
 * A fault and each change of its reason are logged. The cause of an error stays its cause: what comes
 * after it is told after it.
 */
import { describe, expect, it } from 'vitest';
import type { ArmFault } from '../../bridge/arm-driver.ts';
import { limits } from '../../contract/limits.ts';
import { RobotHarness } from './robot-harness.cases.ts';

it('logs a fault and its changed reason, and no change of a measure in it', () => {
  const harness = new RobotHarness();
  const logged = (message: string) => {
    harness.arm.feedback.fault = { kind: 'bus', joint: null, message };
    harness.advance(0.1);
    const events = harness.robot.takeEvents();
    return events.flatMap((one) => (one.kind === 'log' ? [`${one.level}: ${one.text}`] : []));
  };
  expect(logged('No data for 153 ms')).toEqual([
    expect.stringMatching(/^warning: .* error \(fault\)$/),
    'error: No data for 153 ms',
  ]);
  expect(logged('No data for 160 ms')).toEqual([]);
  expect(logged('Cannot open the port')).toEqual(['error: Cannot open the port']);
  // A full stop is no other reason.
  expect(logged('Cannot open the port.')).toEqual([]);
});

describe('the cause of an error', () => {
  const HOT: ArmFault = { kind: 'overheated', joint: 3, message: 'J4 is too hot' };
  const LOST: ArmFault = { kind: 'lost', joint: 2, message: 'J3 does not answer' };

  /** What the robot says after these faults, one after the other. */
  function saidAfter(...faults: readonly (ArmFault | null)[]) {
    const harness = new RobotHarness();
    for (const fault of faults) {
      harness.arm.feedback.fault = fault;
      harness.advance(0.1);
    }
    const { error, error_cause, later_errors } = harness.robot.memory;
    return { harness, error, joint: error_cause?.joint, later: later_errors };
  }

  it('stays the headline after another fault, which is told once', () => {
    const { harness, error, joint, later } = saidAfter(HOT, LOST, HOT, LOST, null, LOST);
    expect({ error, joint, later }).toEqual({
      error: 'J4 is too hot',
      joint: 3,
      later: ['J3 does not answer'],
    });
    const logged = harness.robot.takeEvents().filter((event) => event.kind === 'log');
    expect(logged.filter(({ text }) => text === LOST.message)).toHaveLength(1);
  });

  it('is told in better words when the driver has found the joint, or why it does not follow', () => {
    const line: ArmFault = { kind: 'bus', joint: null, message: 'Corrupt replies' };
    expect(saidAfter(line, LOST)).toMatchObject({ error: LOST.message, joint: 2, later: [] });
    const lags: ArmFault = { kind: 'following_error', joint: 3, message: 'J4 lags' };
    expect(saidAfter(lags, HOT)).toMatchObject({ error: HOT.message, joint: 3, later: [] });
    expect(saidAfter(lags, LOST)).toMatchObject({ error: 'J4 lags', later: [LOST.message] });
  });

  it('stays behind an emergency stop', () => {
    const { harness } = saidAfter(HOT);
    harness.apply({ kind: 'estop', engaged: true });
    harness.arm.feedback.fault = LOST;
    harness.advance(0.1);
    expect(harness.robot.memory).toMatchObject({
      error: HOT.message,
      later_errors: [LOST.message],
    });
  });

  it('keeps a number of later faults', () => {
    const others = Array.from({ length: 2 * limits.later_errors }, (_, i): ArmFault => {
      return { ...LOST, message: `J3 ${'x'.repeat(i + 1)}` };
    });
    expect(saidAfter(HOT, ...others).later).toHaveLength(limits.later_errors);
  });
});
