/** A workflow whose tasks take other times than planned, for tests and benchmarks. */
import { createPrng } from '../../physics/math/prng.ts';

const STEPS = 4;
const TYPES = 4;

/**
 * Plates from a hotel over eight instruments and back, five tasks each; equal at every call.
 * Several groups of plates share a workcell.
 */
export function driftingWorkflow(
  pieces: number,
  { group = 0, groups = 1 }: { readonly group?: number; readonly groups?: number } = {},
): Record<string, unknown> {
  const random = createPrng(7 + group);
  const first = group * pieces + 1;
  const names = Array.from({ length: pieces }, (_, i) => `plate_${first + i}`);
  const tasks: Record<string, unknown> = {};
  names.forEach((plate, i) => {
    for (let step = 0; step <= STEPS; step++) {
      const isLast = step === STEPS;
      const time_estimate = isLast ? 5 : 10 + Math.floor(60 * random());
      const source_task = `${plate}_${step - 1}`;
      const destination_slot = isLast ? first + i : 1 + Math.floor(2 * random());
      const taken = { labware_id: plate, destination_slot };
      tasks[`${plate}_${step}`] = {
        instrument: { type: isLast ? 'hotel' : `type_${Math.floor(TYPES * random())}` },
        action: 'work',
        time_estimate,
        mock_behaviour: { execution_time: Math.round(time_estimate * (0.7 + 0.8 * random())) },
        labware_sources: {
          [plate]:
            step === 0
              ? { ...taken, type: 'stored_labware' }
              : { ...taken, type: 'labware_source', source_task },
        },
      };
    }
  });
  const instruments = Array.from({ length: 2 * TYPES }, (_, i) => {
    return { id: `instrument_${i}`, type: `type_${i % TYPES}`, capacity: 2 };
  });
  return {
    name: 'drifting',
    workflow: {
      labware: names.map((id, i) => ({
        id,
        starting_location: { instrument: 'hotel', slot: first + i },
      })),
      tasks,
    },
    workcell: {
      workcell_id: 'drifting',
      instruments: [
        { id: 'hotel', type: 'hotel', capacity: groups * pieces },
        ...instruments,
        { id: 'arm', type: 'transport' },
      ],
      transport_matrix: { default: 7 },
    },
  };
}
