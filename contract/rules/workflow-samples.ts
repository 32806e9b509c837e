/** The workflow that rules send: a plate through a washer and a reader, without the arm. */
import type { Hook } from '../types.ts';

/** A hook to an address where nobody listens. */
export const SILENT_HOOK = { parameters: { url: 'http://127.0.0.1:9/hooks' } } as const;

/** Work of the sample (s): two moves of 1 s, two tasks. */
export const WORK_S = 18;

const need = { labware_id: 'plate', destination_slot: 1 } as const;
const available_failure_actions = { retry: true, ignore: true };

/** A valid definition. */
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
