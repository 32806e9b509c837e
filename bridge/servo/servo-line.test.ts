/**
 * What is wrong with the line of the servos is said: why it is lost, that it is too slow and by how
 * much, and what the doctor computes from its baud.
 */

import { describe, expect, it, vi } from 'vitest';
import { stationarySetpoint } from '../arm-driver.cases.ts';
import { type ArmFault, TICK_S } from '../arm-driver.ts';
import { familyHint, familyOf, otherFamilies } from '../servo-families.ts';
import { createMemoryTransport } from '../transport/memory-transport.ts';
import { SteppedBusClock } from '../transport/stepped-clock.cases.ts';
import type { BusTransport } from '../transport/transport.ts';
import { Bus } from './bus/bus.ts';
import { createEmulator } from './emulator/create-emulator.ts';
import { type ArmFixture, FAMILIES, holdFor } from './servo-arm.cases.ts';
import { movingFrom } from './servo-motion.cases.ts';

function faultOf({ arm }: ArmFixture): ArmFault | null {
  return arm.exchange(stationarySetpoint('hold'), TICK_S).fault;
}

/** Makes the line of a fixture state a problem. */
function state({ bus }: ArmFixture, problem: string | null): void {
  vi.spyOn(bus, 'problem', 'get').mockReturnValue(problem);
}

describe.each(FAMILIES)('$family servos', ({ create, family }) => {
  it('whose line is lost: the fault says why, and what keeps it from opening again', async () => {
    const fixture = await movingFrom(await create());
    fixture.faults.cut = true;
    state(fixture, 'The line x was lost (EIO)');
    await fixture.go(200);
    expect(faultOf(fixture)).toEqual({
      kind: 'bus',
      joint: null,
      message: 'The line x was lost (EIO)',
    });
    state(fixture, 'Cannot open x (No such file)');
    await holdFor(fixture, 20);
    expect(faultOf(fixture)?.message).toBe('Cannot open x (No such file)');
    expect(fixture.arm.recover()).toBe(false);
    expect(faultOf(fixture)?.message).toBe('Cannot open x (No such file)');
    await holdFor(fixture, 2000);
    expect(faultOf(fixture)?.message).toBe('Cannot open x (No such file)');
    fixture.faults.cut = false;
    state(fixture, null);
    await holdFor(fixture, 50);
    expect(faultOf(fixture)?.message).toBe('Cannot open x (No such file)');
    expect(fixture.arm.recover()).toBe(false);
    expect(faultOf(fixture)?.message).toBe(
      'The servos start again: reset errors once more when they are ready. ' +
        'Before: Cannot open x (No such file)',
    );
    await holdFor(fixture, 2000);
    expect(faultOf(fixture)?.message).toMatch(/^The servos are ready again/);
    expect(fixture.arm.recover()).toBe(true);
    await fixture.close();
  });

  it('on a line that is too slow: a reset says so, and by how much', async () => {
    const fixture = await create();
    await fixture.clock.until(fixture.arm.start());
    await holdFor(fixture, 50);
    fixture.faults.delay_ms = 200;
    await holdFor(fixture, 200);
    const slow =
      /is too slow: answers come at least \d+ ms after their questions, and a cycle waits for \d\d/;
    expect(faultOf(fixture)?.message).toMatch(slow);
    for (let time = 0; time < 2; time++) {
      fixture.arm.recover();
      await holdFor(fixture, 1500);
      expect(faultOf(fixture)?.message).not.toMatch(/once more/);
    }
    await fixture.close();
  });

  it.each([
    [57_600, true],
    [1_000_000, false],
  ])('at %i baud: the doctor warns (%s)', async (baud, warns) => {
    const clock = new SteppedBusClock();
    const line = createMemoryTransport(createEmulator(familyOf(family), clock));
    const { problems } = await clock.until(diagnosed(line, clock, { family, baud }));
    const text = /^At 57600 baud the line carries \d+ readings a second of 6 servos, .* needs 125:/;
    expect(problems.some((one) => text.test(one))).toBe(warns);
  });

  it('that do not answer: each other family is among the hints', async () => {
    const clock = new SteppedBusClock();
    const silent = createMemoryTransport({ attach: () => () => {} });
    const { problems } = await clock.until(diagnosed(silent, clock, { family, baud: 1_000_000 }));
    for (const { name } of otherFamilies(familyOf(family))) {
      expect(problems[0]).toMatch(new RegExp(`No servo answers .*need --servo-family ${name}`));
    }
  });
});

async function diagnosed(
  line: BusTransport,
  clock: SteppedBusClock,
  { family: name, baud }: { family: string; baud: number },
) {
  const family = familyOf(name);
  const bus = new Bus(line, clock, { baud, format: family.format });
  await bus.open();
  return family.diagnose(bus, clock, { calibration: null, others: familyHint(family) });
}
