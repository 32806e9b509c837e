import { type HookKind, isListed } from './hook-kind.ts';

/** A piece of labware is picked up, put down, or its move fails. */
export const labwareMovement: HookKind<'LabwareMovementHook'> = {
  title: 'Labware moved',
  filter: 'on_labware_movement',
  ownMembers: ['labware_ids', 'trigger_on'],
  fields: [
    'run_id',
    'timestamp',
    'labware_id',
    'state',
    'source_instrument_id',
    'destination_instrument_id',
    'source_slot',
    'destination_slot',
  ],
  matches({ labware_ids, trigger_on = 'both' }, { labware_id, state }) {
    const isStart = state === 'started';
    const fits = trigger_on === 'both' || (trigger_on === 'start') === isStart;
    return fits && isListed(labware_ids, labware_id);
  },
  sample: {
    labware_id: 'test',
    state: 'started',
    source_instrument_id: 'test',
    destination_instrument_id: 'test',
    source_slot: 1,
    destination_slot: 1,
  },
  span: {
    subjectOf: ({ labware_id }) => labware_id,
    isBegin: ({ state }) => state === 'started',
    failed: (begin) => ({ ...begin, state: 'failed' }),
  },
};
