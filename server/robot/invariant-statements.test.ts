/** Each statement of the invariant monitor holds and is violated on each side of its boundary. */
import { describe, expect, it } from 'vitest';
import { activityOf } from './invariant-monitor.cases.ts';
import {
  type EventDelivery,
  fastestJoint_rad_s,
  isStationary,
  STATEMENTS,
  type StatementRow,
  type View,
} from './invariant-statements.ts';
import { createMemory, type RobotMemory } from './memory.ts';
import { ADA, BEN, IdealArm } from './robot-harness.cases.ts';

const ROWS: Readonly<Record<keyof typeof STATEMENTS, StatementRow>> = STATEMENTS;
type Statement = keyof typeof STATEMENTS;

type Changes = Omit<Partial<View>, 'memory'> & { readonly memory?: Partial<RobotMemory> };

/** A robot that is ready and stands, except for what a case changes. */
function viewOf({ memory, ...changes }: Changes = {}): View {
  return {
    memory: { ...createMemory(), ...memory },
    feedback: new IdealArm().feedback,
    tick: 1000,
    isMoving: false,
    stood: [true, true],
    still_ticks: 10,
    drift_ticks: 0,
    before: 'ready',
    loops_before: 0,
    isDisturbed: false,
    flange_m_s: 0,
    flangeSetpoint_m_s: 0,
    fastJoint: -1,
    offPath_rad: 0,
    streamProblem: null,
    delivery: null,
    published: null,
    ...changes,
  };
}

const RUN = activityOf('run');
const HOMING = activityOf('home');
const TEACHING = activityOf('run', 'teach');
const lockUntil = (expires_tick: number) => ({ holder: ADA, expires_tick });

function feedbackAt(speed_rad_s: number) {
  const velocity_rad_s = Float64Array.of(0.01, 0, -speed_rad_s, 0, 0.02, 0);
  return { ...new IdealArm().feedback, velocity_rad_s };
}

/** Statement, what is so, and a part of what contradicts it; null where it holds. */
type Case = readonly [Statement, string, Changes, string | null];

const ENTERED = 'ready and paused are entered at standstill';
const AT_REST = 'ready and paused have no motion';
const TASK = 'running, stopping and paused have an activity, other states none';
const MOVES = 'a motion that runs moves, waits or comes to rest';
const OWNER = 'a teach-mode motion has an owner or is being dropped';

const AT_STANDSTILL: readonly Case[] = [
  [ENTERED, 'ready after a standstill', { before: 'running' }, null],
  [ENTERED, 'it stood one tick ago', { before: 'running', stood: [false, true] }, null],
  [ENTERED, 'it stood two ticks ago', { before: 'running', stood: [true, false] }, null],
  [
    ENTERED,
    'ready in motion',
    { before: 'running', stood: [false, false], feedback: feedbackAt(0.25) },
    '0.250 rad/s',
  ],
  [
    ENTERED,
    'paused in motion',
    { memory: { state: 'paused' }, before: 'stopping', stood: [false, false] },
    '0.000 rad/s',
  ],
  [ENTERED, 'it was ready before', { stood: [false, false] }, null],
  [
    ENTERED,
    'it runs in motion',
    { memory: { state: 'running' }, before: 'paused', stood: [false, false] },
    null,
  ],
  [AT_REST, 'ready', {}, null],
  [AT_REST, 'setpoints change', { isMoving: true }, 'setpoints'],
  [AT_REST, 'paused with setpoints', { memory: { state: 'paused' }, isMoving: true }, 'setpoints'],
  [AT_REST, 'it runs', { memory: { state: 'running' }, isMoving: true }, null],
  [AT_REST, 'it drifts for 50 ticks', { drift_ticks: 50, feedback: feedbackAt(0.3) }, null],
  [AT_REST, 'it drifts longer', { drift_ticks: 51, feedback: feedbackAt(0.3) }, '0.300 rad/s'],
  [AT_REST, 'something pushes it', { drift_ticks: 51, isDisturbed: true }, null],
];

