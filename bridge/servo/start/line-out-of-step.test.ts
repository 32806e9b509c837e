/**
 * Starts on lines whose answers come late or doubled. A status carries no address, so that such an
 * answer passes for that to another question: the start may refuse, and must not move the arm.
 * @module-tag ci
 */

import { describe, expect, it } from 'vitest';
import { FAMILIES } from '../servo-arm.cases.ts';

/** A pose in which no two joints have the same angle (rad). */
const AWAY = [0.4, -0.5, -0.6, 0.7, -0.8, 0.9];

const LINES = {
  'doubled after 2 ms': { doubled: { share: 0.3, after_ms: 2 } },
  'doubled at once': { doubled: { share: 0.4, after_ms: 0 } },
  'doubled after 30 ms': { doubled: { share: 0.4, after_ms: 30 } },
  'late by 80 ms': { late: { share: 0.15, by_ms: 80 } },
  both: { doubled: { share: 0.2, after_ms: 5 }, late: { share: 0.1, by_ms: 80 } },
} as const;

for (const { family, create } of FAMILIES) {
  describe(`a start of ${family} servos, on a line with answers`, () => {
    it.each(Object.entries(LINES))('%s, never moves the arm', async (_, line) => {
      for (let seed = 1; seed <= 6; seed++) {
        const fixture = await create({ start: AWAY, supported: true });
        const { arm, clock, emulator, faults } = fixture;
        Object.assign(faults, line, { seed });
        const started = await clock.until(
          arm.start().then(
            () => null,
            (error: Error) => error.message,
          ),
        );
        clock.advance(200);
        emulator.catchUp();
        AWAY.forEach((angle, j) => {
          expect(Math.abs(emulator.plant.position_rad[j]! - angle)).toBeLessThan(0.02);
        });
        if (started !== null) expect(started).toMatch(/late, doubled or spoiled|answer/);
        Object.assign(faults, { doubled: { share: 0 }, late: { share: 0 } });
        await fixture.close();
      }
    });
  });
}

describe('a line that never falls silent', () => {
  it.each(FAMILIES)('gives $family servos no torque, and is named', async ({ create }) => {
    const fixture = await create({ start: AWAY, supported: true });
    const { arm, clock, emulator, faults } = fixture;
    const talk = () => {
      faults.inject(Uint8Array.of(0, 1, 2));
      clock.after(5, talk);
    };
    faults.delay_ms = 1;
    talk();
    await expect(clock.until(arm.start())).rejects.toThrow(
      /J1 \(servo 1\) gets no torque: \d+ answers came late, doubled or spoiled on memory: check/,
    );
    expect(emulator.servos.some(({ torqueOn }) => torqueOn)).toBe(false);
  });
});
