/** The sample definition: a plate is read and put back. */
export const SAMPLE = {
  name: 'Read a plate',
  workflow: {
    labware: [{ id: 'plate', starting_location: { instrument: 'hotel', slot: 1 } }],
    tasks: {
      read: {
        id: 'read',
        instrument: { type: 'reader' },
        action: 'read',
        time_estimate: 60,
        labware_sources: { plate: { type: 'stored_labware', labware_id: 'plate', slot: 1 } },
      },
      store: {
        id: 'store',
        instrument: { type: 'hotel' },
        action: 'store',
        time_estimate: 5,
        labware_sources: {
          plate: { type: 'labware_source', labware_id: 'plate', source_task: 'read' },
        },
      },
    },
    hooks: [],
  },
  workcell: {
    workcell_id: 'bench',
    instruments: [
      { id: 'hotel', name: 'Plate hotel', type: 'hotel', bench: 'a', capacity: 10 },
      { id: 'reader', name: 'Reader', type: 'reader', bench: 'a' },
    ],
    transport_matrix: { default: 15 },
  },
} as const;
