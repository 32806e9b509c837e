/** Lines of inputs and outputs, and conditions that fit the line that they are on. Pure. */
import type { IoAddress, IoValue, TestCondition } from '../../../contract/types.generated.ts';

const ANALOG_START = 5;

export type Side = 'input' | 'output';

/** All lines of a side; the tool has no analog outputs. */
export function linesOf(side: Side): readonly IoAddress[] {
  const line = (location: IoAddress['location'], type: IoAddress['type'], count: number) =>
    Array.from({ length: count }, (_, index): IoAddress => ({ location, type, index }));
  return [
    ...line('base', 'digital', 4),
    ...line('base', 'analog', 2),
    ...line('end_effector', 'digital', 2),
    ...(side === 'input' ? line('end_effector', 'analog', 2) : []),
  ];
}

/** A name that no other line of its side has. */
export function nameOf({ location, type, index }: IoAddress): string {
  return `${location} ${type} ${index}`;
}

/** The old value if it fits the line's type, otherwise a default. */
export function levelFor(io: IoAddress, value: IoValue | undefined): IoValue {
  if (io.type === 'digital') return typeof value === 'boolean' ? value : true;
  return typeof value === 'number' ? value : ANALOG_START;
}

/** The thresholds of a condition; a missing one lies on its side of the other. */
export function bothThresholds({ thresholds = {} }: Partial<TestCondition>) {
  const { upper = Math.max(ANALOG_START, (thresholds.lower ?? 0) + 1) } = thresholds;
  return { lower: thresholds.lower ?? Math.min(0, upper - 1), upper };
}

/** The condition with its operator and only the fields that belong to it. */
export function conditionFor(
  type: TestCondition['type'],
  io: IoAddress,
  old: Partial<TestCondition>,
): TestCondition {
  if (io.type === 'digital') return { type, io, value: levelFor(io, old.value) };
  const operator = old.operator ?? 'above';
  if (operator === 'equal') return { type, io, operator, value: levelFor(io, old.value) };
  return { type, io, operator, thresholds: bothThresholds(old) };
}

const FIRST_LINE: IoAddress = { location: 'base', type: 'digital', index: 0 };

/** A condition on the first line of a side, for new branches and waits. */
export function firstCondition(type: TestCondition['type']): TestCondition {
  return { type, io: FIRST_LINE, value: true };
}
