/** Explanations for an arm without simulation control, and values that end a wait. */
import { expect, it } from 'vitest';
import { createArmStore } from '../link/arm-store.ts';
import { mergeChanges } from '../link/robot-events.ts';
import { SNAPSHOT } from '../link/snapshot.cases.ts';
import { explain, fulfillingValue } from './explanations.ts';

it.each([
  ['disabled', /^The emergency stop at the arm is pressed. Release it there.$/],
  ['error', /^An error stopped the motion.$/],
  ['paused', /^Paused.$/],
] as const)('knows the cause of %s without simulation control', (state, sentence) => {
  const snapshot = mergeChanges(SNAPSHOT, { control: { state } });
  const [first] = explain({ ...createArmStore().view(), link: 'live', snapshot });
  expect(first!.sentence).toMatch(sentence);
});

it.each([
  ['above', 8],
  ['below', 1],
  ['inside', 4],
  ['outside', 8],
] as const)('offers a value that is %s the thresholds', (operator, value) => {
  const io = { location: 'base', type: 'analog', index: 0 } as const;
  const thresholds = { lower: 2, upper: 6 };
  expect(fulfillingValue({ type: 'input', io, operator, thresholds })).toBe(value);
});
