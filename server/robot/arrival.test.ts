/** A motion whose plan has ended, and a joint that does not come to its place. */
import { expect, it } from 'vitest';
import { limits } from '../../contract/limits.ts';
import { ADA, RobotHarness } from './robot-harness.cases.ts';

/** A run whose motions have ended while something holds a joint: the arm never stands. */
function heldAtTheEnd(): RobotHarness {
  const harness = new RobotHarness().prepare();
  harness.apply({ kind: 'run', caller: ADA, mode: 'automatic', loop: 1 });
  const exchange = harness.arm.exchange.bind(harness.arm);
  harness.arm.exchange = (setpoint) => Object.assign(exchange(setpoint), { standing: false });
  for (let s = 0; s < 60 && harness.robot.memory.ending === null; s += 0.1) harness.advance(0.1);
  return harness;
}

it('is running while it may still come, then in error with the joint', () => {
  const harness = heldAtTheEnd();
  harness.advance(limits.arrival_s - 1);
  expect(harness.state).toBe('running');
  harness.advance(2);
  expect(harness.state).toBe('error');
  expect(harness.robot.memory.error).toMatch(/^J\d does not come to the end of the motion: /);
});

it('ends as usual where the arm comes to stand in time', () => {
  const harness = heldAtTheEnd();
  harness.advance(limits.arrival_s - 1);
  harness.arm.exchange = Object.getPrototypeOf(harness.arm).exchange.bind(harness.arm);
  expect(harness.advanceUntil('ready', 1)).toBe(true);
});

it('answers a pause of an arm that does not come to stand with the reason', () => {
  const harness = new RobotHarness().prepare();
  harness.apply({ kind: 'run', caller: ADA, mode: 'automatic', loop: 1 });
  harness.advance(0.5);
  const exchange = harness.arm.exchange.bind(harness.arm);
  harness.arm.exchange = (setpoint) => Object.assign(exchange(setpoint), { standing: false });
  harness.apply({ kind: 'pause', caller: ADA });
  harness.advance(limits.arrival_s + 3);
  expect([harness.state, harness.robot.memory.awaited]).toEqual(['error', null]);
});
