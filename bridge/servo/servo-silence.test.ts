/**
 * A line that falls silent in the middle of a motion and comes back: nothing moves before a reset
 * is requested, and the joints are read again as soon as they answer.
 */

import { describe, expect, it } from 'vitest';
import { stationarySetpoint } from '../arm-driver.cases.ts';
import { TICK_S } from '../arm-driver.ts';
import { type ArmFixture, FAMILIES, holdFor } from './servo-arm.cases.ts';
import { expectRecovery, movingFrom } from './servo-motion.cases.ts';

/** Turn of a joint in one cycle of the motion, with the play of its gears and some load (rad). */
const ONE_CYCLE_RAD = 0.015;

/** A joint sinks by its sag where its watchdog has tripped (rad). */
const SAG_RAD = 0.01;

function goalsOf({ emulator }: ArmFixture): number[] {
  return emulator.servos.map(({ goal_ticks }) => goal_ticks);
}

function poseOf({ emulator }: ArmFixture): number[] {
  emulator.catchUp();
  return Array.from(emulator.plant.position_rad);
}

/** Position of the first joint as the driver reports it (rad). */
function shown({ arm }: ArmFixture): number {
  return arm.exchange(stationarySetpoint('hold'), TICK_S).position_rad[0]!;
}

describe.each(FAMILIES)('$family servos whose line falls silent in a motion', ({ create }) => {
  it('get no goal that they had not', async () => {
    const fixture = await movingFrom(await create());
    fixture.faults.cut = true;
    // What is sent from now on is lost; the robot goes on for some cycles.
    await fixture.go(200);
    await holdFor(fixture, 100);
    const goals = goalsOf(fixture);
    const before = poseOf(fixture);
    fixture.faults.cut = false;
    await holdFor(fixture, 300);
    // A watchdog that has tripped sets the goal itself, to where the joint hangs.
    if (!fixture.joints.has_watchdog) expect(goalsOf(fixture)).toEqual(goals);
    expect(Math.abs(poseOf(fixture)[0]! - before[0]!)).toBeLessThan(SAG_RAD);
    expect(shown(fixture)).toBeCloseTo(poseOf(fixture)[0]!, 2);
    await expectRecovery(fixture);
    await fixture.close();
  });

  it('which keeps what was sent: move on by one cycle at most', async () => {
    const fixture = await movingFrom(await create());
    fixture.faults.hold();
    await fixture.go(300);
    await holdFor(fixture, 200);
    const before = poseOf(fixture);
    fixture.faults.release();
    await holdFor(fixture, 300);
    const after = poseOf(fixture);
    expect(Math.abs(after[0]! - before[0]!)).toBeLessThan(ONE_CYCLE_RAD);
    expect(shown(fixture)).toBeCloseTo(after[0]!, 2);
    await expectRecovery(fixture);
    await fixture.close();
  });

  it('reads a servo that was missing again, before any reset', async () => {
    const fixture = await movingFrom(await create());
    const servo = fixture.emulator.servos[0]!;
    servo.dead = true;
    const { fault } = await fixture.go(200);
    expect(fault).toMatchObject({ kind: 'lost', joint: 0 });
    await holdFor(fixture, 100);
    servo.dead = false;
    fixture.emulator.plant.position_rad[0]! += 0.05;
    await holdFor(fixture, 400);
    expect(shown(fixture)).toBeCloseTo(poseOf(fixture)[0]!, 2);
    expect(fixture.arm.read().fault).toMatchObject({ joint: 0 });
    await fixture.close();
  });
});
