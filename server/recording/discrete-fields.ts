/** The robot's values that change at once, and not by degrees. */
import type { RobotMemory } from '../robot/memory.ts';

/** The robot's discrete fields as a flat record. */
export type DiscreteFields = Record<string, unknown>;

/** The present values of all discrete fields; one field per input and output. */
export function discreteFields(memory: Readonly<RobotMemory>): DiscreteFields {
  const { state, loop_count, loop_target, estop, error, lock, activity, loaded, io } = memory;
  const fields: DiscreteFields = {
    state,
    loop_count,
    loop_target,
    estop,
    error,
    lock: lock?.holder.token_id ?? null,
    activity: activity?.kind ?? null,
    at: activity?.at ?? '',
    toolpath: loaded?.hash ?? '',
  };
  for (const key in io.inputs) fields[`inputs.${key}`] = io.inputs[key];
  for (const key in io.outputs) fields[`outputs.${key}`] = io.outputs[key];
  return fields;
}

/** The changed fields with their new values; null for none. */
export function changedFields(
  before: DiscreteFields,
  after: DiscreteFields,
): DiscreteFields | null {
  let changes: DiscreteFields | null = null;
  for (const key in after) {
    if (after[key] === before[key]) continue;
    changes ??= {};
    changes[key] = after[key];
  }
  return changes;
}
