/**
 * The fields of inputs, outputs and conditions, shared by waits, branches and output actions. If
 * the line's type changes, the value changes to one that fits. §2.2, §2.5.
 */

import { ioText } from '../../../contract/condition-text.ts';
import type {
  IoAddress,
  IoValue,
  Operator,
  TestCondition,
  WaitCondition,
} from '../../../contract/types.generated.ts';
import type { Bound } from '../../ui/fields.tsx';
import { ChoiceRow, NumberRow } from './field-rows.tsx';
import {
  bothThresholds,
  conditionFor,
  firstCondition,
  linesOf,
  nameOf,
  type Side,
} from './io-conditions.ts';

const OPERATORS: readonly (readonly [Operator, string])[] = [
  ['equal', 'equals'],
  ['below', 'is below'],
  ['above', 'is above'],
  ['inside', 'is inside'],
  ['outside', 'is outside'],
];
const VALUE = { label: 'Value', step: 0.1 } as const;
const TIME = { label: 'Time', unit: 's', step: 0.1, min: 0.001 } as const;
const ON_OFF = [
  ['true', 'on'],
  ['false', 'off'],
] as const;

/** Selects a line of one side. */
export function LineField({ side, value, set }: Bound<IoAddress> & { readonly side: Side }) {
  const lines = linesOf(side);
  return (
    <ChoiceRow
      label="Line"
      options={lines.map((line) => [nameOf(line), ioText(line, side)])}
      value={nameOf(value)}
      set={(name) => set(lines.find((line) => nameOf(line) === name)!)}
    />
  );
}

interface LevelFieldProps extends Bound<IoValue> {
  readonly io: IoAddress;
}

/** The value that a line is set to or compared with. */
export function LevelField({ io, value, set }: LevelFieldProps) {
  if (io.type !== 'digital') return <NumberRow {...VALUE} value={Number(value)} set={set} />;
  const choose = (text: string) => set(text === 'true');
  return <ChoiceRow label="Value" options={ON_OFF} value={`${value === true}`} set={choose} />;
}

/** The bounds that an operator compares with. */
function ThresholdFields({ value, set }: Bound<TestCondition>) {
  const { operator } = value;
  const { lower, upper } = bothThresholds(value);
  const isBetween = operator !== 'below' && operator !== 'above';
  const setBounds = (bounds: Partial<ReturnType<typeof bothThresholds>>) =>
    set({ ...value, thresholds: { lower, upper, ...bounds } });
  // An unused bound must still lie on its side of the other.
  function setLower(to: number): void {
    setBounds(isBetween ? { lower: to } : { lower: to, upper: Math.max(upper, to + 1) });
  }
  function setUpper(to: number): void {
    setBounds(isBetween ? { upper: to } : { lower: Math.min(lower, to - 1), upper: to });
  }
  const [from, to] = isBetween ? ['From', 'To'] : ['Below', 'Above'];
  return (
    <>
      {operator !== 'above' && <NumberRow label={from!} step={0.1} value={lower} set={setLower} />}
      {operator !== 'below' && <NumberRow label={to!} step={0.1} value={upper} set={setUpper} />}
    </>
  );
}

/** The fields of a condition on a line. */
export function TestFields({ value, set }: Bound<TestCondition>) {
  const { type, io, operator } = value;
  const isEqual = io.type === 'digital' || operator === 'equal';
  return (
    <>
      <LineField
        side={type === 'input' ? 'input' : 'output'}
        value={io}
        set={(line) => set(conditionFor(type, line, value))}
      />
      {io.type === 'analog' && (
        <ChoiceRow
          label="Line value"
          options={OPERATORS}
          value={operator ?? 'equal'}
          set={(one) => set(conditionFor(type, io, { ...value, operator: one as Operator }))}
        />
      )}
      {isEqual ? (
        <LevelField
          io={io}
          value={value.value ?? 0}
          set={(level) => set({ ...value, value: level })}
        />
      ) : (
        <ThresholdFields value={value} set={set} />
      )}
    </>
  );
}

const WAITS = [
  ['time', 'Time'],
  ['input', 'Input'],
  ['output-test', 'Output'],
] as const;

/** The fields of what a wait waits for. */
export function WaitFields({ value, set }: Bound<WaitCondition>) {
  const choose = (type: string) =>
    set(type === 'time' ? { type, duration: 1 } : firstCondition(type as TestCondition['type']));
  return (
    <>
      <ChoiceRow label="Wait for" options={WAITS} value={value.type} set={choose} />
      {value.type === 'time' ? (
        <NumberRow
          {...TIME}
          value={value.duration}
          set={(duration) => set({ ...value, duration })}
        />
      ) : (
        <TestFields value={value} set={set} />
      )}
    </>
  );
}
