/**
 * Arms with other servos than six equal ones: old firmware without fast reads, joints with two
 * servos; and the capture and replay of a whole session.
 */
import { describe, expect, it } from 'vitest';
import { stationarySetpoint } from './arm-driver.cases.ts';
import { TICK_S } from './arm-driver.ts';
import { Bus } from './bus/bus.ts';
import { DEFAULT_SERVOS, ServoEmulator } from './emulator/servo-emulator.ts';
import type { ServoSetup } from './emulator/servo-mechanics.ts';
import { EMULATED_CALIBRATION } from './servo/calibration.ts';
import { ServoArm } from './servo-arm.ts';
import { expectRecovery, expectRest, moving } from './servo-motion.cases.ts';
import { type CaptureRow, captureTransport, ReplayPeer } from './transport/capture.ts';
import { SteppedBusClock } from './transport/stepped-clock.cases.ts';
import { createMemoryTransport } from './transport/transport.ts';

/** The third servo has firmware without fast reads. */
const OLD: readonly ServoSetup[] = DEFAULT_SERVOS.map((setup) =>
  setup.id === 3 ? { ...setup, firmware: 44 } : setup,
);

/** Second servos of shoulder and elbow, mounted in reverse. */
const TWINS: readonly ServoSetup[] = [2, 3].map((id) => ({
  ...DEFAULT_SERVOS[id - 1]!,
  id: id + 10,
  direction: -1 as const,
}));

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

describe('joints with two servos', () => {
  const joints = EMULATED_CALIBRATION.joints.map((joint, j) =>
    j === 1 || j === 2 ? { ...joint, ids: [j + 1, j + 11] } : joint,
  );
  const arm = {
    servos: [...DEFAULT_SERVOS, ...TWINS],
    calibration: { ...EMULATED_CALIBRATION, joints },
  };

  it('drive both by one goal, and monitor both', async () => {
    const fixture = await moving(arm);
    expect((await fixture.go(100)).fault).toBeNull();
    expect(fixture.emulator.servo(12).memory.get('secondary_id')).toBe(2);
    expect(fixture.emulator.servo(12).memory.get('watchdog')).toBe(15);
    expect(fixture.emulator.servos.every((servo) => servo.torqueOn)).toBe(true);
    await expectRest(fixture);
    await fixture.close();
  });
});

describe('a session captured from the line', () => {
  /** A start, a hold and a stop on a clock of its own. */
  async function session(line: Parameters<typeof captureTransport>[0], clock: SteppedBusClock) {
    const arm = new ServoArm({
      bus: new Bus(line, clock),
      clock,
      calibration: EMULATED_CALIBRATION,
    });
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
