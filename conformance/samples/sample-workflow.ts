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

/**
 * The sample workflow with a branch: the plate is read if the wash says that it is ready, and goes back
 * to the hotel only if its `od` is within bounds; the reader returns 0.2 first.
 */
export function branchedWorkflow(bounds: object, wash: object = {}) {
  const { workflow, workcell, ...rest } = sampleWorkflow();
  const { tasks } = workflow;
  const data_outputs = { od: { values: [0.2, 0.9], order: 'listed' } };
  const isReady = { task_id: 'wash', output: 'kind', equals: 'ready', not_equals: 'spoilt' };
  const source = { ...need, type: 'labware_source', source_task: 'read' };
  return {
    ...rest,
    workflow: {
      ...workflow,
      tasks: {
        wash: { ...tasks.wash, mock_behaviour: { data_outputs: { kind: 'ready' } }, ...wash },
        read: { ...tasks.read, only_if: [isReady] },
        store: {
          instrument: { type: 'hotel' },
          action: 'store',
          time_estimate: 1,
          labware_sources: { plate: source },
          only_if: [{ task_id: 'read', output: 'od', ...bounds }],
        },
      },
    },
    workcell: {
      ...workcell,
      instruments: workcell.instruments.map((one) =>
        one.id === 'reader' ? { ...one, data_outputs } : one,
      ),
    },
  };
}

/** The sample workflow on one instrument with a rack of tips in slot 4, of which each task takes 4. */
export function supplyWorkflow(tips: { readonly units: number; readonly refill?: string }) {
  const { workflow, workcell, ...rest } = sampleWorkflow();
  const { wash, read } = workflow.tasks;
  const taken = { type: 'consumable', labware_id: 'tips', units_consumed: 4 } as const;
  const task = (one: typeof wash | typeof read) => ({
    ...one,
    instrument: { type: 'deck' },
    labware_sources: { ...one.labware_sources, tips: taken },
  });
  const rack = { id: 'tips', starting_location: { instrument: 'deck', slot: 4 }, ...tips };
  const [hotel, , , arm] = workcell.instruments;
  return {
    ...rest,
    workflow: {
      ...workflow,
      labware: [...workflow.labware, rack],
      tasks: { wash: task(wash), read: task(read) },
    },
    workcell: { ...workcell, instruments: [hotel!, { id: 'deck', type: 'deck', slots: 4 }, arm!] },
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
