/** Workcells for disturbed runs: random ones, and one that the twin's arm serves. */

import type { Prng } from '../../physics/math/prng.ts';
import { roundTrips } from './assay.cases.ts';
import type { MonitoredWorkcell } from './event-monitor.cases.ts';

interface RandomDefinition {
  readonly [name: string]: unknown;
  readonly workflow: {
    readonly labware: readonly { readonly id: string }[];
    readonly tasks: Readonly<Record<string, object>>;
    readonly time_constraints: readonly TaskLimit[];
  };
}

interface TaskLimit {
  readonly id: string;
  readonly start_task_id: string;
}

export interface RandomWorkcell extends MonitoredWorkcell {
  readonly definition: RandomDefinition;
  readonly tasks: readonly string[];
  /** The plate of a task. */
  readonly plateOf: (task: string) => string;
}

const POLICIES = ['continue', 'pause', 'abort_labware', 'stop'];
const RACK = { id: 'rack', type: 'rack', capacity: 2, role: 'buffer' };

/** A limit from the first to the last task of a plate, with any policy. */
function randomLimit(plate: string, count: number, random: Prng): TaskLimit {
  const ends = { start_task_id: `${plate}_0`, end_task_id: `${plate}_${count - 1}` };
  const on_violation = POLICIES[Math.floor(POLICIES.length * random())];
  const limit = { type: 'start_to_end', max_duration: 140, on_violation };
  return { id: `limit_${plate}`, ...ends, ...limit };
}

/** Plates from a hotel over instruments with one slot a plate, some with a buffer and limits. */
export function randomWorkcell(random: Prng): RandomWorkcell {
  const whole = (most: number) => Math.floor(random() * most);
  const [pieces, kinds] = [2 + whole(3), 2 + whole(2)];
  const labware = Array.from({ length: pieces }, (_, i) => `plate_${i + 1}`);
  const tasks: Record<string, object> = {};
  const constraints: TaskLimit[] = [];
  labware.forEach((plate, i) => {
    const count = 1 + whole(3);
    for (let step = 0; step < count; step++) {
      const need = { labware_id: plate, destination_slot: i + 1 };
      const source =
        step === 0
          ? { ...need, type: 'stored_labware' }
          : { ...need, type: 'labware_source', source_task: `${plate}_${step - 1}` };
      const time_estimate = 5 + whole(20);
      tasks[`${plate}_${step}`] = {
        instrument: { type: `kind_${whole(kinds)}` },
        action: 'work',
        time_estimate,
        mock_behaviour: { execution_time: Math.ceil(time_estimate * (0.7 + 0.8 * random())) },
        labware_sources: { [plate]: source },
        available_failure_actions: { ignore: true },
      };
    }
    if (random() < 0.4) constraints.push(randomLimit(plate, count, random));
  });
  const instruments = Array.from({ length: kinds }, (_, i) => {
    return { id: `instrument_${i}`, type: `kind_${i}`, capacity: pieces };
  });
  return {
    definition: {
      name: 'random',
      workflow: {
        labware: labware.map((id, i) => {
          return { id, starting_location: { instrument: 'hotel', slot: i + 1 } };
        }),
        tasks,
        time_constraints: constraints,
      },
      workcell: {
        workcell_id: 'random',
        instruments: [
          { id: 'hotel', type: 'hotel', capacity: pieces },
          ...instruments,
          ...(random() < 0.5 ? [RACK] : []),
          { id: 'arm', type: 'transport' },
        ],
        transport_matrix: { default: 4 },
      },
    },
    starts: new Map(labware.map((id, i) => [id, `hotel/${i + 1}`])),
    capacities: new Map(instruments.map(({ id, capacity }) => [id, capacity])),
    tasks: Object.keys(tasks),
    plateOf: (task) => task.replace(/_\d+$/, ''),
  };
}

/** Three plates on round trips that the twin's arm carries. */
export function armWorkcell(): RandomWorkcell {
  const definition = roundTrips([1, 2, 3]);
  const { tasks, labware } = definition.workflow;
  const plates = labware as readonly { readonly id: string }[];
  const workflow = { labware: plates, tasks, time_constraints: [] };
  return {
    definition: { ...definition, workflow },
    starts: new Map(plates.map(({ id }, i) => [id, `hotel/${i + 1}`])),
    capacities: new Map([
      ['dispenser', 1],
      ['washer', 1],
      ['hotel', 3],
    ]),
    tasks: Object.keys(tasks),
    plateOf: (task) => `plate_${task.at(-1)}`,
  };
}

/** The part of a random definition with some of its plates, as a run of its own. */
export function partOf({ definition, plateOf }: RandomWorkcell, plates: readonly string[]): object {
  const { labware, tasks, time_constraints } = definition.workflow;
  const isOwn = (name: string) => plates.includes(plateOf(name));
  const workflow = {
    labware: labware.filter(({ id }) => plates.includes(id)),
    tasks: Object.fromEntries(Object.entries(tasks).filter(([id]) => isOwn(id))),
    time_constraints: time_constraints.filter((one) => isOwn(one.start_task_id)),
  };
  return { ...definition, workflow };
}
