/** The causes: what is injected into a view, its sentence, and the calls of its remedies. */

import { describe, expect, it } from 'vitest';
import type { ArmClient } from '../../../contract/client.ts';
import type {
  AddFaultBody,
  RobotStateName,
  SimContact,
  SimStatus,
  WaitCondition,
} from '../../../contract/types.generated.ts';
import { ArmStore } from '../../link/arm-store.ts';
import type { ArmView, SimView } from '../../link/arm-view.ts';
import { mergeChanges } from '../../link/merge-changes.ts';
import { EMPTY_SIM, RUN_ACTIVITY, SNAPSHOT, STATUS } from '../../link/snapshot.cases.ts';
import type { Explanation } from './explanation.ts';
import { explain } from './explanations.ts';

const NOW_S = 83;
const CONTACT: SimContact = {
  ...{ id: 1, at_s: 60, ended_s: null, link: 7, body: 'tool', obstacle: 'crate', detected: true },
  ...{ place: { x: 0.4, y: 0, z: 0.2 }, speed_m_s: 0.2, peak_force_n: 41.2, residual_force_n: 0 },
};
const REACTION: NonNullable<SimStatus['reaction']> = {
  ...{ phase: 'holding', force_n: 12.3, peak_n: 43.4, relieved: 0 },
  ...{ retreated_rad: 0.031, yielded_rad: 0.1 },
};
const INPUT: WaitCondition = {
  ...{ type: 'input', value: true },
  io: { location: 'base', type: 'digital', index: 0 },
};

/** A view in a state that was entered 23 s ago. */
function view(state: RobotStateName, sim: Partial<SimView> = {}, patch: Partial<ArmView> = {}) {
  const snapshot = mergeChanges(SNAPSHOT, { control: { state } });
  const status = { ...STATUS, state, now_s: NOW_S, state_since_s: NOW_S - 23 };
  return {
    ...{ ...new ArmStore().view(), link: 'live' as const, snapshot },
    ...{ sim: { ...EMPTY_SIM, status, ...sim } },
    ...patch,
  };
}

function status(state: RobotStateName, patch: Partial<SimStatus>): { status: SimStatus } {
  return { status: { ...STATUS, state, now_s: NOW_S, state_since_s: NOW_S - 23, ...patch } };
}

const faults = (...all: readonly AddFaultBody[]) => ({
  faults: all.map((fault, i) => ({ id: i + 5, acted: 0, fault })),
});
const contacts = (contact: SimContact) => ({
  contacts: { contacts: [contact], force_limits: [], note: '' },
});
const waiting = (condition: WaitCondition) =>
  status('running', { activity: { ...RUN_ACTIVITY, waiting: { condition, since_s: NOW_S - 23 } } });

/** The emergency stop that these doors engage, beside an open one that does not. */
const doors = (...names: readonly string[]): Partial<SimView> => ({
  ...status('disabled', { emergency_stop: 'wired' }),
  cell: {
    description: {
      name: 'trays',
      controls: [
        ...names.map((name) => ({ kind: 'door' as const, name })),
        { kind: 'door', name: 'hatch', stops: false },
      ],
    },
    state: {
      ...{ objects: [], grippers: [], sensors: [], conveyors: [] },
      controls: [...names, 'hatch'].map((name) => ({ name, active: true })),
    },
    events: [],
  },
});

/** The calls of the first remedy that is one. */
async function callsOf({ remedies }: Explanation): Promise<readonly string[]> {
  const calls: string[] = [];
  const client = new Proxy({} as ArmClient, {
    get: (_, id) => async (body?: object) => calls.push(`${String(id)} ${JSON.stringify(body)}`),
  });
  for (const remedy of remedies) if (remedy.kind === 'call') await remedy.run(client);
  return calls;
}

const detection = (enabled: boolean) =>
  mergeChanges(SNAPSHOT, { collision_detection: { enabled }, control: { state: 'running' } });
const overheated = mergeChanges(SNAPSHOT, {
  control: { state: 'error' },
  'servos.telemetry.temperature': [40, 40, 40, 82, 40, 40],
});
const fault = { kind: 'overheated', joint: 3 } as const;

