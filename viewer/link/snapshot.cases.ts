/** Snapshot of a robot at rest, for tests. */
import type { SimActivity, SimStatus, Snapshot } from '../../contract/types.generated.ts';
import type { SimView } from './arm-view.ts';

const digital = { d0: false, d1: false, d2: false, d3: false, ee_d0: false, ee_d1: false };
const analog = { a0: 0, a1: 0, a0_mode: 'voltage', a1_mode: 'voltage' } as const;

export const SNAPSHOT: Snapshot = {
  collision_detection: { enabled: false, sensitivity: 'medium' },
  control: {
    state: 'ready',
    loop_count: 0,
    loop_target: 0,
    toolpath_name: 'Sorting',
    toolpath_hash: 'a',
    run_mode: 'not_running',
  },
  global: { estop: false },
  'global.inputs': { ...digital, ...analog, ee_a0: 0, ee_a1: 0 },
  'global.outputs': { ...digital, ...analog },
  scheduler: { enabled: false, start_time: '00:00:00', stop_time: '00:00:00' },
  'servos.telemetry.position': [0, 0, 0, 0, 0, 0],
  'servos.telemetry.temperature': [40, 40, 40, 40, 40, 40],
  'servos.telemetry.velocity': [0, 0, 0, 0, 0, 0],
};

/** Status of that robot. */
export const STATUS: SimStatus = {
  ...{ tick: 0, now_s: 0, state: 'ready', state_since_s: 0 },
  ...{
    error: null,
    fault: null,
    later_errors: [],
    emergency_stop: null,
    last_stop: null,
    contact: null,
    ignored_contact_joint: null,
    reaction: null,
    activity: null,
  },
};

/** Simulation control without faults, contacts and obstacles. */
export const EMPTY_SIM: SimView = {
  clock: {
    ...{ tick: 0, now_s: 0, date: '2020-01-01T00:00:00.000Z' },
    ...{ pace: 1, paused: false, real_time_factor: 1 },
  },
  ...{ status: null, faults: [], contacts: null, lockLeft_s: null, lockHolder: null },
  ...{
    touches: [],
    obstacles: [],
    cell: null,
    isCellKnown: true,
    cellCheck: null,
    profile: null,
    jointRange: null,
  },
  ...{ modified: null, log: [] },
};

/** A run in the middle of its loop. */
export const RUN_ACTIVITY: SimActivity = {
  ...{
    kind: 'run',
    mode: 'automatic',
    scheduled: false,
    to_start: false,
    step: null,
    waiting: null,
  },
  ...{ loop_time_s: 12, loop_waited_s: 2, loop_remaining_s: 30 },
};
