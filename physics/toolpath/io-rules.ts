/**
 * The rules of outputs and conditions: which lines there are, what they may hold and what an
 * operator needs. Spec §2.2, §2.5; decisions D18, D35.
 */
import { limits } from '../../contract/limits.ts';
import type { Problem } from '../../contract/result.ts';
import type {
  AnalogModes,
  InputCondition,
  IoAddress,
  OutputCondition,
  OutputSetAction,
  WaitCondition,
} from '../../contract/types.ts';

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

/** The rules of setting an output; `path` is the pointer of the action. */
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
  if (test.thresholds) return [];
  const problem = `is missing, and the operator ${operator} needs lower and upper`;
  return [{ path: `${path}/thresholds`, problem }];
}

function thresholdProblems(test: IoTest, path: string): Problem[] {
  const { thresholds } = test;
  if (!thresholds || thresholds.upper > thresholds.lower) return [];
  const problem = `must be above thresholds.lower, which is ${thresholds.lower}`;
  return [{ path: `${path}/thresholds/upper`, problem }];
}

/** The rules of a condition; `path` is its pointer. */
export function conditionProblems(condition: WaitCondition, path: string): Problem[] {
  if (condition.type === 'time') return [];
  if (condition.type === 'output-test' && isToolAnalog(condition.io)) {
    return [{ path: `${path}/io`, problem: NO_ANALOG_TOOL_OUTPUT }];
  }
  const kind = condition.io.type === 'digital' ? digitalProblems : analogProblems;
  return [...kind(condition, path), ...thresholdProblems(condition, path)];
}