const CASES: readonly {
  readonly cause: string;
  readonly view: ArmView;
  readonly sentence: string;
  readonly calls?: readonly string[];
}[] = [
  {
    cause: 'emergency_stop',
    view: view('disabled', status('disabled', { emergency_stop: 'simulated' })),
    sentence: 'The emergency stop has been pressed for 0:23.',
    calls: ['setEmergencyStop {"engaged":false}'],
  },
  {
    cause: 'emergency_stop_wired',
    view: view('disabled', status('disabled', { emergency_stop: 'wired' })),
    sentence: 'The emergency stop at the arm has been pressed for 0:23. Release it there.',
    calls: [],
  },
  {
    cause: 'door_open',
    view: view('disabled', doors('front')),
    sentence: 'Door “front” is open; the emergency stop has been engaged for 0:23.',
    calls: ['setCellControl {"control_name":"front"}'],
  },
  {
    cause: 'door_open',
    view: view('disabled', doors('front', 'back')),
    sentence: 'Doors “front” and “back” are open; the emergency stop has been engaged for 0:23.',
    calls: ['setCellControl {"control_name":"front"}', 'setCellControl {"control_name":"back"}'],
  },
  {
    cause: 'joint_fault',
    view: view(
      'error',
      {
        ...status('error', { fault, error: 'Joint 3 is too hot' }),
        ...faults({ kind: 'driver', joint: 3, fault: 'overheated' }),
      },
      { snapshot: overheated },
    ),
    sentence: 'Stopped for 0:23: J4 is too hot; fault 5 was injected.',
    calls: ['clearFault {"fault_id":5}', 'resetErrors undefined'],
  },
  {
    cause: 'joint_fault',
    view: view('error', {
      ...status('error', { fault, error: '', later_errors: ['J1 does not answer', 'J2 is hot'] }),
    }),
    sentence:
      'Stopped for 0:23: J4 is too hot (40.0 °C). After that: J1 does not answer; J2 is hot.',
  },
  {
    cause: 'joint_fault',
    view: view('error', status('error', { fault, error: 'Joint 3 is too hot' }), {
      snapshot: overheated,
    }),
    sentence: 'Stopped for 0:23: J4 is too hot (82.0 °C).',
    calls: ['resetErrors undefined'],
  },
  {
    cause: 'joint_fault',
    view: view('error', {
      ...status('error', { fault: { kind: 'following_error', joint: 2 }, error: '' }),
      ...contacts({ ...CONTACT, detected: false, obstacle: 'part 1', peak_force_n: 160 }),
    }),
    sentence:
      'Stopped for 0:23: J3 does not follow its setpoint: tool touches “part 1”, 160 N at most.',
    calls: ['resetErrors undefined'],
  },
  {
    cause: 'joint_fault',
    view: view('error', {
      ...status('error', { fault: { kind: 'following_error', joint: 2 }, error: '' }),
      ...contacts({ ...CONTACT, ended_s: NOW_S - 25 }),
    }),
    sentence: 'Stopped for 0:23: J3 does not follow its setpoint.',
    calls: ['resetErrors undefined'],
  },
  {
    cause: 'error',
    view: view('error', status('error', { error: 'A setpoint is outside the joint limits' })),
    sentence: 'A setpoint is outside the joint limits. In error for 0:23.',
    calls: ['resetErrors undefined'],
  },
  {
    cause: 'collision',
    view: view('collision', contacts(CONTACT)),
    sentence: 'Collision: tool touches “crate”, 41 N at most. Clear the way, then acknowledge.',
    calls: ['acknowledgeCollision undefined'],
  },
  ...(
    [
      ['braking', ' The arm brakes and feels 12 N (peak 43 N, estimates).'],
      ['retreating', ' The arm goes back along its way and feels 12 N (peak 43 N, estimates).'],
      ['giving way', ' The arm gives way to 12 N (peak 43 N, estimates).'],
      [
        'holding',
        ' The arm went back 1.8° and gave way by 5.7° and holds; it feels 12 N (peak 43 N, estimates).',
      ],
    ] as const
  ).map(([phase, text]) => ({
    cause: 'collision',
    view: view('collision', {
      ...contacts(CONTACT),
      ...status('collision', { reaction: { ...REACTION, phase } }),
    }),
    sentence: `Collision: tool touches “crate”, 41 N at most.${text} Clear the way, then acknowledge.`,
    calls: ['acknowledgeCollision undefined'],
  })),
  {
    cause: 'collision',
    view: view('collision'),
    sentence: 'Collision 0:23 ago: a joint felt a torque that nothing explains.',
    calls: ['acknowledgeCollision undefined'],
  },
  {
    cause: 'collision',
    view: view('collision', status('collision', { contact: { joint: 2, lags: false } })),
    sentence: 'Collision 0:23 ago: J3 felt a torque that nothing explains.',
    calls: ['acknowledgeCollision undefined'],
  },
  {
    cause: 'collision',
    view: view('collision', status('collision', { contact: { joint: 1, lags: true } })),
    sentence:
      'Collision 0:23 ago: J2 stayed behind its goal; something holds it, or its load is too heavy ' +
      'for this speed.',
    calls: ['acknowledgeCollision undefined'],
  },
  {
    cause: 'undetected_contact',
    view: view('running', contacts(CONTACT), { snapshot: detection(false) }),
    sentence:
      'Collision detection is off, and the arm goes on: tool touches “crate”, 41 N at most.',
    calls: ['setCollisionDetection {"enabled":true,"sensitivity":"medium"}'],
  },
  {
    cause: 'lock_of_other',
    view: view('ready', { lockLeft_s: 42 }, { lock: { owner: 'admin', status: 'locked' } }),
    sentence: 'An admin holds the lock, 0:42 left. You are watching until it is free.',
    calls: [],
  },
  {
    cause: 'clock_stopped',
    view: view('running', { clock: { ...EMPTY_SIM.clock, paused: true } }),
    sentence: 'The clock is paused: nothing moves until it runs.',
    calls: ['setClock {"paused":false}'],
  },
  {
    cause: 'clock_stopped',
    view: view('running', { clock: { ...EMPTY_SIM.clock, pace: 'stepped' } }),
    sentence: 'The clock is stepped: time passes only when a client advances it.',
    calls: ['setClock {"pace":1}'],
  },
  {
    cause: 'waits_for_signal',
    view: view('running', waiting(INPUT)),
    sentence: 'Waits until base input 0 is on; 0:23 so far.',
    calls: ['setInputs {"values":{"d0":true}}'],
  },
  {
    cause: 'waits_for_signal',
    view: view(
      'running',
      waiting({ ...INPUT, type: 'output-test', io: { ...INPUT.io, location: 'end_effector' } }),
    ),
    sentence: 'Waits until tool output 0 is on; 0:23 so far.',
    calls: ['changeGlobals {"changes":[{"key":"outputs.ee_d0","value":true}]}'],
  },
  {
    cause: 'stuck_input',
    view: view('running', {
      ...waiting(INPUT),
      ...faults({ kind: 'stuck_input', input: 'd1' }, { kind: 'stuck_input', input: 'd0' }),
    }),
    sentence: 'Waits until base input 0 is on, but injected fault 6 holds it.',
    calls: ['clearFault {"fault_id":6}'],
  },
  {
    cause: 'waits_for_time',
    view: view('running', waiting({ type: 'time', duration: 30 })),
    sentence: 'Waits 30.0 s, 7.0 s left.',
  },
  {
    cause: 'paused',
    view: view('paused'),
    sentence: 'Paused for 0:23.',
    calls: ['resume undefined'],
  },
  {
    cause: 'backdriving',
    view: view('backdriving'),
    sentence: 'The backdriving button has been pressed for 0:23; the arm can be guided.',
    calls: ['setButtons {"backdriving":false}'],
  },
  {
    cause: 'workflow_has_arm',
    view: view(
      'ready',
      {},
      { workflow: { run_id: 3, name: 'Assay', waiting: 'the reader is busy' } },
    ),
    sentence: 'Workflow run 3, “Assay”, has the arm. Its next task waits: the reader is busy.',
  },
  {
    cause: 'clock_slow',
    view: view('running', { clock: { ...EMPTY_SIM.clock, pace: 0.1 } }),
    sentence: 'Late because the clock runs at 0.10× real time.',
    calls: ['setClock {"pace":1}'],
  },
  {
    cause: 'slow_fault',
    view: view('ready', faults({ kind: 'reply', path: '/api/v1/*', effect: 'delay', delay_s: 2 })),
    sentence: 'Replies to /api/v1/* come 2 s late: injected fault 5.',
    calls: ['clearFault {"fault_id":5}'],
  },
  {
    cause: 'slow_fault',
    view: view('ready', faults({ kind: 'slow_planner', delay_s: 0.5 })),
    sentence: 'Plans take 0.5 s longer: injected fault 5.',
  },
  {
    cause: 'ignored_collision',
    view: view('ready', status('ready', { ignored_contact_joint: 2 })),
    sentence: 'Collision detection is off: a collision at J3 has no effect.',
    calls: ['setCollisionDetection {"enabled":true,"sensitivity":"medium"}'],
  },
  {
    cause: 'stops_after_loop',
    view: view('stopping', status('stopping', { activity: RUN_ACTIVITY })),
    sentence: 'Stops at the end of this loop, in 0:30 if nothing changes.',
  },
  {
    cause: 'shown_problem',
    view: view(
      'ready',
      {},
      {
        shown: {
          name: 'Sorter',
          hash: '',
          unsaved: true,
          problem: 'Fix 2 errors',
          load: async () => true,
        },
      },
    ),
    sentence: '“Sorter” cannot run. Fix 2 errors.',
  },
  {
    cause: 'no_toolpath',
    view: view(
      'ready',
      {},
      { snapshot: mergeChanges(SNAPSHOT, { control: { toolpath_hash: '' } }) },
    ),
    sentence: 'No toolpath is loaded. Run a sample:',
  },
  {
    cause: 'schedule',
    view: view(
      'ready',
      {},
      {
        snapshot: mergeChanges(SNAPSHOT, {
          scheduler: { enabled: true, start_time: '08:00:00', stop_time: '17:00:00' },
        }),
      },
    ),
    sentence: 'The daily schedule runs the loaded toolpath from 08:00:00 to 17:00:00.',
    calls: ['setScheduler {"enabled":false}'],
  },
];

