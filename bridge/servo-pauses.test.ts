/**
 * Pauses that are nobody's fault or everybody's: a loop that comes late, a process that stands
 * still, a supply that goes and comes back. The arm never goes on by itself.
 */
import { describe, expect, it } from 'vitest';
import { still } from './arm-driver.cases.ts';
import { type DriverFault, TICK_S } from './arm-driver.ts';
import { holdFor, passTick, type ServoBench, servoBench } from './servo-arm.cases.ts';
import { expectRecovery, moving } from './servo-motion.cases.ts';

describe('a loop that comes late', () => {
  it('finds samples fresh and watchdogs fed', async () => {
    const bench = await servoBench();
    await bench.clock.until(bench.arm.start());
    for (let i = 0; i < 250; i++) await passTick(bench);
    const feedback = bench.arm.exchange(still('hold'), TICK_S);
    expect(feedback.fault).toBeNull();
    expect(feedback.age_s).toBeLessThan(0.02);
    expect((await holdFor(bench, 60)).fault).toBeNull();
    await bench.close();
  });

  it('goes on after a stall of 0.25 s, and faults when the bus is dead too', async () => {
    for (const cut of [false, true]) {
      const bench = await moving();
      bench.clock.advance(250);
      bench.faults.cut = cut;
      const feedback = await bench.go(60);
      expect(feedback.fault === null).toBe(!cut);
      await bench.close();
    }
  });

  it('asks once when it makes up for a stall, and stalls again without a fault', async () => {
    const bench = await moving();
    const { counts } = bench.arm.link;
    for (let i = 0; i < 6; i++) {
      bench.clock.advance(200);
      for (let tick = 0; tick < 21; tick++) {
        expect(bench.arm.exchange(still('hold'), TICK_S).fault).toBeNull();
      }
    }
    expect(counts.old_samples).toBe(0);
    expect(counts.missed_turns).toBeGreaterThan(50);
    await bench.close();
  });

  it('may take its time to come up: servos watch it once it runs', async () => {
    for (const cut of [false, true]) {
      const bench = await servoBench();
      await bench.clock.until(bench.arm.start());
      bench.clock.advance(900);
      bench.faults.cut = cut;
      bench.arm.exchange(still('hold'), TICK_S);
      bench.clock.advance(900);
      expect((await holdFor(bench, 60)).fault === null).toBe(!cut);
      await holdFor(bench, 100);
      const watching = cut ? 0 : 15;
      expect(bench.emulator.servo(3).memory.get('watchdog')).toBe(watching);
      await bench.close();
    }
  });

  it('sets a watchdog again that has missed the word', async () => {
    const bench = await moving();
    bench.emulator.servo(3).memory.set('watchdog', 0);
    await bench.go(60);
    expect(bench.emulator.servo(3).memory.get('watchdog')).toBe(15);
    await bench.close();
  });
});

/** Hands under all joints, or away from them. */
function support({ emulator }: ServoBench, there: boolean): void {
  for (let j = 0; j < 6; j++) {
    if (there) emulator.plant.blocked.add(j);
    else emulator.plant.blocked.delete(j);
  }
}

/** What a supply can do to all servos in the middle of a motion. */
const DIPS: readonly [string, (bench: ServoBench) => Promise<void>][] = [
  [
    'a dip that makes them start anew',
    async ({ emulator }) => {
      for (const servo of emulator.servos) servo.reboot();
    },
  ],
  [
    'too little voltage for a while',
    async ({ emulator }) => {
      for (const servo of emulator.servos) servo.supplyWith(30);
    },
  ],
  [
    'no supply for half a second',
    async (bench) => {
      for (const servo of bench.emulator.servos) servo.dead = true;
      await holdFor(bench, 125);
      for (const servo of bench.emulator.servos) servo.dead = false;
      for (const servo of bench.emulator.servos) servo.reboot();
    },
  ],
];

describe('all servos at once', () => {
  it.each(DIPS)('%s: stays limp, and is held again where it lies by recovery', async (_, dip) => {
    const bench = await moving();
    await dip(bench);
    const { fault } = await bench.go(150);
    expect(fault).toMatchObject({ kind: expect.stringMatching(/lost|bus|stale/) });
    support(bench, true);
    for (const servo of bench.emulator.servos) servo.supplyWith(120);
    await holdFor(bench, 200);
    expect(bench.emulator.servos.some((servo) => servo.torqueOn)).toBe(false);
    const lies = Array.from(bench.emulator.plant.position_rad);
    await expectRecovery(bench);
    expect(bench.emulator.servos.every((servo) => servo.torqueOn)).toBe(true);
    support(bench, false);
    await holdFor(bench, 60);
    Array.from(bench.emulator.plant.position_rad).forEach((angle, j) => {
      expect(Math.abs(angle - lies[j]!), `joint ${j}`).toBeLessThan(0.02);
    });
    await bench.close();
  });

  it('the loop stands still: servos stop themselves, and nothing jumps afterwards', async () => {
    const bench = await moving();
    bench.clock.advance(1000);
    bench.emulator.catchUp();
    const stopped = bench.emulator.plant.position_rad[0]!;
    const feedback = await bench.go(100);
    expect(feedback.fault).not.toBeNull();
    bench.emulator.catchUp();
    expect(Math.abs(bench.emulator.plant.position_rad[0]! - stopped)).toBeLessThan(0.02);
    await expectRecovery(bench);
    await bench.close();
  });
});

describe('answers that come too late', () => {
  it.each([90, 150, 200, 290])('by %i ms: no servo is blamed', async (late_ms) => {
    const bench = await moving();
    bench.faults.delay_ms = late_ms;
    let fault: DriverFault | null = null;
    // Ticks of uneven length, as on a busy machine.
    for (let i = 0; i < 200; i++) {
      await passTick(bench, 1 + ((i * 7) % 5));
      ({ fault } = bench.arm.exchange(still('hold'), TICK_S));
    }
    expect(fault?.joint ?? null).toBeNull();
    await bench.close();
  });
});
