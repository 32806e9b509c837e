/**
 * Arms that are not six equal servos, in motion: old firmware that answers one by one, joints with
 * two servos; and a whole session captured from the line and played back as a peer.
 */
import { describe, expect, it } from 'vitest';
import { still } from './arm-driver.cases.ts';
import { TICK_S } from './arm-driver.ts';
import { Bus } from './bus/bus.ts';
import type { ServoSetup } from './emulator/emulated-servo.ts';
import { DEFAULT_SERVOS, ServoEmulator } from './emulator/servo-emulator.ts';
import { EMULATED_CALIBRATION } from './servo/calibration.ts';
import { ServoArm } from './servo-arm.ts';
import { expectRecovery, expectRest, moving } from './servo-motion.cases.ts';
import { createMemoryTransport } from './transport/memory.ts';
import { type CaptureRow, ReplayPeer, recordTransport } from './transport/recorder.ts';
import { SteppedBusClock } from './transport/stepped-clock.cases.ts';

/** The third servo is too old for common answers. */
const OLD: readonly ServoSetup[] = DEFAULT_SERVOS.map((setup) =>
  setup.id === 3 ? { ...setup, firmware: 44 } : setup,
);

/** Shoulder and elbow have two servos each, the second turned round. */
const TWINS: readonly ServoSetup[] = [2, 3].map((id) => ({
  ...DEFAULT_SERVOS[id - 1]!,
  id: id + 10,
  direction: -1 as const,
}));

describe('servos that answer one by one', () => {
  it('move, and a lost one is named while the others hold', async () => {
    for (const chainBreaks of [true, false]) {
      const bench = await moving({ servos: OLD });
      expect((await bench.go(60)).fault).toBeNull();
      bench.emulator.chainBreaks = chainBreaks;
      bench.emulator.servo(4).dead = true;
      expect((await bench.go(75)).fault).toMatchObject({ kind: 'lost', joint: 3 });
      await expectRest(bench);
      bench.emulator.servo(4).dead = false;
      await expectRecovery(bench);
      await bench.close();
    }
  });

  it('one spoiled answer costs one sample', async () => {
    const bench = await moving({ servos: OLD });
    bench.faults.corrupt = 1;
    expect((await bench.go(60)).fault).toBeNull();
    expect(bench.bus.reading.checksum_errors).toBe(1);
    await bench.close();
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

  it('turn both by one goal, and watch both', async () => {
    const bench = await moving(arm);
    expect((await bench.go(100)).fault).toBeNull();
    expect(bench.emulator.servo(12).memory.get('secondary_id')).toBe(2);
    expect(bench.emulator.servo(12).memory.get('watchdog')).toBe(15);
    expect(bench.emulator.servos.every((servo) => servo.torqueOn)).toBe(true);
    await expectRest(bench);
    await bench.close();
  });
});

describe('a session captured from the line', () => {
  /** A start, a hold and a stop on a clock of its own. */
  async function session(line: Parameters<typeof recordTransport>[0], clock: SteppedBusClock) {
    const arm = new ServoArm({
      bus: new Bus(line, clock),
      clock,
      calibration: EMULATED_CALIBRATION,
    });
    await clock.until(arm.start());
    for (let i = 0; i < 50; i++) {
      arm.exchange(still('hold'), TICK_S);
      clock.advance(1000 * TICK_S);
    }
    const { position_rad, fault } = arm.exchange(still('hold'), TICK_S);
    const seen = { position_rad: Array.from(position_rad), fault };
    await clock.until(arm.stop());
    return seen;
  }

  it('plays back as a peer that the driver cannot tell from servos', async () => {
    const clock = new SteppedBusClock();
    const rows: CaptureRow[] = [];
    const servos = createMemoryTransport(new ServoEmulator({ clock, start: [0.3, 0, 0, 0, 0, 0] }));
    const live = await session(
      recordTransport(servos, clock, (row) => rows.push(row)),
      clock,
    );
    const peer = new ReplayPeer(rows);
    const played = await session(createMemoryTransport(peer), new SteppedBusClock());
    expect([peer.mismatch, peer.finished]).toEqual([null, true]);
    expect(played).toEqual(live);
    expect(live.fault).toBeNull();
  });
});