const PART = {
  ...{ name: 'part 1', position: { x: 0, y: 0, z: 0 }, orientation: { w: 1, x: 0, y: 0, z: 0 } },
  ...{ status: 'resting' as const, at: 'B1', held_by: null },
};
/** A cell whose parts begin in the nests A1 to A3, and are in these places now. */
const cellWith = (...places: readonly string[]): Partial<SimView> => ({
  cell: {
    description: {
      name: 'trays',
      objects: places.map((_, i) => ({
        name: `part ${i + 1}`,
        shape: { kind: 'tube', diameter_m: 0.01, height_m: 0.1 },
        mass_kg: 0.1,
        nest: `A${i + 1}`,
      })),
    },
    state: {
      ...{ grippers: [], sensors: [], conveyors: [], controls: [] },
      objects: places.map((at, i) => ({ ...PART, name: `part ${i + 1}`, at })),
    },
    events: [],
  },
});

describe('parts that an earlier run has moved', () => {
  const put = (found: readonly Explanation[]) =>
    found.flatMap(({ remedies }) => remedies.map(({ label }) => label));

  it('are named while the arm is idle, and offered to be put back', async () => {
    const [found, ...more] = explain(view('ready', cellWith('B1', 'A2')));
    expect(more).toEqual([]);
    expect(found!.sentence).toBe('“part 1” is not in its nest: a run may miss it.');
    expect(await callsOf(found!)).toEqual(['getCell undefined']);
    const [three] = explain(view('ready', cellWith('B1', 'B2', 'B3')));
    expect(three!.sentence).toMatch(/^“part 1”, “part 2” and 1 more are not in their nests/);
  });

  it('are a remedy of an error too', () => {
    expect(put(explain(view('error', cellWith('B1'))))).toEqual([
      'Reset errors',
      'Put the parts back',
    ]);
    expect(put(explain(view('collision', cellWith('B1'))))).toContain('Put the parts back');
    expect(put(explain(view('error', cellWith('A1'))))).toEqual(['Reset errors']);
  });

  it('are left alone in their nests, in a run, and on the deck of a workflow', () => {
    const workflow = { run_id: 1, name: 'Assay', waiting: '' };
    expect(explain(view('ready', cellWith('A1')))).toEqual([]);
    expect(put(explain(view('running', cellWith('B1'))))).toEqual([]);
    expect(put(explain(view('ready', cellWith('B1'), { workflow })))).toEqual(['Open it']);
  });
});

