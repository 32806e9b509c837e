/** A workflow without the arm, for rules. */
import type { Hook } from '../../contract/types.generated.ts';

/** A hook to a port without a listener. */
export const UNREACHABLE_HOOK = { parameters: { url: 'http://127.0.0.1:9/hooks' } } as const;

/** Duration of the sample workflow (s): two moves of 1 s, two tasks. */
export const WORK_S = 18;

const need = { labware_id: 'plate', destination_slot: 1 } as const;
const available_failure_actions = {
  retry: true,
  ignore: true,
  complete_manually: true,
  max_retries: 2,
};

/** A valid workflow: a plate goes through a washer and a reader. */
export function sampleWorkflow({ hooks = [] }: { readonly hooks?: readonly Hook[] } = {}) {
  return {
    name: 'rules workflow',
    workflow: {
      labware: [{ id: 'plate', starting_location: { instrument: 'hotel', slot: 1 } }],
      tasks: {
        wash: {
          instrument: { type: 'washer' },
          action: 'wash',
          time_estimate: 10,
          labware_sources: { plate: { ...need, type: 'stored_labware' } },
          available_failure_actions,
        },
        read: {
          instrument: { type: 'reader' },
          action: 'read',
          time_estimate: 6,
          labware_sources: { plate: { ...need, type: 'labware_source', source_task: 'wash' } },
          available_failure_actions,
        },
      },
      hooks: [...hooks],
    },
    workcell: {
      instruments: [
        { id: 'hotel', type: 'hotel', capacity: 4 },
        { id: 'washer', type: 'washer' },
        { id: 'reader', type: 'reader' },
        { id: 'arm', type: 'transport' },
      ],
      transport_matrix: { default: 1 },
    },
  };
}

/** Duration of a spin in `spinWorkflow` (s). */
export const SPIN_S = 10;

/** Two plates that are spun one after the other in slots 1 and 2, or in any; moves take 1 s. */
export function spinWorkflow(centrifuge: object, { isNamed = true } = {}) {
  const spin = (labware_id: string, destination_slot: number, dependencies: string[] = []) => ({
    instrument: { type: 'centrifuge' },
    action: 'spin',
    time_estimate: SPIN_S,
    dependencies,
    labware_sources: {
      [labware_id]: {
        type: 'stored_labware' as const,
        labware_id,
        ...(isNamed && { destination_slot }),
      },
    },
  });
  const plate = (id: string, slot: number) => {
    return { id, starting_location: { instrument: 'hotel', slot } };
  };
  return {
    name: 'rules spins',
    workflow: {
      labware: [plate('plate', 1), plate('other', 2)],
      tasks: { first: spin('plate', 1), second: spin('other', 2, ['first']) },
    },
    workcell: {
      instruments: [
        { id: 'hotel', type: 'hotel', capacity: 4 },
        { id: 'centrifuge', type: 'centrifuge', slots: 2, max_tasks: 1, ...centrifuge },
        { id: 'arm', type: 'transport' },
      ],
      transport_matrix: { default: 1 },
    },
  };
}
