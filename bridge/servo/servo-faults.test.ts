/**
 * Faults in the middle of a motion: the arm ends in the stated state, does not move on recovery,
 * and never follows old samples.
 */
import { describe, expect, it } from 'vitest';
import { stationarySetpoint } from '../arm-driver.cases.ts';
import { TICK_S } from '../arm-driver.ts';
import { EMULATED_CALIBRATION } from '../dynamixel/emulated-calibration.ts';
import { createServoFixture, holdFor, passTick, UPRIGHT_RAD } from './servo-arm.cases.ts';
import { expectRecovery, expectRest, moving } from './servo-motion.cases.ts';

describe('a single bad reply in the middle of a motion', () => {
  it.each(['drop', 'corrupt'] as const)(
    '%s: the sample is skipped and the motion continues',
    async (kind) => {
      const fixture = await moving();
      fixture.faults[kind] = 1;
      expect((await fixture.go(100)).fault).toBeNull();
      expect(fixture.link.counts.bad_cycles).toBe(1);
      expect(fixture.bus.counts.timeouts).toBe(1);
      await fixture.close();
    },
  );

  it('noise before a reply: the motion continues', async () => {
    const fixture = await moving();
    fixture.faults.garbage = [0x00, 0xff, 0xff, 0xfd];
    expect((await fixture.go(100)).fault).toBeNull();
    expect(fixture.bus.readerCounts.dropped_bytes).toBeGreaterThan(100);
    await fixture.close();
  });

  it('every reply repeated: the motion continues with fresh samples only', async () => {
    const fixture = await moving();
    fixture.faults.duplicate = true;
    const feedback = await fixture.go(100);
    expect(feedback.fault).toBeNull();
    expect(feedback.age_s).toBeLessThan(0.02);
    await fixture.close();
  });
});

describe('a line that fails in the middle of a motion', () => {
  it('cut: faults within 0.3 s, holds, and needs recovery', async () => {
    const fixture = await moving();
    fixture.faults.cut = true;
    const feedback = await fixture.go(75);
    expect(feedback.fault).toMatchObject({ kind: expect.stringMatching(/stale|bus/), joint: null });
    expect(feedback.age_s).toBeGreaterThan(0.15);
    await expectRest(fixture);
    expect(fixture.arm.exchange(stationarySetpoint('hold'), TICK_S).fault!.message).toMatch(
      /No servo answers/,
    );
    fixture.faults.cut = false;
    await expectRest(fixture);
    expect(fixture.arm.exchange(stationarySetpoint('hold'), TICK_S).fault).not.toBeNull();
    await expectRecovery(fixture);
    await fixture.close();
  });

  it('too slow: late replies are not taken as fresh', async () => {
    const fixture = await moving();
    fixture.faults.delay_ms = 300;
    const feedback = await fixture.go(75);
    expect(feedback.fault).not.toBeNull();
    await expectRest(fixture);
    fixture.faults.delay_ms = 0;
    await expectRecovery(fixture);
    await fixture.close();
  });

  it('a little slow: the age shows it, and the motion continues', async () => {
    const fixture = await moving();
    fixture.faults.delay_ms = 6;
    const feedback = await fixture.go(60);
    expect(feedback.fault).toBeNull();
    expect(feedback.age_s).toBeGreaterThan(0.005);
    await fixture.close();
  });

  it.each([40, 80, 120])('held for %i ms by a busy gateway: continues', async (held_ms) => {
    const fixture = await moving();
    fixture.faults.hold();
    expect((await fixture.go(held_ms / 4)).fault).toBeNull();
    fixture.faults.release();
    expect((await fixture.go(100)).fault).toBeNull();
    await fixture.close();
  });

  it('all replies corrupt: the fault names it', async () => {
    const fixture = await moving();
    fixture.faults.corrupt = 1e6;
    const feedback = await fixture.go(75);
    expect(feedback.fault).toMatchObject({ kind: 'bus', joint: null });
    await expectRest(fixture);
    await fixture.close();
  });
});

