/**
 * Conditions of tasks on what other tasks return: read from a definition, judged in a run, and counted
 * in a plan while their outcome is open.
 */

import type { DataOutputs, TaskCondition } from '../../contract/types.generated.ts';
import { childPointer, type DefinitionFindings } from './definition-findings.ts';
import type { ReadTask } from './read-definition.ts';

/** A condition on the result of a task, by its index. */
export interface ModelCondition extends Omit<TaskCondition, 'task_id'> {
  readonly task: number;
}

/** What a task returns by name; null for one that returns nothing (more). */
export type TaskOutputs = DataOutputs | null;

const TESTS = {
  equals: (value: unknown, wanted: unknown) => value === wanted,
  not_equals: (value: unknown, other: unknown) => value !== other,
  at_least: (value: unknown, least: unknown) =>
    typeof value === 'number' && value >= (least as number),
  below: (value: unknown, bound: unknown) => typeof value === 'number' && value < (bound as number),
} as const;

const WORDS = {
  equals: 'is',
  not_equals: 'is not',
  at_least: 'is at least',
  below: 'is below',
} as const;

type TestName = keyof typeof TESTS;
const NAMES = Object.keys(TESTS) as TestName[];

/** Whether a condition holds for what its task has returned; none holds where there is no such value. */
export function holds(condition: ModelCondition, outputs: TaskOutputs): boolean {
  const value = outputs?.[condition.output];
  if (value === undefined || value === null) return false;
  return NAMES.every((name) => {
    const bound = condition[name];
    return bound === undefined || TESTS[name](value, bound);
  });
}

/** Says a condition: "od of read is below 0.5". */
function conditionText(task_id: string, condition: ModelCondition): string {
  const parts = NAMES.flatMap((name) => {
    const bound = condition[name];
    return bound === undefined ? [] : [`${WORDS[name]} ${bound}`];
  });
  return `${condition.output} of ${task_id} ${parts.join(' and ')}`;
}

/** Whether no value meets two conditions on the same result. */
function contradict(a: ModelCondition, b: ModelCondition): boolean {
  if (a.task !== b.task || a.output !== b.output) return false;
  const least = Math.max(
    a.at_least ?? Number.NEGATIVE_INFINITY,
    b.at_least ?? Number.NEGATIVE_INFINITY,
  );
  const bound = Math.min(a.below ?? Number.POSITIVE_INFINITY, b.below ?? Number.POSITIVE_INFINITY);
  if (least >= bound) return true;
  const misses = (one: ModelCondition, other: ModelCondition) =>
    one.equals !== undefined && !holds(other, { [other.output]: one.equals });
  return misses(a, b) || misses(b, a);
}

interface ConditionalTask {
  readonly estimate_s: number;
  readonly conditions?: readonly ModelCondition[];
}

/** Tasks that are done on the same conditions. */
interface Branch {
  readonly conditions: readonly ModelCondition[];
  readonly tasks: number[];
  time_s: number;
}

/**
 * The tasks that a plan does not count while it is open which are done: of branches that exclude each
 * other it has the one that takes longest. `isKnown`: whether the result of a task is there already.
 */
export function uncountedTasks(
  tasks: readonly ConditionalTask[],
  isKnown: (task: number) => boolean,
  isSkipped: (task: number) => boolean,
): number[] {
  const branches = new Map<string, Branch>();
  tasks.forEach(({ conditions = [], estimate_s }, task) => {
    const open = conditions.filter((one) => !isKnown(one.task));
    if (open.length === 0 || isSkipped(task)) return;
    const key = JSON.stringify(open);
    const branch = branches.get(key) ?? { conditions: open, tasks: [], time_s: 0 };
    branch.tasks.push(task);
    branch.time_s += estimate_s;
    branches.set(key, branch);
  });
  const counted: Branch[] = [];
  return [...branches.values()]
    .sort((a, b) => b.time_s - a.time_s)
    .flatMap((branch) => {
      const isExcluded = counted.some((other) =>
        other.conditions.some((one) => branch.conditions.some((own) => contradict(one, own))),
      );
      if (!isExcluded) counted.push(branch);
      return isExcluded ? branch.tasks : [];
    });
}

/** Reads the conditions of a task; finds those on no task, that say nothing, or that nothing meets. */
export function conditionsOf(
  findings: DefinitionFindings,
  { task, path }: Pick<ReadTask, 'task' | 'path'>,
  { tasks, taskIndex }: ConditionParts,
): ModelCondition[] {
  const read = (task.only_if ?? []).flatMap((one, i): ModelCondition[] => {
    const at = childPointer(`${path}/only_if`, i);
    const { task_id, ...rest } = one;
    const index = taskIndex.get(task_id);
    if (NAMES.every((name) => rest[name] === undefined)) {
      findings.add(at, `says neither ${NAMES.slice(0, -1).join(', ')} nor ${NAMES.at(-1)}`);
    }
    if (index === undefined) findings.add(`${at}/task_id`, `there is no task ${task_id}`);
    else if (tasks[index]!.task.skip) {
      findings.add(`${at}/task_id`, `is ${task_id}, which is skipped and returns nothing`);
    } else return [{ task: index, ...rest }];
    return [];
  });
  for (const [i, one] of read.entries()) {
    const other = read.slice(i).find((later) => contradict(one, later));
    if (!other) continue;
    const both = other === one ? [one] : [one, other];
    const texts = both.map((of) => conditionText(tasks[of.task]!.id, of));
    findings.add(`${path}/only_if`, `can never hold: ${texts.join(', and ')}`);
  }
  return read;
}

interface ConditionParts {
  readonly tasks: readonly ReadTask[];
  readonly taskIndex: ReadonlyMap<string, number>;
}

/** The names of what other tasks ask for of each task, and who asks: by the index of the task. */
export function askedOutputs(
  tasks: readonly { readonly id: string; readonly conditions?: readonly ModelCondition[] }[],
): ReadonlyMap<number, ReadonlyMap<string, string>> {
  const asked = new Map<number, Map<string, string>>();
  for (const { id, conditions = [] } of tasks) {
    for (const { task, output } of conditions) {
      const own = asked.get(task) ?? new Map<string, string>();
      if (!own.has(output)) own.set(output, id);
      asked.set(task, own);
    }
  }
  return asked;
}
