/** A fault and each change of its reason are logged as warnings. */
import { expect, it } from 'vitest';
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
