/**
 * One case suite for all families of servos: faults in the middle of a motion end in the stated
 * fault, at rest, and recover without a motion; a start refuses what is wrong.
 * @module-tag ci
 */

import { describe, expect, it } from 'vitest';
import { JOINT_MAX_RAD } from '../../physics/arm/arm-model.ts';
import { stationarySetpoint } from '../arm-driver.cases.ts';
import { TICK_S } from '../arm-driver.ts';
import type { EmulatedDevice } from './emulator/emulated-device.ts';
import { type ArmFixture, FAMILIES, holdFor, passTick } from './servo-arm.cases.ts';
import { expectRecovery, expectRest, movingFrom } from './servo-motion.cases.ts';

/** Full speed of the API (rad/s). */
const FULL_RAD_S = 2.09;

interface Row {
  readonly event: string;
  readonly begin: (fixture: ArmFixture) => void;
  readonly end?: (fixture: ArmFixture) => void;
  readonly fault: { readonly kind: RegExp; readonly joint: number | null; readonly says: RegExp };
}

const ROWS: readonly Row[] = [
  {
    event: 'the line is cut',
    begin: ({ faults }) => Object.assign(faults, { cut: true }),
    end: ({ faults }) => Object.assign(faults, { cut: false }),
    fault: { kind: /bus/, joint: null, says: /No servo answers/ },
  },
  {
    event: 'all replies are corrupt',
    begin: ({ faults }) => Object.assign(faults, { corrupt: 1e6 }),
    end: ({ faults }) => Object.assign(faults, { corrupt: 0 }),
    fault: { kind: /bus/, joint: null, says: /what comes is corrupt/ },
  },
  {
    event: 'all replies are late',
    begin: ({ faults }) => Object.assign(faults, { delay_ms: 300 }),
    end: ({ faults }) => Object.assign(faults, { delay_ms: 0 }),
    fault: { kind: /bus/, joint: null, says: /No servo answers|is too slow/ },
  },
  {
    event: 'a servo is lost',
    begin: ({ emulator }) => Object.assign(emulator.servo(4), { dead: true }),
    end: ({ emulator }) => Object.assign(emulator.servo(4), { dead: false }),
    fault: { kind: /lost/, joint: 3, says: /servo 4\) does not answer/ },
  },
  {
    event: 'a servo overheats',
    begin: ({ emulator }) => emulator.servo(5).fail('overheated'),
    fault: { kind: /overheated/, joint: 4, says: /servo 5\) reports: it is too hot/ },
  },
  {
    event: 'a servo is overloaded',
    begin: ({ emulator }) => emulator.servo(5).fail('overload'),
    fault: { kind: /overload/, joint: 4, says: /servo 5\) reports: it is overloaded/ },
  },
  {
    event: 'a servo restarts',
    begin: ({ emulator }) => emulator.servo(6).reboot(),
    fault: { kind: /lost/, joint: 5, says: /servo 6\) (restarted|does not answer)/ },
  },
  {
    event: 'a servo loses its torque',
    begin: ({ emulator }) => emulator.servo(6).loseTorque(),
    fault: { kind: /lost/, joint: 5, says: /servo 6\) (restarted and )?lost torque/ },
  },
];

