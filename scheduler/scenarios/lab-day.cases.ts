/**
 * A small lab for scripted days: a hotel, one of each instrument, a rack, and moves of 5 s. Each
 * plate goes from the hotel through its steps and is parked in the rack.
 */

/** Instrument, time (s), and what else the task says; an `execution_time` makes the twin differ. */
type DayStep = readonly [instrument: string, time_s: number, rest?: DayStepRest];

interface DayStepRest extends Record<string, unknown> {
  readonly execution_time?: number;
  /** The slot of the instrument; 1 if absent. */
  readonly slot?: number | 'any';
}

/** The steps of each plate. */
export type DaySteps = Readonly<Record<string, readonly DayStep[]>>;

const PARK: DayStep = ['rack', 1];
const CELL = ['washer', 'reader', 'shaker', 'sealer', 'incubator', 'centrifuge'];

interface DayOptions {
  /** Merged into instruments by their ids. */
  readonly instruments?: Readonly<Record<string, object>>;
  /** Instruments besides. */
  readonly more?: readonly object[];
  /** Merged into the workflow. */
  readonly workflow?: object;
}

/** The slot of a plate in hotel and rack: that of the number in its name. */
const slotOf = (plate: string) => Number(/\d+$/.exec(plate)?.[0] ?? 1);

function tasksOf(plate: string, steps: readonly DayStep[]) {
  return [...steps, PARK].map(
    ([type, time_estimate, { execution_time, slot = 1, ...rest } = {}], i, all) => {
      const source_task = `${plate}_${all[i - 1]?.[0]}`;
      const from = i === 0 ? { type: 'stored_labware' } : { type: 'labware_source', source_task };
      const named = type === 'rack' ? slotOf(plate) : slot;
      const destination_slot = named === 'any' ? {} : { destination_slot: named };
      const need = { ...from, labware_id: plate, ...destination_slot };
      const task = {
        instrument: { type },
        action: type,
        time_estimate,
        ...(execution_time !== undefined && { mock_behaviour: { execution_time } }),
        labware_sources: { [plate]: need },
        ...rest,
      };
      return [`${plate}_${type}`, task] as const;
    },
  );
}

/** The definition of a day. */
export function labDay(steps: DaySteps, options: DayOptions = {}): Record<string, unknown> {
  const plates = Object.keys(steps);
  const given = (id: string) => options.instruments?.[id] ?? {};
  return {
    name: `day of ${plates.join(' ')}`,
    workflow: {
      labware: plates.map((id) => {
        return { id, starting_location: { instrument: 'hotel', slot: slotOf(id) } };
      }),
      tasks: Object.fromEntries(plates.flatMap((plate) => tasksOf(plate, steps[plate]!))),
      ...options.workflow,
    },
    workcell: {
      workcell_id: 'day',
      instruments: [
        { id: 'hotel', type: 'hotel', capacity: 10, ...given('hotel') },
        ...CELL.map((id) => ({ id, type: id, ...given(id) })),
        { id: 'rack', type: 'rack', capacity: 10, ...given('rack') },
        ...(options.more ?? []),
        { id: 'arm', type: 'transport' },
      ],
      transport_matrix: { default: 5 },
    },
  };
}