const OF_MOTIONS: readonly Case[] = [
  [TASK, 'ready without one', {}, null],
  [TASK, 'ready with one', { memory: { activity: RUN } }, 'run'],
  ...(['running', 'stopping', 'paused'] as const).flatMap((state): Case[] => [
    [TASK, `${state} with one`, { memory: { state, activity: HOMING } }, null],
    [TASK, `${state} without one`, { memory: { state } }, 'none'],
  ]),
  [TASK, 'disabled with one', { memory: { state: 'disabled', activity: HOMING } }, 'home'],
  [MOVES, 'a run waits', { memory: { state: 'running', activity: RUN } }, null],
  [MOVES, 'ready', {}, null],
  [MOVES, 'homing stands', { memory: { state: 'running', activity: HOMING } }, 'nothing'],
  [MOVES, 'no task', { memory: { state: 'running' } }, 'nothing'],
  [MOVES, 'for two', { memory: { state: 'running', activity: HOMING }, still_ticks: 2 }, 'nothing'],
  [MOVES, 'for one', { memory: { state: 'running', activity: HOMING }, still_ticks: 1 }, null],
  [MOVES, 'stopping', { memory: { state: 'stopping', activity: HOMING } }, null],
  [
    MOVES,
    'it ends',
    { memory: { state: 'running', activity: HOMING, ending: 'motion_finished' } },
    null,
  ],
  [
    MOVES,
    'a pause is awaited',
    { memory: { state: 'running', activity: HOMING, awaited: 'pause' } },
    null,
  ],
];

const OF_OWNERS: readonly Case[] = [
  [OWNER, 'no motion', {}, null],
  [OWNER, 'locked', { memory: { activity: TEACHING, lock: lockUntil(2000) } }, null],
  [OWNER, 'without a lock', { memory: { activity: TEACHING } }, 'teach'],
  [OWNER, 'it brakes', { memory: { teach_braking: true } }, 'teach'],
  [OWNER, 'automatic mode', { memory: { activity: RUN } }, null],
  [OWNER, 'dropped', { memory: { activity: TEACHING, ending: 'motion_dropped' } }, null],
  [OWNER, 'finished', { memory: { activity: TEACHING, ending: 'motion_finished' } }, 'teach'],
  ['a held lock is not expired', 'no lock', {}, null],
  ['a held lock is not expired', 'now', { memory: { lock: lockUntil(1000) } }, null],
  ['a held lock is not expired', 'one tick ago', { memory: { lock: lockUntil(999) } }, null],
  ['a held lock is not expired', 'two ago', { memory: { lock: lockUntil(998) } }, '998'],
];

const CAP = 'the flange keeps to the cap of the mode';
const automatic = { memory: { activity: RUN } };
const teach = { memory: { activity: TEACHING } };

/** The caps are 1.5 m/s and 0.25 m/s, with a slack of 2 %. */
const OF_SPEED: readonly Case[] = [
  [CAP, 'automatic mode, below', { ...automatic, flange_m_s: 1.529 }, null],
  [CAP, 'automatic mode, at the cap', { ...automatic, flange_m_s: 1.02 * 1.5 }, null],
  [CAP, 'automatic mode, above', { ...automatic, flange_m_s: 1.531 }, '1.531 m/s'],
  [CAP, 'the setpoint above', { ...automatic, flangeSetpoint_m_s: 1.531 }, '1.531 m/s'],
  [CAP, 'teach mode, below', { ...teach, flange_m_s: 0.254 }, null],
  [CAP, 'teach mode, above', { ...teach, flange_m_s: 0.256, flangeSetpoint_m_s: 0.2 }, '0.256'],
  [CAP, 'pushed', { ...teach, flange_m_s: 1, isDisturbed: true }, null],
  [CAP, 'pushed, setpoint', { ...teach, flangeSetpoint_m_s: 1, isDisturbed: true }, '1.000'],
  [CAP, 'guided by hand', { flange_m_s: 3 }, null],
  ['setpoints keep to the joint speeds', 'none is fast', {}, null],
  ['setpoints keep to the joint speeds', 'the first', { fastJoint: 0 }, 'J1'],
  ['setpoints keep to the joint speeds', 'the last', { fastJoint: 5 }, 'J6'],
  ['setpoints lie on the planned path', 'on it', {}, null],
  ['setpoints lie on the planned path', 'beside it', { offPath_rad: 2e-5 }, '2.0e-5 rad'],
];

