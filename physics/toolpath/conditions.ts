/**
 * Whether a condition of the timeline holds at this moment (spec §2.2): waits and branches ask
 * here, in the robot and in the preview alike. Pure: time and I/O are arguments. Decision D18.
 */
import type { Condition, IoAddress } from './program.ts';

/** What a condition may look at. */
export interface ConditionView {
  /** How long the wait has lasted (s). */
  readonly elapsed_s: number;
  /** Present value of an input or output: boolean for digital, number for analog. */
  read(side: 'inputs' | 'outputs', io: IoAddress): unknown;
}

type IoCondition = Exclude<Condition, { type: 'time' }>;

/** Ticks are summed in floating point: a wait must not last a tick longer for the last bit (s). */
const ELAPSED_SLACK_S = 1e-9;

/** Tells whether `condition` holds. A test that lacks what its operator needs never does. */
export function conditionHolds(condition: Condition, view: ConditionView): boolean {
  if (condition.type === 'time') return view.elapsed_s >= condition.duration - ELAPSED_SLACK_S;
  const value = view.read(condition.type === 'input' ? 'inputs' : 'outputs', condition.io);
  const operator = condition.operator ?? 'equal';
  if (operator === 'equal') return condition.value !== undefined && value === condition.value;
  return typeof value === 'number' && compare(value, operator, condition.thresholds);
}

/** The four ranges; a value on a threshold is neither below, above, inside nor outside. */
function compare(
  value: number,
  operator: Exclude<NonNullable<IoCondition['operator']>, 'equal'>,
  thresholds: IoCondition['thresholds'],
): boolean {
  if (!thresholds) return false;
  const below = value < thresholds.lower;
  const above = value > thresholds.upper;
  switch (operator) {
    case 'below':
      return below;
    case 'above':
      return above;
    case 'inside':
      return value > thresholds.lower && value < thresholds.upper;
    case 'outside':
      return below || above;
  }
}
