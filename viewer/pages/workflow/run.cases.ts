/** A running run with its plan (test data). */
import type { RunDetails, WorkflowPlan } from '../../../contract/types.generated.ts';

function planned(start: number, end: number, instrument: string) {
  return { start, end, instrument, labware_in: ['plate'], labware_out: ['plate'] };
}

/** Two moves and three tasks. */
export const PLAN: WorkflowPlan = {
  id: 1,
  makespan: 100,
  lower_bound: 90,
  tasks: {
    fill: planned(10, 30, 'dispenser'),
    warm: planned(40, 90, 'incubator'),
    rest: planned(50, 100, 'incubator'),
  },
  transports: [
    {
      labware_id: 'plate',
      source_instrument_id: 'hotel',
      source_slot: 1,
      destination_instrument_id: 'dispenser',
      destination_slot: 1,
      start: 0,
      end: 10,
    },
    {
      labware_id: 'plate',
      source_instrument_id: 'dispenser',
      source_slot: 1,
      destination_instrument_id: 'incubator',
      destination_slot: 2,
      start: 30,
      end: 40,
    },
  ],
  critical_path: [],
};

/** State at 60 s: filled 5 s late, warming since 47 s, moved twice. */
export const RUN: RunDetails = {
  id: 3,
  workflow_id: 1,
  workcell_id: null,
  violations: [],
  limits: [],
  schedule: null,
  name: 'Assay',
  state: 'started',
  message: '',
  started_at: '2026-11-21T10:00:00.000Z',
  stopped_at: null,
  uses_arm: false,
  pausing: false,
  now_s: 60,
  tasks: [
    {
      id: 'fill',
      state: 'succeeded',
      instrument_id: 'dispenser',
      started_at_s: 12,
      ended_at_s: 35,
      error: '',
    },
    {
      id: 'warm',
      state: 'running',
      instrument_id: 'incubator',
      started_at_s: 47,
      ended_at_s: null,
      error: '',
    },
    {
      id: 'rest',
      state: 'waiting',
      instrument_id: null,
      started_at_s: null,
      ended_at_s: null,
      error: '',
    },
  ],
  labware: [{ labware_id: 'plate', instrument_id: 'incubator', slot: 2 }],
  moves: PLAN.transports.map(({ start, end, ...move }, i) => ({
    ...move,
    started_at_s: start + 2 * i,
    ended_at_s: end + 5 * i,
  })),
  plan: { ...PLAN, makespan: 107, tasks: { ...PLAN.tasks, rest: planned(57, 107, 'incubator') } },
  late: [],
  prompts: [],
  waiting: [{ task_id: 'rest', reasons: ['it is planned for 57 s'], blocked_by: [] }],
};
