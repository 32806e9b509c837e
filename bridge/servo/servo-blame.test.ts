/**
 * What ends a motion is told apart by what the line shows, and the sentence blames the right thing:
 * lost replies, garbled ones, a cut cable, another program, the supply, or a slow line.
 * @module-tag ci
 */

import { describe, expect, it } from 'vitest';
import { DEFAULT_SERVOS } from '../dynamixel/emulator/servo-setup.ts';
import { type ArmFixture, createServoFixture, FAMILIES, holdFor } from './servo-arm.cases.ts';
import { movingFrom } from './servo-motion.cases.ts';

interface Cause {
  readonly cause: string;
  readonly begin: (fixture: ArmFixture) => void;
  readonly says: RegExp;
}

function supply({ emulator }: ArmFixture, voltage: number): void {
  for (const servo of emulator.servos) servo.setSupply(voltage);
}

const CAUSES: readonly Cause[] = [
  {
    cause: 'most replies are garbled',
    begin: ({ faults }) => Object.assign(faults, { garbled_share: 0.8 }),
    says: /% of the answers on memory are missing, and what comes is corrupt: check ground, term/,
  },
  {
    cause: 'the cable to all servos is cut',
    begin: ({ faults }) => Object.assign(faults, { cut: true }),
    says: /No servo answers on memory; check the supply, the cable and the baud/,
  },
  {
    cause: 'the cable behind the third servo is cut',
    begin: ({ emulator }) => {
      for (const id of [4, 5, 6]) emulator.servo(id).dead = true;
    },
    says: /Servos 4, 5, 6 do not answer, and those before them do: the cable between servo 3 and/,
  },
  {
    cause: 'the cable of the last servo is cut',
    begin: ({ emulator }) => Object.assign(emulator.servo(6), { dead: true }),
    says: /J6 \(servo 6\) does not answer; check its cable and supply/,
  },
  {
    cause: 'another program switches the torque of a servo off',
    begin: ({ emulator }) => emulator.servo(2).loseTorque(),
    says: /J2 \(servo 2\) lost torque without a restart; another program has switched it off/,
  },
  {
    cause: 'the supply of one servo sags',
    begin: ({ emulator }) => emulator.servo(2).reboot(),
    says: /J2 \(servo 2\) (restarted and lost torque; check that its supply|does not answer)/,
  },
  {
    cause: 'the supply of all servos sags',
    begin: (fixture) => {
      supply(fixture, 10);
      supply(fixture, 120);
    },
    says: /Servos .*2.* restarted: the supply of the arm was gone or sagged; check it, and support/,
  },
  {
    cause: 'replies are late',
    begin: ({ faults }) => Object.assign(faults, { delay_ms: 200 }),
    says: /memory is too slow: answers come at least \d+ ms after .*, and a cycle waits for \d\d ms/,
  },
];

/** Servos that answer one by one, each of which may be lost. */
const ONE_BY_ONE = FAMILIES.map(({ family, create }) => ({
  family,
  create: async (): Promise<ArmFixture> => {
    if (family !== 'dynamixel') return create();
    return createServoFixture({ servos: DEFAULT_SERVOS.map((one) => ({ ...one, firmware: 44 })) });
  },
}));

describe.each(ONE_BY_ONE)('$family servos in a motion', ({ create }) => {
  it.each([1, 2, 3])('half of whose replies are lost: the fault says it, seed %i', async (seed) => {
    const fixture = await movingFrom(await create());
    Object.assign(fixture.faults, { lost_share: 0.5, seed });
    await fixture.go(250);
    await holdFor(fixture, 50);
    expect(fixture.arm.read().fault?.message).toMatch(
      /% of the answers on memory are lost, of one servo as of the other: check its conn/,
    );
    await fixture.close();
  });
});

describe.each(FAMILIES)('$family servos in a motion', ({ create }) => {
  it.each(CAUSES)('whose $cause: the fault says it', async ({ begin, says }) => {
    const fixture = await movingFrom(await create());
    begin(fixture);
    await fixture.go(250);
    await holdFor(fixture, 250);
    expect(fixture.arm.read().fault?.message).toMatch(says);
    await fixture.close();
  });

  it('goes on while one reply in fifty is lost, and says nothing', async () => {
    const fixture = await movingFrom(await create());
    Object.assign(fixture.faults, { lost_share: 0.02 });
    expect((await fixture.go(500)).fault).toBeNull();
    await fixture.close();
  });
});
