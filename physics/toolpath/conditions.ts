/** Conditions of waits and branches: whether one holds, given time and I/O (§2.2, D18). */
import type { SignalAddress } from './signal-address.ts';

/** A condition of §2.2, checked and complete. */
export type Condition =
  | { readonly type: 'time'; readonly duration: number }
  | {
      readonly type: 'input' | 'output-test';
      readonly io: SignalAddress;
      readonly operator?: 'equal' | 'below' | 'above' | 'inside' | 'outside';
      readonly thresholds?: { readonly lower?: number; readonly upper?: number };
      readonly value?: boolean | number;
    };

/** Inputs of a condition. */
export interface ConditionInputs {
  /** Elapsed time of the wait (s). */
  readonly elapsed_s: number;
  /** Current value of an input or output: boolean for digital, number for analog. */
  read(side: 'inputs' | 'outputs', io: SignalAddress): unknown;
}

type IoCondition = Exclude<Condition, { type: 'time' }>;

/**
 * Tolerance of elapsed time (s): ticks are summed in floating point, and rounding must not extend a
 * wait by a tick.
 */
const ELAPSED_SLACK_S = 1e-9;

/** True when `condition` holds; false when the test lacks what its operator needs. */
export function conditionHolds(condition: Condition, view: ConditionInputs): boolean {
  if (condition.type === 'time') return view.elapsed_s >= condition.duration - ELAPSED_SLACK_S;
  const value = view.read(condition.type === 'input' ? 'inputs' : 'outputs', condition.io);
  const operator = condition.operator ?? 'equal';
  if (operator === 'equal') return condition.value !== undefined && value === condition.value;
  return typeof value === 'number' && compare(value, operator, condition.thresholds);
}

/** Range test; a value on a threshold is neither below, above, inside nor outside. */
function compare(
  value: number,
  operator: Exclude<NonNullable<IoCondition['operator']>, 'equal'>,
  thresholds: IoCondition['thresholds'],
): boolean {
  const { lower = Number.NaN, upper = Number.NaN } = thresholds ?? {};
  const below = value < lower;
  const above = value > upper;
  switch (operator) {
    case 'below':
      return below;
    case 'above':
      return above;
    case 'inside':
      return value > lower && value < upper;
    case 'outside':
      return below || above;
  }
}