describe('one servo that fails in the middle of a motion', () => {
  it.each([true, false])('lost (chain breaks: %s): named, the others hold', async (breaks) => {
    const fixture = await moving();
    fixture.emulator.chainBreaks = breaks;
    fixture.emulator.servo(4).dead = true;
    const feedback = await fixture.go(75);
    expect(feedback.fault).toMatchObject({ kind: 'lost', joint: 3 });
    expect(feedback.fault!.message).toMatch(/J4 \(servo 4\) does not answer/);
    await expectRest(fixture);
    expect(fixture.emulator.servo(1).torqueOn).toBe(true);
    fixture.emulator.servo(4).dead = false;
    await expectRecovery(fixture);
    await fixture.close();
  });

  it.each([
    [0x20, 'overload', /overloaded/],
    [0x04, 'overheated', /too hot/],
  ] as const)('alert %i: %s, named, the others hold', async (bits, kind, text) => {
    const fixture = await moving();
    fixture.emulator.servo(5).raiseHardwareError(bits);
    const { fault } = await fixture.go(75);
    expect(fault).toMatchObject({ kind, joint: 4, message: expect.stringMatching(text) });
    await expectRest(fixture);
    await expectRecovery(fixture);
    await fixture.close();
  });

  it.each([
    [0x08, 'encoder', /encoder/],
    [0x01, 'voltage', /voltage/],
  ] as const)(
    'alert %i: %s; it still holds, and a restart does not drop it',
    async (bits, kind, text) => {
      const fixture = await moving();
      fixture.emulator.servo(5).raiseHardwareError(bits);
      const { fault } = await fixture.go(75);
      expect(fault).toMatchObject({ kind, joint: 4, message: expect.stringMatching(text) });
      await expectRest(fixture);
      expect(fixture.arm.recover()).toBe(false);
      await holdFor(fixture, 200);
      expect(fixture.arm.recover()).toBe(false);
      await holdFor(fixture, 200);
      expect(fixture.emulator.servo(5).torqueOn).toBe(true);
      const after = fixture.arm.exchange(stationarySetpoint('hold'), TICK_S).fault;
      expect(after).toMatchObject({ joint: 4, message: expect.stringMatching(/power-cycle/) });
      await fixture.close();
    },
  );

  it('restarted: detected by its clock, named, held', async () => {
    const fixture = await moving();
    fixture.emulator.servo(6).reboot();
    const { fault } = await fixture.go(100);
    expect(fault).toMatchObject({ kind: 'lost', joint: 5 });
    await expectRest(fixture);
    await expectRecovery(fixture);
    expect(fixture.emulator.servo(6).torqueOn).toBe(true);
    await fixture.close();
  });

  it('torque lost by a short supply dip: detected by the health poll', async () => {
    const fixture = await moving();
    fixture.emulator.servo(6).memory.set('torque', 0);
    const { fault } = await fixture.go(100);
    expect(fault).toMatchObject({ kind: 'lost', joint: 5, message: /lost torque/ });
    await expectRest(fixture);
    await expectRecovery(fixture);
    await fixture.close();
  });

  it('watchdog tripped: named, and cleared only by recovery', async () => {
    const fixture = await moving();
    fixture.emulator.servo(2).memory.set('watchdog', 255);
    const { fault } = await fixture.go(100);
    expect(fault).toMatchObject({ kind: 'stale', joint: 1, message: /stopped by its watchdog/ });
    await expectRest(fixture);
    expect(fixture.emulator.servo(2).memory.get('watchdog')).toBe(255);
    await expectRecovery(fixture);
    expect(fixture.emulator.servo(2).memory.get('watchdog')).toBe(15);
    await fixture.close();
  });

  it('moved by another program on the line: named, and the arm rests', async () => {
    const fixture = await moving();
    const { memory } = fixture.emulator.servo(3);
    const put = memory.set.bind(memory);
    // Another master answers each goal of the driver with its own.
    memory.set = (name, value) => put(name, name === 'goal_position' ? 2100 : value);
    const { fault } = await fixture.go(400);
    expect(fault).toMatchObject({ kind: 'bus', joint: 2 });
    expect(fault!.message).toMatch(/servo 3\) has a goal that another program sent; stop that/);
    memory.set = put;
    await expectRest(fixture);
    await fixture.close();
  });

  it('too hot by the calibration: named', async () => {
    const fixture = await moving();
    fixture.emulator.plant.heat.temperature[2] = 75;
    const { fault } = await fixture.go(150);
    expect(fault).toMatchObject({ kind: 'overheated', joint: 2 });
    await fixture.close();
  });
});

describe('an obstacle', () => {
  it('with detection is a contact of the joint, and the arm comes to rest', async () => {
    const fixture = await moving();
    fixture.emulator.plant.blocked.add(0);
    const feedback = await fixture.go(250, 'medium');
    expect(feedback.contact).toMatchObject({ joint: 0 });
    expect(feedback.fault).toBeNull();
    await expectRest(fixture);
    fixture.emulator.plant.blocked.delete(0);
    await expectRecovery(fixture);
    expect(fixture.arm.exchange(stationarySetpoint('hold'), TICK_S).contact).toBeNull();
    await fixture.close();
  });

  it('without detection is a following error', async () => {
    const fixture = await moving();
    fixture.emulator.plant.blocked.add(0);
    const feedback = await fixture.go(250);
    expect(feedback.fault).toMatchObject({ kind: 'following_error', joint: 0 });
    expect(feedback.contact).toBeNull();
    fixture.emulator.plant.blocked.delete(0);
    await expectRecovery(fixture);
    await fixture.close();
  });
});

describe('a robot that stops in the middle of a motion', () => {
  it('comes to rest, and the servos keep holding without the driver', async () => {
    const fixture = await moving();
    await fixture.clock.until(fixture.arm.stop());
    const { emulator, clock } = fixture;
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
    await fixture.close();
  });

  it('in its park pose lets go, joint by joint from the last one', async () => {
    const calibration = { ...EMULATED_CALIBRATION, park_rad: UPRIGHT_RAD };
    const fixture = await createServoFixture({ calibration });
    await fixture.clock.until(fixture.arm.start());
    await holdFor(fixture, 20);
    const released: number[] = [];
    for (const { id, memory } of fixture.emulator.servos) {
      const put = memory.set.bind(memory);
      memory.set = (name, value) => {
        if (name === 'torque' && value === 0) released.push(id);
        put(name, value);
      };
    }
    await fixture.clock.until(fixture.arm.stop());
    expect(released).toEqual([6, 5, 4, 3, 2, 1]);
    await fixture.close();
  });

  it('in backdrive mode follows a push', async () => {
    const fixture = await moving();
    await holdFor(fixture, 100);
    for (let i = 0; i < 100; i++) {
      fixture.emulator.catchUp();
      fixture.emulator.plant.position_rad[0]! += 0.001;
      fixture.arm.exchange(stationarySetpoint('backdrive'), TICK_S);
      await passTick(fixture);
    }
    const goal = fixture.emulator.servo(1).memory.get('goal_position');
    await holdFor(fixture, 50);
    expect(goal).toBeGreaterThan(2048 + 30);
    await fixture.close();
  });
});
