/** The robot's discrete fields as a flat record: what a recording looks at on every tick. */
import type { RobotMemory } from '../robot/memory.ts';

export type Fields = Record<string, unknown>;

/** Every discrete field with its value now; inputs and outputs one by one. */
export function discreteFields(memory: Readonly<RobotMemory>): Fields {
  const { state, loop_count, loop_target, estop, error, lock, activity, loaded, io } = memory;
  const fields: Fields = {
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

/** The fields that differ, with their later values; null for none. */
export function changedFields(before: Fields, after: Fields): Fields | null {
  let changes: Fields | null = null;
  for (const key in after) {
    if (after[key] === before[key]) continue;
    changes ??= {};
    changes[key] = after[key];
  }
  return changes;
}
