/**
 * The fields of inputs, outputs and conditions, shared by waits, branches and output actions. If
 * the line's type changes, the value changes to one that fits. §2.2, §2.5. Pure.
 */

import { ioText } from '../../../contract/condition-text.ts';
import type {
  IoAddress,
  IoValue,
  Operator,
  TestCondition,
  WaitCondition,
} from '../../../contract/types.generated.ts';
import { choiceFormField, type FormField, numberFormField } from '../../ui/form-field.ts';

const OPERATORS: readonly (readonly [Operator, string])[] = [
  ['equal', 'equals'],
  ['below', 'is below'],
  ['above', 'is above'],
  ['inside', 'is inside'],
  ['outside', 'is outside'],
];
const ON_OFF = [
  ['true', 'on'],
  ['false', 'off'],
] as const;
const ANALOG_START = 5;

type Side = 'input' | 'output';

/** All lines of a side; the tool has no analog outputs. */
function linesOf(side: Side): readonly IoAddress[] {
  const line = (location: IoAddress['location'], type: IoAddress['type'], count: number) =>
    Array.from({ length: count }, (_, index): IoAddress => ({ location, type, index }));
  return [
    ...line('base', 'digital', 4),
    ...line('base', 'analog', 2),
    ...line('end_effector', 'digital', 2),
    ...(side === 'input' ? line('end_effector', 'analog', 2) : []),
  ];
}

function nameOf({ location, type, index }: IoAddress): string {
  return `${location} ${type} ${index}`;
}

/** Field that selects a line of one side. */
export function lineField<Subject>(
  io: IoAddress,
  side: Side,
  set: (io: IoAddress) => Subject,
): FormField<Subject> {
  const lines = linesOf(side);
  const options = lines.map((line) => [nameOf(line), ioText(line, side)] as const);
  const find = (name: string) => lines.find((line) => nameOf(line) === name)!;
  return choiceFormField({ label: 'Line', options }, nameOf(io), (name) => set(find(name)));
}

/** Field for the value that a line is set to or compared with. */
export function levelField<Subject>(
  io: IoAddress,
  value: IoValue | undefined,
  set: (value: IoValue) => Subject,
): FormField<Subject> {
  if (io.type === 'digital') {
    const is = { label: 'Value', options: ON_OFF };
    return choiceFormField(is, String(value === true), (text) => set(text === 'true'));
  }
  return numberFormField({ label: 'Value', step: 0.1 }, Number(value ?? 0), set);
}

/** The old value if it fits the line's type, otherwise a default. */
export function levelFor(io: IoAddress, value: IoValue | undefined): IoValue {
  if (io.type === 'digital') return typeof value === 'boolean' ? value : true;
  return typeof value === 'number' ? value : ANALOG_START;
}

/** The condition with its operator and only the fields that belong to it. */
function conditionFor(
  type: TestCondition['type'],
  io: IoAddress,
  old: Partial<TestCondition>,
): TestCondition {
  if (io.type === 'digital') return { type, io, value: levelFor(io, old.value) };
  const operator = old.operator ?? 'above';
  if (operator === 'equal') return { type, io, operator, value: levelFor(io, old.value) };
  return { type, io, operator, thresholds: bothThresholds(old) };
}

/** The thresholds of a condition; a missing one lies on its side of the other. */
function bothThresholds({ thresholds = {} }: Partial<TestCondition>) {
  const { upper = Math.max(ANALOG_START, (thresholds.lower ?? 0) + 1) } = thresholds;
  return { lower: thresholds.lower ?? Math.min(0, upper - 1), upper };
}

function thresholdFields<Subject>(
  condition: TestCondition,
  set: (condition: TestCondition) => Subject,
): FormField<Subject>[] {
  const { operator } = condition;
  const thresholds = bothThresholds(condition);
  const { lower, upper } = thresholds;
  const field = (label: string, value: number, bounds: (value: number) => typeof thresholds) =>
    numberFormField({ label, step: 0.1 }, value, (typed) =>
      set({ ...condition, thresholds: bounds(typed) }),
    );
  // The unused bound must still lie on its side of the other.
  if (operator === 'below') {
    return [field('Below', lower, (to) => ({ lower: to, upper: Math.max(upper, to + 1) }))];
  }
  if (operator === 'above') {
    return [field('Above', upper, (to) => ({ lower: Math.min(lower, to - 1), upper: to }))];
  }
  return [
    field('From', lower, (to) => ({ ...thresholds, lower: to })),
    field('To', upper, (to) => ({ ...thresholds, upper: to })),
  ];
}

/** Fields of a condition on a line. */
export function testFields<Subject>(
  condition: TestCondition,
  set: (condition: TestCondition) => Subject,
): FormField<Subject>[] {
  const { type, io, operator } = condition;
  const side = type === 'input' ? 'input' : 'output';
  const line = lineField(io, side, (chosen) => set(conditionFor(type, chosen, condition)));
  if (io.type === 'digital') {
    return [line, levelField(io, condition.value, (value) => set({ ...condition, value }))];
  }
  const how = choiceFormField(
    { label: 'Line value', options: OPERATORS },
    operator ?? 'equal',
    (one) => set(conditionFor(type, io, { ...condition, operator: one as Operator })),
  );
  if (operator !== 'equal') return [line, how, ...thresholdFields(condition, set)];
  return [line, how, levelField(io, condition.value, (value) => set({ ...condition, value }))];
}

const FIRST_LINE: IoAddress = { location: 'base', type: 'digital', index: 0 };
const WAITS = [
  ['time', 'Time'],
  ['input', 'Input'],
  ['output-test', 'Output'],
] as const;

/** A condition on the first line of a side, for new branches and waits. */
export function firstCondition(type: TestCondition['type']): TestCondition {
  return { type, io: FIRST_LINE, value: true };
}

/** Fields of a wait condition. */
export function waitFields<Subject>(
  condition: WaitCondition,
  set: (condition: WaitCondition) => Subject,
): FormField<Subject>[] {
  const what = choiceFormField({ label: 'Wait for', options: WAITS }, condition.type, (type) =>
    set(type === 'time' ? { type, duration: 1 } : firstCondition(type as TestCondition['type'])),
  );
  if (condition.type !== 'time') return [what, ...testFields(condition, set)];
  const row = { label: 'Time', unit: 's', step: 0.1, min: 0.001 };
  const time = numberFormField(row, condition.duration, (duration) =>
    set({ ...condition, duration }),
  );
  return [what, time];
}
