/**
 * What goes wrong in the middle of a motion, row by row: the arm ends in the stated state, does not
 * move on recovery, and is never steered by old samples.
 */
import { describe, expect, it } from 'vitest';
import { still } from './arm-driver.cases.ts';
import { TICK_S } from './arm-driver.ts';
import { holdFor, passTick } from './servo-arm.cases.ts';
import { expectRecovery, expectRest, moving } from './servo-motion.cases.ts';

describe('a single bad reply in the middle of a motion', () => {
  it.each(['drop', 'corrupt'] as const)(
    '%s: the sample is left out and the motion goes on',
    async (kind) => {
      const bench = await moving();
      bench.faults[kind] = 1;
      expect((await bench.go(100)).fault).toBeNull();
      expect(bench.arm.link.counts.bad_turns).toBe(1);
      expect(bench.bus.counts.timeouts).toBe(1);
      await bench.close();
    },
  );

  it('garbage in front: the motion goes on', async () => {
    const bench = await moving();
    bench.faults.garbage = [0x00, 0xff, 0xff, 0xfd];
    expect((await bench.go(100)).fault).toBeNull();
    expect(bench.bus.reading.dropped_bytes).toBeGreaterThan(100);
    await bench.close();
  });

  it('every reply doubled: the motion goes on with fresh samples alone', async () => {
    const bench = await moving();
    bench.faults.duplicate = true;
    const feedback = await bench.go(100);
    expect(feedback.fault).toBeNull();
    expect(feedback.age_s).toBeLessThan(0.02);
    await bench.close();
  });
});

describe('a line that fails in the middle of a motion', () => {
  it('cut: faults within 0.3 s, holds, and comes back only by recovery', async () => {
    const bench = await moving();
    bench.faults.cut = true;
    const feedback = await bench.go(75);
    expect(feedback.fault).toMatchObject({ kind: expect.stringMatching(/stale|bus/), joint: null });
    expect(feedback.age_s).toBeGreaterThan(0.15);
    await expectRest(bench);
    expect(bench.arm.exchange(still('hold'), TICK_S).fault!.message).toMatch(/No servo answers/);
    bench.faults.cut = false;
    await expectRest(bench);
    expect(bench.arm.exchange(still('hold'), TICK_S).fault).not.toBeNull();
    await expectRecovery(bench);
    await bench.close();
  });

  it('slow by more than it may be: late replies are not taken as fresh', async () => {
    const bench = await moving();
    bench.faults.delay_ms = 300;
    const feedback = await bench.go(75);
    expect(feedback.fault).not.toBeNull();
    await expectRest(bench);
    bench.faults.delay_ms = 0;
    await expectRecovery(bench);
    await bench.close();
  });

  it('slow by a little: the age tells, and the motion goes on', async () => {
    const bench = await moving();
    bench.faults.delay_ms = 6;
    const feedback = await bench.go(60);
    expect(feedback.fault).toBeNull();
    expect(feedback.age_s).toBeGreaterThan(0.005);
    await bench.close();
  });

  it.each([40, 80, 120])('held up for %i ms by a busy gateway: goes on', async (held_ms) => {
    const bench = await moving();
    bench.faults.hold();
    expect((await bench.go(held_ms / 4)).fault).toBeNull();
    bench.faults.release();
    expect((await bench.go(100)).fault).toBeNull();
    await bench.close();
  });

  it('all replies corrupt: the fault says so', async () => {
    const bench = await moving();
    bench.faults.corrupt = 1e6;
    const feedback = await bench.go(75);
    expect(feedback.fault).toMatchObject({ kind: 'bus', joint: null });
    await expectRest(bench);
    await bench.close();
  });
});

