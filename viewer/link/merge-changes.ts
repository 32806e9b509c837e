import type { Snapshot, SnapshotChanges } from '../../contract/types.generated.ts';

/** The field that most changes have: the joint angles. */
export const POSITION = 'servos.telemetry.position';
const TEMPERATURE = 'servos.telemetry.temperature';
const VELOCITY = 'servos.telemetry.velocity';

/** Merges the changes of a state_change event (§6.1): replaces arrays, merges objects by key. */
export function mergeChanges(old: Snapshot, changes: SnapshotChanges): Snapshot {
  return {
    collision_detection: { ...old.collision_detection, ...changes.collision_detection },
    control: { ...old.control, ...changes.control },
    global: { ...old.global, ...changes.global },
    'global.inputs': { ...old['global.inputs'], ...changes['global.inputs'] },
    'global.outputs': { ...old['global.outputs'], ...changes['global.outputs'] },
    scheduler: { ...old.scheduler, ...changes.scheduler },
    [POSITION]: changes[POSITION] ?? old[POSITION],
    [TEMPERATURE]: changes[TEMPERATURE] ?? old[TEMPERATURE],
    [VELOCITY]: changes[VELOCITY] ?? old[VELOCITY],
  };
}
