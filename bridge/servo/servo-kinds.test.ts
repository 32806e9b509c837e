/**
 * Arms with other servos than six equal ones: old firmware without fast reads, joints with two
 * servos; and the capture and replay of a whole session.
 * @module-tag ci
 */

import { describe, expect, it } from 'vitest';
import { stationarySetpoint } from '../arm-driver.cases.ts';
import { TICK_S } from '../arm-driver.ts';
import { EMULATED_CALIBRATION } from '../dynamixel/emulated-calibration.ts';
import type { EmulatedServo } from '../dynamixel/emulator/emulated-servo.ts';
import { ServoEmulator } from '../dynamixel/emulator/servo-emulator.ts';
import {
  DEFAULT_SERVOS,
  emulationProblem,
  PAIRED_SERVOS,
  type ServoSetup,
} from '../dynamixel/emulator/servo-setup.ts';
import { PROTOCOL_2 } from '../dynamixel/protocol-2.ts';
import { EMULATED_FEETECH_CALIBRATION } from '../feetech/emulated-calibration.ts';
import type { StsServo } from '../feetech/emulator/emulated-servo.ts';
import { PAIRED_STS_SERVOS } from '../feetech/emulator/servo-setup.ts';
import { FeetechBus } from '../feetech/feetech-bus.ts';
import { type CaptureRow, captureTransport } from '../transport/capture.ts';
import { createMemoryTransport } from '../transport/memory-transport.ts';
import { ReplayPeer } from '../transport/replay-peer.ts';
import { SteppedBusClock } from '../transport/stepped-clock.cases.ts';
import { Bus } from './bus/bus.ts';
import { armOn, createFeetechFixture, createServoFixture, holdFor } from './servo-arm.cases.ts';
import { ServoArm } from './servo-arm.ts';
import { expectRecovery, expectRest, moving, movingFrom } from './servo-motion.cases.ts';

/** The third servo has firmware without fast reads. */
describe('the servos of an arm', () => {
  it('are refused on an emulated bus where a model is not emulated, by servo and model', () => {
    const known = { id: 1, model: 'XM540-W270' };
    expect(emulationProblem([known])).toBeNull();
    expect(emulationProblem([known, { id: 4, model: 'XH540-W150' }])).toMatch(
      /^Servo 4 of the arm default is an XH540-W150, which is not emulated \(XM430-W350, XM540-W270, /,
    );
  });
});

const OLD: readonly ServoSetup[] = DEFAULT_SERVOS.map((setup) =>
  setup.id === 3 ? { ...setup, firmware: 44 } : setup,
);

describe('servos without fast reads', () => {
  it('move, and a lost one is named while the others hold', async () => {
    for (const chainBreaks of [true, false]) {
      const fixture = await moving({ servos: OLD });
      expect((await fixture.go(60)).fault).toBeNull();
      fixture.emulator.chainBreaks = chainBreaks;
      fixture.emulator.servo(4).dead = true;
      expect((await fixture.go(75)).fault).toMatchObject({ kind: 'lost', joint: 3 });
      await expectRest(fixture);
      fixture.emulator.servo(4).dead = false;
      await expectRecovery(fixture);
      await fixture.close();
    }
  });

  it('one corrupt reply costs one sample', async () => {
    const fixture = await moving({ servos: OLD });
    fixture.faults.corrupt = 1;
    expect((await fixture.go(60)).fault).toBeNull();
    expect(fixture.bus.readerCounts.checksum_errors).toBe(1);
    await fixture.close();
  });
});

const joints = EMULATED_CALIBRATION.joints.map((joint, j) =>
  j === 1 || j === 2 ? { ...joint, ids: [j + 1, j + 11] } : joint,
);
const arm = { servos: PAIRED_SERVOS, calibration: { ...EMULATED_CALIBRATION, joints } };

describe('joints with two servos', () => {
  it('drive both by one goal, and monitor both', async () => {
    const fixture = await moving(arm);
    expect((await fixture.go(100)).fault).toBeNull();
    expect(fixture.emulator.servo(12).memory.get('secondary_id')).toBe(2);
    expect(fixture.emulator.servo(12).memory.get('watchdog')).toBe(15);
    expect(fixture.emulator.servos.every((servo) => servo.torqueOn)).toBe(true);
    expect(fixture.arm.read().servos.map(({ id }) => id)).toEqual([1, 2, 12, 3, 13, 4, 5, 6]);
    await expectRest(fixture);
    await fixture.close();
  });
});

describe('a second servo of a joint that fails in mid-motion', () => {
  const fails: readonly (readonly [string, (servo: EmulatedServo) => void, RegExp])[] = [
    ['is lost', (servo) => Object.assign(servo, { dead: true }), /servo 12\) does not answer/],
    ['overheats', (servo) => servo.raiseHardwareError(0x04), /servo 12\) reports: it is too hot/],
    ['restarts', (servo) => servo.reboot(), /servo 12\) (restarted|does not answer)/],
    [
      'loses torque',
      (servo) => servo.memory.set('torque', 0),
      /servo 12\) lost torque without a restart; another/,
    ],
    ['is stopped', (servo) => servo.memory.set('watchdog', 255), /servo 12\) stopped by its watch/],
    [
      'slips',
      (servo) => Object.assign(servo.shaft, { slipped_ticks: 60 }),
      /servo 12\) is 0\.\d+ rad from servo 2 of the same joint/,
    ],
  ];

  it.each(fails)('%s: named with its id, and the arm rests', async (_, fail, message) => {
    const fixture = await moving(arm);
    fail(fixture.emulator.servo(12));
    const { fault } = await fixture.go(150);
    expect(fault).toMatchObject({ joint: 1, message });
    await expectRest(fixture);
    await fixture.close();
  });

  it('fights its leader from the start: refused', async () => {
    const servos = arm.servos.map((one) => (one.id === 12 ? { ...one, zero_ticks: 2200 } : one));
    const fixture = await createServoFixture({ ...arm, servos });
    await expect(fixture.clock.until(fixture.arm.start())).rejects.toThrow(
      /J2 \(servo 12\) is 0\.233 rad from servo 2 .* would fight it/,
    );
    expect(fixture.emulator.servos.some((servo) => servo.torqueOn)).toBe(false);
  });
});

