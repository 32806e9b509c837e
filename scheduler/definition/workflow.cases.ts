/** Workflows for tests with a hotel, a washer and a reader. */
import type { Hook } from '../../contract/types.generated.ts';

interface Options {
  readonly plates?: number;
  readonly url?: string;
  readonly hooks?: readonly Hook[];
  /** Merged into every task. */
  readonly task?: Record<string, unknown>;
}

/** One hook of each type to one address. */
export function hooksTo(url: string): Hook[] {
  const parameters = { url };
  return [
    { type: 'RunStateChangeHook', parameters },
    { type: 'TaskStateChangeHook', parameters },
    { type: 'SafetyStateChangeHook', parameters },
    { type: 'LabwareMovementHook', parameters },
    { type: 'NewPlanHook', parameters },
  ];
}

function tasksOf(
  plate: string,
  slot: number,
  rest: Record<string, unknown>,
): Record<string, unknown> {
  const wash = `wash_${plate}`;
  const read = `read_${plate}`;
  const need = { labware_id: plate, destination_slot: 1 };
  return {
    [wash]: {
      id: wash,
      instrument: { type: 'washer' },
      action: 'wash',
      time_estimate: 20,
      labware_sources: { [plate]: { ...need, type: 'stored_labware' } },
      ...rest,
    },
    [read]: {
      id: read,
      instrument: { type: 'reader' },
      action: 'read',
      time_estimate: 30,
      labware_sources: {
        [plate]: { ...need, type: 'labware_source', source_task: wash, destination_slot: slot },
      },
      ...rest,
    },
  };
}

/** A definition with moves of 5 s and a reader slot for each plate. */
export function washAndRead({ plates = 1, url, hooks, task = {} }: Options = {}) {
  const names = Array.from({ length: plates }, (_, i) => `plate_${i + 1}`);
  return {
    name: 'wash and read',
    workflow: {
      labware: names.map((id, i) => ({
        id,
        starting_location: { instrument: 'hotel', slot: i + 1 },
      })),
      tasks: Object.assign({}, ...names.map((name, i) => tasksOf(name, i + 1, task))) as object,
      hooks: hooks ?? (url ? hooksTo(url) : []),
    },
    workcell: {
      workcell_id: 'test',
      instruments: [
        { id: 'hotel', type: 'hotel', bench: 'a', capacity: 10 },
        { id: 'washer', type: 'washer', bench: 'a' },
        { id: 'reader', type: 'reader', bench: 'a', capacity: plates },
        { id: 'arm', type: 'transport', bench: 'a' },
      ],
      transport_matrix: { default: 5 },
    },
  };
}