describe('one servo that fails in the middle of a motion', () => {
  it.each([true, false])('lost (chain breaks: %s): named, the others hold', async (breaks) => {
    const bench = await moving();
    bench.emulator.chainBreaks = breaks;
    bench.emulator.servo(4).dead = true;
    const feedback = await bench.go(75);
    expect(feedback.fault).toMatchObject({ kind: 'lost', joint: 3 });
    expect(feedback.fault!.message).toMatch(/Joint 3 \(servo 4\) does not answer/);
    await expectRest(bench);
    expect(bench.emulator.servo(1).torqueOn).toBe(true);
    bench.emulator.servo(4).dead = false;
    await expectRecovery(bench);
    await bench.close();
  });

  it.each([
    [0x20, 'overload', /overloaded/],
    [0x04, 'overheated', /too hot/],
  ] as const)('alert %i: %s, named, the others hold', async (bits, kind, text) => {
    const bench = await moving();
    bench.emulator.servo(5).raise(bits);
    const { fault } = await bench.go(75);
    expect(fault).toMatchObject({ kind, joint: 4, message: expect.stringMatching(text) });
    await expectRest(bench);
    await expectRecovery(bench);
    await bench.close();
  });

  it.each([
    [0x08, 'encoder', /encoder/],
    [0x01, 'voltage', /voltage/],
  ] as const)(
    'alert %i: %s; it still holds, and no restart lets it fall',
    async (bits, kind, text) => {
      const bench = await moving();
      bench.emulator.servo(5).raise(bits);
      const { fault } = await bench.go(75);
      expect(fault).toMatchObject({ kind, joint: 4, message: expect.stringMatching(text) });
      await expectRest(bench);
      expect(bench.arm.recover()).toBe(false);
      await holdFor(bench, 200);
      expect(bench.arm.recover()).toBe(false);
      await holdFor(bench, 200);
      expect(bench.emulator.servo(5).torqueOn).toBe(true);
      const after = bench.arm.exchange(still('hold'), TICK_S).fault;
      expect(after).toMatchObject({ joint: 4, message: expect.stringMatching(/power-cycle/) });
      await bench.close();
    },
  );

  it('restarted: known by its own clock, named, held', async () => {
    const bench = await moving();
    bench.emulator.servo(6).reboot();
    const { fault } = await bench.go(100);
    expect(fault).toMatchObject({ kind: 'lost', joint: 5 });
    await expectRest(bench);
    await expectRecovery(bench);
    expect(bench.emulator.servo(6).torqueOn).toBe(true);
    await bench.close();
  });

  it('let go by a short dip of its supply: found by the look at its health', async () => {
    const bench = await moving();
    bench.emulator.servo(6).memory.set('torque', 0);
    const { fault } = await bench.go(100);
    expect(fault).toMatchObject({ kind: 'lost', joint: 5, message: /let go/ });
    await expectRecovery(bench);
    await bench.close();
  });

  it('watchdog tripped: named, and cleared only by recovery', async () => {
    const bench = await moving();
    bench.emulator.servo(2).memory.set('watchdog', 255);
    const { fault } = await bench.go(100);
    expect(fault).toMatchObject({ kind: 'stale', joint: 1, message: /stopped itself/ });
    await expectRest(bench);
    expect(bench.emulator.servo(2).memory.get('watchdog')).toBe(255);
    await expectRecovery(bench);
    expect(bench.emulator.servo(2).memory.get('watchdog')).toBe(15);
    await bench.close();
  });

  it('too hot by the calibration: named', async () => {
    const bench = await moving();
    bench.emulator.plant.heat.temperature[2] = 75;
    const { fault } = await bench.go(150);
    expect(fault).toMatchObject({ kind: 'overheated', joint: 2 });
    await bench.close();
  });
});

describe('something in the way', () => {
  it('with detection is a contact of the joint, and the arm rests', async () => {
    const bench = await moving();
    bench.emulator.plant.blocked.add(0);
    const feedback = await bench.go(250, 'medium');
    expect(feedback.contact).toMatchObject({ joint: 0 });
    expect(feedback.fault).toBeNull();
    await expectRest(bench);
    bench.emulator.plant.blocked.delete(0);
    await expectRecovery(bench);
    expect(bench.arm.exchange(still('hold'), TICK_S).contact).toBeNull();
    await bench.close();
  });

  it('without detection is a joint that does not follow', async () => {
    const bench = await moving();
    bench.emulator.plant.blocked.add(0);
    const feedback = await bench.go(250);
    expect(feedback.fault).toMatchObject({ kind: 'following_error', joint: 0 });
    expect(feedback.contact).toBeNull();
    bench.emulator.plant.blocked.delete(0);
    await expectRecovery(bench);
    await bench.close();
  });
});

describe('a robot that stops in the middle of a motion', () => {
  it('comes to rest, and the servos go on holding without the driver', async () => {
    const bench = await moving();
    await bench.clock.until(bench.arm.stop());
    const { emulator, clock } = bench;
    clock.advance(300);
    emulator.catchUp();
    const before = emulator.plant.position_rad[0]!;
    clock.advance(2000);
    emulator.catchUp();
    expect(Math.abs(emulator.plant.position_rad[0]! - before)).toBeLessThan(0.002);
    expect(emulator.servos.every((servo) => servo.torqueOn)).toBe(true);
    expect(emulator.servos.map((servo) => servo.memory.get('watchdog'))).toEqual([
      0, 0, 0, 0, 0, 0,
    ]);
    await bench.close();
  });

  it('limp, goes where it is pushed', async () => {
    const bench = await moving();
    await holdFor(bench, 100);
    for (let i = 0; i < 100; i++) {
      bench.emulator.catchUp();
      bench.emulator.plant.position_rad[0]! += 0.001;
      bench.arm.exchange(still('limp'), TICK_S);
      await passTick(bench);
    }
    const goal = bench.emulator.servo(1).memory.get('goal_position');
    await holdFor(bench, 50);
    expect(goal).toBeGreaterThan(2048 + 30);
    await bench.close();
  });
});
