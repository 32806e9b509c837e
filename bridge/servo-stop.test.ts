/**
 * The emergency stop that is wired to a servo's port: it brakes the arm in the middle of a motion,
 * whatever is asked, and lets go of it only after a safe start.
 */
import { describe, expect, it } from 'vitest';
import { still } from './arm-driver.cases.ts';
import { TICK_S } from './arm-driver.ts';
import { EMULATED_CALIBRATION } from './servo/calibration.ts';
import { holdFor, type ServoBench, servoBench } from './servo-arm.cases.ts';
import { expectRest, moving } from './servo-motion.cases.ts';

const calibration = { ...EMULATED_CALIBRATION, emergency_stop: { id: 2, port: 3 } } as const;

/** What the contact does: closed to ground while all is well. */
function wire({ emulator }: ServoBench, to: 'ground' | 'supply' | null): void {
  emulator.servo(2).port.wired[2] = to;
}

/** An arm with its stop released, in the middle of a motion. */
function movingWithStop() {
  return moving({ calibration, prepare: (bench) => wire(bench, 'ground') });
}

async function stopped(to: 'supply' | null) {
  const bench = await movingWithStop();
  wire(bench, to);
  // Whoever plans the motion does not know yet.
  const feedback = await bench.go(12);
  expect(feedback.estop).toBe(true);
  return bench;
}

describe('a stop wired to the servos', () => {
  it.each(['supply', null] as const)('brakes and holds (contact: %s)', async (to) => {
    const bench = await stopped(to);
    await bench.go(120);
    const before = bench.emulator.plant.position_rad[0]!;
    const feedback = await bench.go(60);
    expect(bench.emulator.plant.position_rad[0]).toBeCloseTo(before, 2);
    expect([feedback.fault, feedback.estop]).toEqual([null, true]);
    expect(bench.emulator.servos.every((servo) => servo.torqueOn)).toBe(true);
    await bench.close();
  });

  it('is let go of after a safe start, without a motion', async () => {
    const bench = await stopped(null);
    await expectRest(bench);
    const before = Array.from(bench.emulator.plant.position_rad);
    wire(bench, 'ground');
    const feedback = await holdFor(bench, 150);
    expect([feedback.fault, feedback.estop]).toEqual([null, false]);
    Array.from(bench.emulator.plant.position_rad).forEach((angle, j) => {
      expect(angle).toBeCloseTo(before[j]!, 2);
    });
    await bench.close();
  });

  it('bounces without being let go of', async () => {
    const bench = await stopped(null);
    for (let i = 0; i < 6; i++) {
      wire(bench, i % 2 === 0 ? 'ground' : null);
      expect((await holdFor(bench, 15)).estop).toBe(true);
    }
    await bench.close();
  });

  it('pressed before the start is told with the start', async () => {
    const bench = await servoBench({ calibration });
    expect((await bench.clock.until(bench.arm.start())).estop).toBe(true);
    await bench.close();
  });
});

describe('a stop that takes the motors their power', () => {
  async function cut() {
    const bench = await stopped(null);
    for (const servo of bench.emulator.servos) servo.dead = true;
    await holdFor(bench, 200);
    return bench;
  }

  it('leaves a limp arm, held again where it lies when power is back', async () => {
    const bench = await cut();
    for (const servo of bench.emulator.servos) servo.dead = false;
    for (const servo of bench.emulator.servos) servo.reboot();
    wire(bench, 'ground');
    expect((await holdFor(bench, 50)).estop).toBe(true);
    const { fault, estop } = await holdFor(bench, 300);
    expect([fault, estop]).toEqual([null, false]);
    expect(bench.emulator.servos.every((servo) => servo.torqueOn)).toBe(true);
    const { position_rad, velocity_rad_s } = bench.emulator.plant;
    const lies = Array.from(position_rad);
    await holdFor(bench, 100);
    expect(Math.max(...velocity_rad_s.map(Math.abs))).toBeLessThan(0.01);
    position_rad.forEach((angle, j) => {
      expect(angle).toBeCloseTo(lies[j]!, 2);
    });
    await bench.close();
  });

  it('is let go of with a fault when a servo stays away', async () => {
    const bench = await cut();
    for (const servo of bench.emulator.servos) servo.dead = servo.id === 5;
    wire(bench, 'ground');
    await holdFor(bench, 400);
    const { fault, estop } = bench.arm.exchange(still('hold'), TICK_S);
    expect(estop).toBe(false);
    expect(fault).toMatchObject({ kind: 'lost', joint: 4, message: /servo 5\) does not answer/ });
    await bench.close();
  });
});

describe('a stop on a servo without a port', () => {
  it('is refused at the start with a sentence', async () => {
    const wrong = { ...calibration, emergency_stop: { id: 4, port: 1 } } as const;
    const bench = await servoBench({ calibration: wrong });
    await expect(bench.clock.until(bench.arm.start())).rejects.toThrow(
      /Joint 3 \(servo 4\) has no port for the emergency stop .*: wire it to an XM540/,
    );
  });
});
