/** An emergency stop that is wired to the joints, beside the one in the hand on the twin. */
import { describe, expect, it } from 'vitest';
import { ADA, AWAY, Bench } from './ideal-arm.cases.ts';

function wired(bench: Bench, pressed: boolean): void {
  bench.arm.feedback.estop = pressed;
  bench.pass(0.1);
}

function stopOf({ robot }: Bench): unknown {
  return robot.snapshot().global;
}

describe('a stop wired to the joints', () => {
  it.each([
    [false, 'ready'],
    [true, 'error'],
  ])('disables the robot, pressed while moving: %s, and leads to %s', (moving, next) => {
    const bench = new Bench().prepare();
    if (moving) bench.ask({ kind: 'run', caller: ADA, mode: 'automatic', loop: 0 });
    bench.pass(0.2);
    wired(bench, true);
    expect([bench.state, stopOf(bench)]).toEqual(['disabled', { estop: true }]);
    wired(bench, false);
    expect([bench.state, stopOf(bench)]).toEqual([next, { estop: false }]);
  });

  it('lasts as long as either stop is pressed', () => {
    const bench = new Bench().prepare();
    wired(bench, true);
    bench.ask({ kind: 'estop', engaged: true });
    bench.ask({ kind: 'estop', engaged: false });
    expect(bench.state).toBe('disabled');
    bench.ask({ kind: 'estop', engaged: true });
    wired(bench, false);
    expect(bench.state).toBe('disabled');
    bench.ask({ kind: 'estop', engaged: false });
    expect(bench.state).toBe('ready');
  });

  it('outlives a power cycle, and is known from the first tick on', () => {
    const bench = new Bench().prepare();
    wired(bench, true);
    bench.ask({ kind: 'power_cycle' });
    bench.pass(0.1);
    expect(bench.state).toBe('disabled');
    wired(bench, false);
    expect(bench.state).toBe('ready');
  });

  it('goes on from where the arm lies afterwards', () => {
    const bench = new Bench().prepare();
    wired(bench, true);
    bench.arm.feedback.position_rad.set(AWAY);
    wired(bench, false);
    expect(Array.from(bench.robot.restPose)).toEqual(AWAY);
  });

  it('is followed by the error of joints that did not come back', () => {
    const bench = new Bench().prepare();
    wired(bench, true);
    bench.arm.feedback.fault = { kind: 'lost', joint: 4, message: 'Joint 4 does not answer' };
    wired(bench, false);
    expect([bench.state, bench.robot.memory.error]).toEqual(['error', 'Joint 4 does not answer']);
  });
});