describe.each(CASES)('$cause: $sentence', ({ cause, view: injected, sentence, calls }) => {
  it('is the only explanation, and its remedies call the API', async () => {
    const found = explain(injected);
    expect(found.map((one) => [one.cause, one.sentence])).toEqual([[cause, sentence]]);
    if (calls) expect(await callsOf(found[0]!)).toEqual(calls);
  });

  it('is not guessed while the link is stale', () => {
    expect(explain({ ...injected, link: 'stale' }).map((one) => one.cause)).not.toContain(cause);
  });
});

it('explains nothing where nothing stops the robot', () => {
  expect(explain(view('ready'))).toEqual([]);
  expect(explain(view('running', status('running', { activity: RUN_ACTIVITY })))).toEqual([]);
});

it('does not warn of a replay, whose button says why it is off', () => {
  const replay = {
    ...{ name: 'Run 1 of Sorter', hash: '', unsaved: false, load: async () => true },
    problem: 'A replay shows a run: open its toolpath first',
  };
  expect(explain(view('ready', {}, { shown: { ...replay, isReplay: true } }))).toEqual([]);
  // Nor has a check that takes a moment.
  expect(explain(view('ready', {}, { shown: { ...replay, isChecking: true } }))).toEqual([]);
  expect(explain(view('ready', {}, { shown: replay }))).toHaveLength(1);
});

it('names the most urgent cause first, and the joint and the place to mark', () => {
  const stopped = view('error', {
    ...status('error', { fault, error: '' }),
    ...faults({ kind: 'driver', joint: 3, fault: 'lost' }, { kind: 'slow_planner', delay_s: 1 }),
    clock: { ...EMPTY_SIM.clock, paused: true },
  });
  const found = explain(stopped);
  expect(found.map(({ cause }) => cause)).toEqual(['joint_fault', 'clock_stopped', 'slow_fault']);
  expect(found[0]!.joint).toBe(3);
  const [collision] = explain(view('collision', contacts(CONTACT)));
  expect(collision!.place).toEqual(CONTACT.place);
});