/** The same arm of Feetech servos. */
const feetechArm = {
  servos: PAIRED_STS_SERVOS,
  calibration: {
    ...EMULATED_FEETECH_CALIBRATION,
    joints: EMULATED_FEETECH_CALIBRATION.joints.map((joint, j) =>
      j === 1 || j === 2 ? { ...joint, ids: [j + 1, j + 11] } : joint,
    ),
  },
};

const movingFeetech = async () => movingFrom(await createFeetechFixture(feetechArm));

describe('joints with two Feetech servos', () => {
  it('drive both by one goal, and keep it through a second start', async () => {
    const fixture = await movingFeetech();
    const { emulator, clock, arm, bus } = fixture;
    expect((await fixture.go(100)).fault).toBeNull();
    const goals = (id: number) => emulator.servo(id).memory.get('goal');
    expect([goals(12), goals(13)]).toEqual([goals(2), goals(3)]);
    expect(emulator.servos.every((servo) => servo.torqueOn)).toBe(true);
    expect(emulator.servo(12).memory.get('phase')).toBe(0x8c);
    expect(arm.read().servos.map(({ id }) => id)).toEqual([1, 2, 12, 3, 13, 4, 5, 6]);
    await expectRest(fixture);
    await fixture.close();
    const before = Array.from(emulator.plant.position_rad);
    const { calibration } = feetechArm;
    const joints = new FeetechBus({ bus, clock, calibration });
    const again = { ...fixture, joints, arm: new ServoArm({ joints, clock, calibration }) };
    await clock.until(again.arm.start());
    expect((await holdFor(again, 200)).fault).toBeNull();
    emulator.catchUp();
    Array.from(emulator.plant.position_rad).forEach((angle, j) => {
      expect(Math.abs(angle - before[j]!)).toBeLessThan(0.02);
    });
    await clock.until(again.arm.stop());
  });

  const fails: readonly (readonly [string, (servo: StsServo) => void, RegExp])[] = [
    ['is lost', (servo) => Object.assign(servo, { dead: true }), /servo 12\) does not answer/],
    ['overheats', (servo) => servo.fail('overheated'), /servo 12\) reports: it is too hot/],
    ['is overloaded', (servo) => servo.fail('overload'), /servo 12\) reports: it is overloaded/],
    ['restarts', (servo) => servo.reboot(), /servo 12\) (restarted|does not answer)/],
    ['loses torque', (servo) => servo.loseTorque(), /servo 12\) lost torque without a restart/],
    [
      'slips',
      (servo) => Object.assign(servo.shaft, { slipped_ticks: 60 }),
      /servo 12\) is 0\.\d+ rad from servo 2 of the same joint/,
    ],
  ];

  it.each(fails)(
    'a second servo %s: named with its id, and the arm rests',
    async (_, fail, message) => {
      const fixture = await movingFeetech();
      fail(fixture.emulator.servo(12));
      const { fault } = await fixture.go(150);
      expect(fault).toMatchObject({ joint: 1, message: expect.stringMatching(message) });
      await expectRest(fixture);
      await fixture.close();
    },
  );

  it('refuses a second servo that would fight the first', async () => {
    const servos = feetechArm.servos.map((one) =>
      one.id === 12 ? { ...one, zero_ticks: 2200 } : one,
    );
    const fixture = await createFeetechFixture({ ...feetechArm, servos });
    await expect(fixture.clock.until(fixture.arm.start())).rejects.toThrow(
      /J2 \(servo 12\) is 0\.233 rad from servo 2 .* would fight it/,
    );
    expect(fixture.emulator.servos.some((servo) => servo.torqueOn)).toBe(false);
  });
});

describe('a session captured from the line', () => {
  /** A start, a hold and a stop on a clock of its own. */
  async function session(line: Parameters<typeof captureTransport>[0], clock: SteppedBusClock) {
    const arm = armOn(new Bus(line, clock, { format: PROTOCOL_2 }), clock);
    await clock.until(arm.start());
    for (let i = 0; i < 50; i++) {
      arm.exchange(stationarySetpoint('hold'), TICK_S);
      clock.advance(1000 * TICK_S);
    }
    const { position_rad, fault } = arm.exchange(stationarySetpoint('hold'), TICK_S);
    const seen = { position_rad: Array.from(position_rad), fault };
    await clock.until(arm.stop());
    return seen;
  }

  it('replays as a peer with the same result as the servos', async () => {
    const clock = new SteppedBusClock();
    const rows: CaptureRow[] = [];
    const servos = createMemoryTransport(new ServoEmulator({ clock, start: [0.3, 0, 0, 0, 0, 0] }));
    const live = await session(
      captureTransport(servos, clock, (row) => rows.push(row)),
      clock,
    );
    const peer = new ReplayPeer(rows);
    const played = await session(createMemoryTransport(peer), new SteppedBusClock());
    expect([peer.mismatch, peer.finished]).toEqual([null, true]);
    expect(played).toEqual(live);
    expect(live.fault).toBeNull();
  });
});