const LOOPS = 'loops are counted one by one, up to the target';
const STOP = 'an emergency stop disables the robot';
const AWAITED = 'an awaited command is allowed';
const STREAM = 'the stream and the snapshot agree';

const loops = (loop_count: number, loop_target: number, loops_before: number): Changes => ({
  memory: { loop_count, loop_target },
  loops_before,
});

const OF_STATE: readonly Case[] = [
  [LOOPS, 'none', {}, null],
  [LOOPS, 'the last one', loops(3, 3, 2), null],
  [LOOPS, 'above the target', loops(4, 3, 3), 'exceeded'],
  [LOOPS, 'one of one', loops(1, 1, 0), null],
  [LOOPS, 'two of one', loops(2, 1, 1), 'exceeded'],
  [LOOPS, 'without a target', loops(4, 0, 3), null],
  [LOOPS, 'no change', loops(2, 0, 2), null],
  [LOOPS, 'from the start again', loops(0, 3, 2), null],
  [LOOPS, 'backwards', loops(1, 3, 2), '2'],
  ['an error has a cause', 'no error', {}, null],
  ['an error has a cause', 'with a cause', { memory: { state: 'error', error: 'Hot' } }, null],
  ['an error has a cause', 'without one', { memory: { state: 'error' } }, 'no cause'],
  [STOP, 'not pressed', {}, null],
  [STOP, 'pressed', { memory: { estop: true } }, 'pressed'],
  [STOP, 'in an error', { memory: { estop: true, state: 'error' } }, 'pressed'],
  ...(['disabled', 'updating', 'shutting_down'] as const).map(
    (state): Case => [STOP, state, { memory: { estop: true, state } }, null],
  ),
  [AWAITED, 'none', {}, null],
  [AWAITED, 'allowed', { memory: { awaited: 'pause', state: 'running' } }, null],
  [AWAITED, 'refused', { memory: { awaited: 'pause' } }, 'pause'],
  [STREAM, 'nothing published', {}, null],
  [STREAM, 'the same', { published: 'ready' }, null],
  [STREAM, 'another', { published: 'running' }, 'ready'],
  ['the changes on the stream add up to the snapshot', 'no difference', {}, null],
  [
    'the changes on the stream add up to the snapshot',
    'a difference',
    { streamProblem: 'global.estop' },
    'global.estop',
  ],
];

describe('a statement on each side of its boundary', () => {
  const cases = [...AT_STANDSTILL, ...OF_MOTIONS, ...OF_OWNERS, ...OF_SPEED, ...OF_STATE];

  it.each(cases)('%s: %s', (...row) => {
    const [statement, , changes, contradiction] = row;
    const found = ROWS[statement][1](viewOf(changes));
    if (contradiction === null) expect(found).toBeNull();
    else expect(found).toContain(contradiction);
  });
});