describe.each(FAMILIES)('$family servos in the middle of a motion', ({ family, create }) => {
  // The driver notices faults alike for all families: the last stands for them in the quick tests.
  const tags = family === FAMILIES.at(-1)!.family ? [] : ['slow'];

  it.each(ROWS)('$event: named, at rest, and recovered without a motion', { tags }, async (row) => {
    const fixture = await movingFrom(await create());
    row.begin(fixture);
    const { fault } = await fixture.go(150);
    expect(fault).toMatchObject({
      kind: expect.stringMatching(row.fault.kind),
      message: expect.stringMatching(row.fault.says),
    });
    expect(fault!.joint).toBe(row.fault.joint);
    await expectRest(fixture);
    row.end?.(fixture);
    await expectRecovery(fixture);
    await fixture.close();
  });

  it.each(['drop', 'corrupt'] as const)('one reply is lost (%s): continues', async (kind) => {
    const fixture = await movingFrom(await create());
    fixture.faults[kind] = 1;
    expect((await fixture.go(100)).fault).toBeNull();
    expect(fixture.bus.counts.timeouts).toBe(1);
    await fixture.close();
  });

  const LOSSES: readonly (readonly [string, (servo: EmulatedDevice) => unknown, number])[] = [
    ['overloaded', (servo) => servo.fail('overload'), 24],
    ['gone', (servo) => Object.assign(servo, { dead: true }), 200],
  ];

  it.each(LOSSES)(
    'a servo that is %s: the other joints brake at once',
    async (_, fail, most_ms) => {
      const fixture = await movingFrom(await create(), FULL_RAD_S);
      const { plant } = fixture.emulator;
      const before_rad = plant.position_rad[0]!;
      const before_ms = fixture.clock.now_ms();
      fail(fixture.emulator.servo(5));
      const { fault } = await fixture.go(150);
      expect(fault).not.toBeNull();
      expect(fixture.clock.now_ms() - before_ms).toBeLessThan(most_ms);
      await holdFor(fixture, 250);
      fixture.emulator.catchUp();
      // Braking at 10 rad/s² takes 0.22 rad.
      expect(plant.position_rad[0]! - before_rad).toBeLessThan(0.3);
      await fixture.close();
    },
  );

  it('doubled replies and noise before them: continues with fresh samples', async () => {
    const fixture = await movingFrom(await create());
    fixture.faults.duplicate = true;
    fixture.faults.garbage = [0x00, 0xff, 0xff, 0xfd];
    const feedback = await fixture.go(100);
    expect(feedback.fault).toBeNull();
    expect(feedback.age_s).toBeLessThan(0.02);
    await fixture.close();
  });

  it('held by a busy gateway for 0.12 s: never takes an old sample for a new one', async () => {
    const fixture = await movingFrom(await create());
    fixture.faults.hold();
    expect((await fixture.go(30)).fault).toBeNull();
    fixture.faults.release();
    for (let i = 0; i < 50; i++) {
      const { position_rad, fault } = await fixture.go(1);
      expect(fault).toBeNull();
      fixture.emulator.catchUp();
      const apart = Math.abs(position_rad[0]! - fixture.emulator.plant.position_rad[0]!);
      expect(apart).toBeLessThan(0.08);
      await passTick(fixture);
    }
    await fixture.close();
  });

  it('a brown-out of all: error, without torque until a recovery holds what lies', async () => {
    const fixture = await movingFrom(await create());
    for (const servo of fixture.emulator.servos) servo.setSupply(10);
    for (let j = 0; j < 6; j++) fixture.emulator.plant.blocked.add(j);
    expect((await fixture.go(150)).fault).not.toBeNull();
    await holdFor(fixture, 200);
    expect(fixture.emulator.servos.some(({ torqueOn }) => torqueOn)).toBe(false);
    for (const servo of fixture.emulator.servos) servo.setSupply(120);
    await expectRecovery(fixture);
    expect(fixture.emulator.servos.every(({ torqueOn }) => torqueOn)).toBe(true);
    await fixture.close();
  });

  it('a blocked joint: does not follow, and is named', async () => {
    const fixture = await movingFrom(await create());
    fixture.emulator.plant.blocked.add(0);
    expect((await fixture.go(300)).fault).toMatchObject({ kind: 'following_error', joint: 0 });
    await fixture.close();
  });

  it('the program ends: the arm holds', async () => {
    const fixture = await movingFrom(await create());
    await fixture.close();
    fixture.emulator.catchUp();
    const before = Array.from(fixture.emulator.plant.position_rad);
    fixture.clock.advance(2000);
    fixture.emulator.catchUp();
    Array.from(fixture.emulator.plant.position_rad).forEach((angle, j) => {
      expect(Math.abs(angle - before[j]!)).toBeLessThan(0.02);
    });
  });
});

describe.each(FAMILIES)('a start of $family servos', ({ create }) => {
  it('refuses an absent servo and keeps the arm without torque', async () => {
    const fixture = await create();
    fixture.emulator.servo(3).dead = true;
    await expect(fixture.clock.until(fixture.arm.start())).rejects.toThrow(
      /J3 \(servo 3\) does not answer: check its cable/,
    );
    expect(fixture.emulator.servos.some(({ torqueOn }) => torqueOn)).toBe(false);
  });

  it('refuses a joint outside of its range', async () => {
    const start = [0, JOINT_MAX_RAD[1]! + 0.2, 0, 0, 0, 0];
    const fixture = await create({ start, supported: true });
    await expect(fixture.clock.until(fixture.arm.start())).rejects.toThrow(
      /J2 \(servo 2\) is at \d\.\d+ rad, outside of its/,
    );
  });

  it('refuses an overheated servo', async () => {
    const fixture = await create();
    fixture.emulator.servo(2).fail('overheated');
    await expect(fixture.clock.until(fixture.arm.start())).rejects.toThrow(/too hot/);
  });

  it('keeps what it holds through a second start of another program', async () => {
    const fixture = await create({ supported: true, start: [0.2, 0.5, -0.9, 0, -0.8, 0] });
    await fixture.clock.until(fixture.arm.start());
    const feedback = await holdFor(fixture, 300);
    expect(feedback.fault).toBeNull();
    expect(fixture.arm.exchange(stationarySetpoint('hold'), TICK_S).age_s).toBeLessThan(0.05);
    expect(fixture.arm.read().servos).toHaveLength(6);
    await fixture.close();
  });
});
