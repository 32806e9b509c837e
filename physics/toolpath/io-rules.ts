/**
 * Toolpath check, rules of outputs and conditions: which lines exist, which values they take, what
 * an operator needs. §2.2, §2.5; D35.
 */

import { limits } from '../../contract/limits.ts';
import type { Problem } from '../../contract/problem.ts';
import type {
  AnalogModes,
  InputCondition,
  IoAddress,
  OutputCondition,
  OutputSetAction,
  WaitCondition,
} from '../../contract/types.generated.ts';

type IoTest = InputCondition | OutputCondition;

const NO_ANALOG_TOOL_OUTPUT = 'names an analog output of the end effector, which has none';

function isToolAnalog(io: IoAddress): boolean {
  return io.location === 'end_effector' && io.type === 'analog';
}

function rangeProblem(value: number, mode: 'voltage' | 'current', path: string): Problem[] {
  const [low, high, unit] =
    mode === 'voltage'
      ? [limits.voltage_min_v, limits.voltage_max_v, 'V']
      : [limits.current_min_ma, limits.current_max_ma, 'mA'];
  if (value >= low && value <= high) return [];
  const range = `must lie within ${low} to ${high} ${unit}`;
  return [{ path, problem: `${range}, as the line is in ${mode} mode` }];
}

/** Checks an output setting; `path` is the pointer of the action. */
export function outputProblems(
  output: Pick<OutputSetAction, 'io' | 'value'>,
  modes: AnalogModes,
  path: string,
): Problem[] {
  const { io, value } = output;
  if (isToolAnalog(io)) return [{ path: `${path}/io`, problem: NO_ANALOG_TOOL_OUTPUT }];
  const at = `${path}/value`;
  if (io.type === 'digital') {
    const wrong = { path: at, problem: 'must be true or false: the output is digital' };
    return typeof value === 'boolean' ? [] : [wrong];
  }
  if (typeof value === 'boolean') {
    return [{ path: at, problem: 'must be a number: the output is analog' }];
  }
  return rangeProblem(value, io.index === 0 ? modes.o0 : modes.o1, at);
}

function digitalProblems(test: IoTest, path: string): Problem[] {
  const problems: Problem[] = [];
  if (test.operator !== undefined) {
    const problem = 'must be left out: a digital line is compared with value';
    problems.push({ path: `${path}/operator`, problem });
  }
  if (typeof test.value !== 'boolean') {
    const problem = 'must be true or false: the line is digital';
    problems.push({ path: `${path}/value`, problem });
  }
  return problems;
}

function analogProblems(test: IoTest, path: string): Problem[] {
  const { operator } = test;
  if (operator === undefined) {
    const problem =
      'is missing, and an analog line needs one: equal, below, above, inside, outside';
    return [{ path: `${path}/operator`, problem }];
  }
  if (operator === 'equal') {
    if (typeof test.value === 'number') return [];
    return [{ path: `${path}/value`, problem: 'must be a number for the operator equal' }];
  }
  return missingThresholds(operator, test.thresholds, `${path}/thresholds`);
}

type RangeOperator = Exclude<NonNullable<IoTest['operator']>, 'equal'>;

/** The thresholds that each operator reads. */
const THRESHOLDS_READ: { readonly [Name in RangeOperator]: readonly ('lower' | 'upper')[] } = {
  below: ['lower'],
  above: ['upper'],
  inside: ['lower', 'upper'],
  outside: ['lower', 'upper'],
};

function missingThresholds(
  operator: RangeOperator,
  thresholds: IoTest['thresholds'],
  path: string,
): Problem[] {
  const read = THRESHOLDS_READ[operator];
  const problem = `is missing, and the operator ${operator} needs ${read.join(' and ')}`;
  if (!thresholds) return [{ path, problem }];
  const missing = read.filter((name) => thresholds[name] === undefined);
  return missing.map((name) => ({ path: `${path}/${name}`, problem }));
}

function thresholdProblems(test: IoTest, path: string): Problem[] {
  const { lower, upper } = test.thresholds ?? {};
  if (lower === undefined || upper === undefined || upper > lower) return [];
  const problem = `must be above thresholds.lower, which is ${lower}`;
  return [{ path: `${path}/thresholds/upper`, problem }];
}

/** Checks a condition; `path` is its pointer. */
export function conditionProblems(condition: WaitCondition, path: string): Problem[] {
  if (condition.type === 'time') return [];
  if (condition.type === 'output-test' && isToolAnalog(condition.io)) {
    return [{ path: `${path}/io`, problem: NO_ANALOG_TOOL_OUTPUT }];
  }
  const kind = condition.io.type === 'digital' ? digitalProblems : analogProblems;
  return [...kind(condition, path), ...thresholdProblems(condition, path)];
}