describe('the published side', () => {
  const others = Object.keys(ROWS) as Statement[];
  const special: Partial<Record<Statement, string>> = {
    [OWNER]: 'locked',
    'a held lock is not expired': 'locked',
    [CAP]: 'teach',
    [LOOPS]: 'loop 2 of 3',
    [STREAM]: 'running',
    'an event reaches its audience alone': 'backdriving',
  };

  it.each(others)('of: %s', (statement) => {
    const audience = { kind: 'token', token_id: 1 };
    const view = viewOf({
      memory: {
        state: 'stopping',
        activity: TEACHING,
        lock: lockUntil(2000),
        loop_count: 2,
        loop_target: 3,
      },
      published: 'running',
      delivery: { type: 'backdriving', audience, receiver: null },
    });
    expect(ROWS[statement][0](view)).toBe(special[statement] ?? 'stopping');
  });

  it.each([
    [OWNER, 'unlocked'],
    ['a held lock is not expired', 'unlocked'],
    [CAP, 'not_running'],
    ['an event reaches its audience alone', ''],
  ] as const)('of a robot at rest: %s', (statement, left) => {
    expect(ROWS[statement][0](viewOf())).toBe(left);
  });
});

describe('the audience of an event', () => {
  const everyone = { kind: 'everyone' };
  const user = (user_id: number) => ({ kind: 'user', user_id });
  const token = (token_id: number) => ({ kind: 'token', token_id });
  const problemOf = (delivery: EventDelivery | null, lock: RobotMemory['lock'] = null) =>
    ROWS['an event reaches its audience alone'][1](viewOf({ memory: { lock }, delivery }));

  it('is not judged without an event', () => {
    expect(problemOf(null)).toBeNull();
  });

  it('is everyone for a public event', () => {
    expect(problemOf({ type: 'state_change', audience: everyone, receiver: null })).toBeNull();
    expect(problemOf({ type: 'state_change', audience: everyone, receiver: BEN })).toBeNull();
    expect(problemOf({ type: 'state_change', audience: user(1), receiver: ADA })).not.toBeNull();
  });

  it.each(['created', 'updated', 'deleted', 'shared'])('is the user of toolpath_%s', (verb) => {
    const type = `toolpath_${verb}`;
    expect(problemOf({ type, audience: user(1), receiver: null })).toBeNull();
    expect(problemOf({ type, audience: user(1), receiver: ADA })).toBeNull();
    const otherToken = { ...ADA, token_id: 7 };
    expect(problemOf({ type, audience: user(1), receiver: otherToken })).toBeNull();
    expect(problemOf({ type, audience: user(1), receiver: BEN })).toContain('2');
    expect(problemOf({ type, audience: everyone, receiver: null })).not.toBeNull();
    expect(problemOf({ type, audience: everyone, receiver: ADA })).not.toBeNull();
    expect(problemOf({ type, audience: token(1), receiver: null })).not.toBeNull();
  });

  it('is the holder of the lock for a pose taught by hand', () => {
    const published = { type: 'backdriving', audience: token(1), receiver: null };
    expect(problemOf(published, lockUntil(2000))).toBeNull();
    expect(problemOf(published, { ...lockUntil(2000), holder: BEN })).not.toBeNull();
    expect(problemOf(published)).not.toBeNull();
    const otherToken = { ...ADA, token_id: 7 };
    expect(problemOf({ ...published, receiver: ADA }, lockUntil(2000))).toBeNull();
    expect(problemOf({ ...published, receiver: otherToken }, lockUntil(2000))).not.toBeNull();
    expect(problemOf({ ...published, audience: user(1) }, lockUntil(2000))).not.toBeNull();
  });
});

describe('what statements share', () => {
  it('is the speed of the fastest joint in either direction', () => {
    const speedOf = (...rates: number[]) =>
      fastestJoint_rad_s({ ...feedbackAt(0), velocity_rad_s: Float64Array.from(rates) });
    expect(speedOf(0, 0, 0, 0, 0, 0)).toBe(0);
    expect(speedOf(0.5, 0.1, 0, 0, 0, 0.2)).toBe(0.5);
    expect(speedOf(0.5, 0, 0, 0, 0, -0.7)).toBe(0.7);
  });

  it('is that the arm stands in ready and paused', () => {
    expect(isStationary('ready')).toBe(true);
    expect(isStationary('paused')).toBe(true);
    for (const state of ['running', 'stopping', 'backdriving', 'error'] as const)
      expect(isStationary(state)).toBe(false);
  });
});
