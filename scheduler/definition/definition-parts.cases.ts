/** Definitions that are made of what a test says, with their findings. */
import { checkDefinition } from './checked-definition.ts';
import type { WorkflowModel } from './workflow-model.ts';

export const INSTRUMENTS = [
  { id: 'arm', type: 'transport' },
  { id: 'hotel', type: 'hotel', bench: 'a', capacity: 9 },
  { id: 'r1', type: 'reader', bench: 'b', capacity: 2, mappings: ['x', 'y'] },
  { id: 'r2', type: 'reader', bench: 'c' },
  { id: 'bin', type: 'bin', is_slotless_container: true },
];
export const HOME = [0, 0.5, -1.7, 0, -1.2, 0];
export const POSES = { approach: HOME, grip: HOME };

export interface Given {
  readonly tasks?: Record<string, object>;
  readonly labware?: readonly (readonly [id: string, instrument: string, slot: number])[];
  readonly instruments?: readonly object[];
  readonly matrix?: object | null;
  /** Merged into the workflow. */
  readonly workflow?: object;
}

/** A definition with two pieces in the hotel. */
function documentOf(given: Given) {
  const { tasks = {}, instruments = INSTRUMENTS, matrix = { default: 5 } } = given;
  const labware = given.labware ?? [
    ['p', 'hotel', 1],
    ['q', 'hotel', 2],
  ];
  const pieces = labware.map(([id, instrument, slot]) => {
    return { id, starting_location: { instrument, slot } };
  });
  const workcell = { instruments, ...(matrix && { transport_matrix: matrix }) };
  return { name: 'one', workcell, workflow: { labware: pieces, tasks, ...given.workflow } };
}

export function checked(given: Given, deck: { readonly held: string | null } | null = null) {
  const { errors, warnings, model, definition } = checkDefinition(documentOf(given), deck);
  const found = errors.map(({ path, message }) => `${path} ${message}`);
  return { errors: found, paths: errors.map(({ path }) => path), warnings, model, definition };
}

/** The model of a definition without errors. */
export function modelOf(given: Given): WorkflowModel {
  const { model, errors } = checked(given);
  if (!model) throw new Error(errors.join());
  return model;
}

export const at = (task: string) => `/workflow/tasks/${task}`;
export const taskOf = (type: string, rest: object = {}) => {
  return { instrument: { type }, action: 'act', time_estimate: 20, ...rest };
};
export const stored = (labware_id: string, rest: object = {}) => {
  return { type: 'stored_labware', labware_id, ...rest };
};
export const from = (source_task: string, labware_id: string, rest: object = {}) => {
  return { type: 'labware_source', labware_id, source_task, ...rest };
};
export const reads = (...needs: object[]) => taskOf('reader', { labware_sources: { ...needs } });
