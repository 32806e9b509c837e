/** A servo that counts the other way than when it was calibrated would mirror its joint. */
import { expect, it } from 'vitest';
import { reverseProblem } from '../servo/diagnosis/common-checks.ts';
import { calibratedWith, changed, createFixture } from '../servo/start/safe-start.cases.ts';

it('is refused by a start, before anything has torque', async () => {
  const servos = changed(1, { registers: { baud: 3, drive_mode: 1 } });
  const { emulator, start } = await createFixture({ servos });
  expect(await start(calibratedWith('XM540-W270', 47, false))).toMatchObject({
    ok: false,
    error: {
      joint: 0,
      message: expect.stringMatching(
        /servo 1\) counts in reverse and did not when it was calibrated: set bit 0.* to 0/,
      ),
    },
  });
  expect(emulator.servos.some(({ torqueOn }) => torqueOn)).toBe(false);
});

it.each([
  ['agrees', false, []],
  ['is not known', undefined, [/may count in reverse or not/]],
] as const)('starts where the direction %s', async (_, reverse, notes) => {
  const { start } = await createFixture();
  const started = await start(calibratedWith('XM540-W270', 47, reverse));
  if (!started.ok) throw new Error(started.error.message);
  expect(started.value.report.servos[0]!.notes).toEqual(
    notes.map((text) => expect.stringMatching(text)),
  );
});

it('is named the other way round too', () => {
  expect(reverseProblem({ reverse: true }, false, 'bit 0')).toMatch(
    /does not count in reverse and did.* to 1/,
  );
  expect(reverseProblem({ reverse: true }, true, 'bit 0')).toBeNull();
});
