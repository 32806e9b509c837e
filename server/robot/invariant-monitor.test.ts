/** When the invariant monitor looks at a robot, and what it forgets. */
import { beforeEach, describe, expect, it } from 'vitest';
import { activityOf, MonitorBench } from './invariant-monitor.cases.ts';
import { recordViolation, takeViolations } from './invariant-violations.ts';
import { createMemory, type RobotMemory } from './memory.ts';
import { ADA, BEN } from './robot-harness.cases.ts';

let bench: MonitorBench;

beforeEach(() => {
  bench = new MonitorBench();
});

const EXPIRED = 'a held lock is not expired';
const AT_REST = 'ready and paused have no motion';
const ENTERED = 'ready and paused are entered at standstill';
const MOVES = 'a motion that runs moves, waits or comes to rest';
const STREAM = 'the stream and the snapshot agree';
const CHANGES = 'the changes on the stream add up to the snapshot';
const AUDIENCE = 'an event reaches its audience alone';

describe('a violation', () => {
  it('says what was published, what contradicts it, and when', () => {
    bench.start();
    bench.robot.memory.estop = true;
    bench.tickTo(30);
    const statement = 'an emergency stop disables the robot';
    expect(bench.found).toMatchObject([{ statement, left: 'ready', tick: 30 }]);
    expect(bench.found[0]?.right).toContain('pressed');
    expect(bench.monitor.counts).toEqual({ [statement]: 1 });
  });

  it('is counted once until the statement holds again', () => {
    bench.start({ estop: true });
    bench.tickTo(40, 30);
    expect(bench.found).toHaveLength(1);
    bench.robot.memory.estop = false;
    bench.tickTo(41);
    bench.robot.memory.estop = true;
    bench.tickTo(45, 42);
    expect(bench.found.map(({ tick }) => tick)).toEqual([30, 42]);
    expect(Object.values(bench.monitor.counts)).toEqual([2]);
  });

  it('is kept for tests, up to a hundred, until they take it', () => {
    takeViolations();
    for (let tick = 1; tick <= 105; tick++)
      recordViolation({ statement: EXPIRED, left: 'a', right: 'b', tick });
    const taken = takeViolations();
    expect(taken).toHaveLength(100);
    expect(taken.at(-1)?.tick).toBe(100);
    expect(takeViolations()).toEqual([]);
  });

  it('of an audience is counted for each receiver', () => {
    bench.start();
    const wrong = {
      type: 'toolpath_created',
      audience: { kind: 'user', user_id: 1 },
      receiver: BEN,
    };
    bench.monitor.onDelivery(wrong);
    bench.monitor.onDelivery(wrong);
    bench.monitor.onDelivery({ ...wrong, receiver: ADA });
    bench.tickTo(30);
    expect(bench.monitor.counts).toEqual({ [AUDIENCE]: 2 });
    expect(bench.found[0]).toMatchObject({ statement: AUDIENCE, left: 'toolpath_created' });
  });
});

describe('in a motion', () => {
  const teach = activityOf('run', 'teach');
  const lock = { holder: ADA, expires_tick: 2000 };
  const changes: readonly [string, Partial<RobotMemory>, Partial<RobotMemory>][] = [
    ['state', {}, { state: 'error', error: 'Hot' }],
    ['activity', {}, { activity: null }],
    ['lock', { activity: teach, lock }, { lock: null }],
    ['ending', { activity: teach, ending: 'motion_dropped' }, { ending: 'motion_finished' }],
    ['awaited', {}, { awaited: 'reset_errors' }],
    ['estop', {}, { estop: true }],
    ['loop_count', { loop_target: 2, loop_count: 2 }, { loop_count: 3 }],
  ];

  it.each(changes)('a change of %s is judged at its tick', (_, before, after) => {
    bench.startMotion(before);
    bench.tickTo(29, 24);
    expect(bench.found).toEqual([]);
    Object.assign(bench.robot.memory, after);
    bench.tickTo(30);
    expect(bench.found.length).toBeGreaterThan(0);
    expect(bench.found[0]?.tick).toBe(30);
  });

  it('a published state is judged at its tick', () => {
    bench.robot.changeTracker = {};
    bench.startMotion();
    bench.tickTo(29, 24);
    bench.publish({ control: { state: 'ready' } });
    bench.tickTo(30);
    expect(bench.found).toMatchObject([
      { statement: STREAM, left: 'ready', right: 'running', tick: 30 },
    ]);
  });

  it.each([
    [27, 50],
    [2, 25],
    [26, 26],
    [25, 25],
  ])('what changes with time is judged at samples: from tick %i, at %i', (first, sampled) => {
    bench.robot.changeTracker = {};
    bench.startMotion({ lock: { holder: ADA, expires_tick: 0 } });
    bench.tickTo(60, first);
    expect(bench.seen()).toEqual([`${sampled} ${EXPIRED}`]);
  });
});

describe('at rest', () => {
  it('an arm that drifts is noticed after 50 ticks', () => {
    bench.start();
    bench.robot.feedback.velocity_rad_s[2] = -0.101;
    bench.tickTo(150, 101);
    expect(bench.found).toEqual([]);
    bench.tickTo(151);
    expect(bench.seen()).toEqual([`151 ${AT_REST}`]);
  });

  it('an arm that drifts slowly or with pauses is not noticed', () => {
    bench.start();
    bench.robot.feedback.velocity_rad_s[2] = 0.1;
    bench.tickTo(200, 101);
    bench.robot.feedback.velocity_rad_s[2] = 0.2;
    bench.tickTo(240, 201);
    bench.robot.feedback.velocity_rad_s[2] = 0;
    bench.tickTo(241);
    bench.robot.feedback.velocity_rad_s[2] = 0.2;
    bench.tickTo(291, 242);
    expect(bench.found).toEqual([]);
  });

  it.each(['running', 'error'] as const)('an arm may move in %s', (state) => {
    bench.start({ state, error: 'Hot', activity: state === 'running' ? activityOf('run') : null });
    bench.robot.feedback.velocity_rad_s[2] = 0.2;
    bench.tickTo(200, 101);
    expect(bench.found).toEqual([]);
  });

  it('a motion that stands is noticed in the second tick after the state changed', () => {
    bench.start();
    bench.tickTo(110, 101);
    Object.assign(bench.robot.memory, { state: 'running', activity: activityOf('home') });
    bench.monitor.onCommand();
    bench.tickTo(111);
    expect(bench.found).toEqual([]);
    bench.tickTo(112);
    expect(bench.seen()).toEqual([`112 ${MOVES}`]);
  });

  it('a command that moves begins the count again', () => {
    bench.start({ state: 'running', activity: activityOf('home') });
    bench.tickTo(101);
    bench.robot.isMoving = true;
    bench.monitor.onCommand();
    bench.robot.isMoving = false;
    bench.tickTo(102);
    expect(bench.found).toEqual([]);
    bench.robot.isMoving = true;
    bench.tickTo(103);
    bench.robot.isMoving = false;
    bench.tickTo(104);
    expect(bench.found).toEqual([]);
    bench.tickTo(105);
    expect(bench.seen()).toEqual([`105 ${MOVES}`]);
  });

  it('stands from the start if its feedback says so', () => {
    bench.start({ state: 'running', activity: activityOf('run') });
    bench.robot.memory.state = 'paused';
    bench.monitor.onCommand();
    expect(bench.found).toEqual([]);
  });

  it.each([
    [1, []],
    [2, [`${201} ${ENTERED}`]],
  ])('is reached %i ticks after the arm stood', (ticks, expected) => {
    bench.start({ state: 'running', activity: activityOf('run') });
    bench.tickTo(200, 198);
    bench.robot.feedback.standing = false;
    bench.tickTo(200 + ticks - 1, 200);
    Object.assign(bench.robot.memory, { state: 'paused' });
    bench.monitor.onCommand();
    expect(bench.seen()).toEqual(expected);
  });
});

describe('the stream', () => {
  it('is compared at the first tick and a second later', () => {
    bench.robot.changeTracker = {};
    bench.start();
    bench.tickTo(10);
    bench.publish({ global: { estop: true } });
    bench.tickTo(259, 11);
    expect(bench.found).toEqual([]);
    bench.tickTo(270, 260);
    expect(bench.seen()).toEqual([`260 ${CHANGES}`]);
    bench.tickTo(510);
    expect(bench.seen()).toEqual([`260 ${CHANGES}`, `510 ${CHANGES}`]);
  });

  it('is compared with the state after a command at the next tick', () => {
    bench.robot.changeTracker = {};
    bench.start();
    bench.publish({ control: { state: 'ready' } });
    Object.assign(bench.robot.memory, { state: 'error', error: 'Hot' });
    bench.monitor.onCommand();
    expect(bench.found).toEqual([]);
    bench.tickTo(30);
    expect(bench.seen()).toContain(`30 ${STREAM}`);
  });

  it('says nothing of the state in other changes and events', () => {
    bench.robot.changeTracker = {};
    bench.start();
    bench.monitor.onEvents([{ kind: 'lock_status', holder: ADA }]);
    bench.publish({ control: { loop_count: 0 } });
    bench.publish({});
    bench.tickTo(30);
    expect(bench.monitor.counts[STREAM]).toBeUndefined();
  });

  it.each([
    [true, 1],
    [false, 0],
  ])('has telemetry when it is due: %s', (isTelemetryDue, count) => {
    bench.robot.changeTracker = {};
    bench.start();
    bench.publish({ global: {} });
    bench.robot.isTelemetryDue = isTelemetryDue;
    bench.robot.feedback.temperature_c.fill(60);
    bench.tickTo(20);
    expect(bench.monitor.counts[CHANGES] ?? 0).toBe(count);
  });

  it.each([
    ['ends', 20, null],
    ['begins again', 20, {}],
    ['ends before a comparison', 260, null],
    ['begins again before one', 260, {}],
  ])('is forgotten when it %s', (_, tick, next) => {
    bench.robot.changeTracker = {};
    bench.start();
    bench.tickTo(10);
    bench.publish({ control: { state: 'running' }, global: { estop: true } });
    bench.robot.changeTracker = next;
    bench.tickTo(300, tick);
    expect(bench.found).toEqual([]);
  });

  it('takes no snapshot while there is no subscriber', () => {
    bench.start();
    bench.publish({ control: { state: 'running' } });
    bench.tickTo(300, 20);
    expect(bench.found).toEqual([]);
    expect(bench.robot.snapshots).toBe(0);
  });
});

describe('a restored robot', () => {
  function restore(memory: Partial<RobotMemory>, tick: number): void {
    bench.robot.memory = { ...createMemory(), ...memory };
    bench.monitor.onRestore(tick, bench.robot.feedback);
  }

  const homing: Partial<RobotMemory> = { state: 'running', activity: activityOf('home') };

  it('stands if its feedback says so', () => {
    bench.startMotion();
    bench.tickTo(30, 28);
    bench.robot.feedback.standing = true;
    bench.robot.isMoving = false;
    restore({ state: 'running', activity: activityOf('run') }, 500);
    bench.robot.memory.state = 'paused';
    bench.monitor.onCommand();
    expect(bench.found).toEqual([]);
  });

  it('moves if its feedback says so', () => {
    bench.start();
    bench.tickTo(30, 28);
    bench.robot.feedback.standing = false;
    restore({ state: 'running', activity: activityOf('run') }, 500);
    bench.robot.memory.state = 'paused';
    bench.monitor.onCommand();
    expect(bench.seen()).toEqual([`500 ${ENTERED}`]);
  });

  it('counts its ticks at rest from then on', () => {
    bench.start({ state: 'running', activity: activityOf('run') });
    bench.tickTo(40, 28);
    restore(homing, 500);
    bench.tickTo(501);
    expect(bench.found).toEqual([]);
    bench.tickTo(502);
    expect(bench.seen()).toEqual([`502 ${MOVES}`]);
  });

  it('has the loops and the state of its own', () => {
    bench.start({ loop_count: 5, state: 'error', error: 'Hot' });
    bench.tickTo(30);
    bench.robot.feedback.standing = false;
    restore({ loop_count: 2 }, 500);
    bench.tickTo(502, 501);
    expect(bench.found).toEqual([]);
    expect(bench.monitor.counts).toEqual({});
  });

  it('may be pushed from then on', () => {
    bench.start();
    restore({}, 500);
    bench.robot.feedback.velocity_rad_s[1] = 0.5;
    bench.tickTo(600, 501);
    expect(bench.found).toEqual([]);
  });

  it('has published nothing', () => {
    bench.robot.changeTracker = {};
    bench.start();
    bench.publish({ control: { state: 'ready' } });
    bench.tickTo(30);
    restore({ state: 'error', error: 'Hot' }, 500);
    bench.robot.changeTracker = {};
    bench.monitor.onCommand();
    bench.tickTo(501);
    expect(bench.found).toEqual([]);
  });

  it('is compared with the stream at once', () => {
    bench.robot.changeTracker = {};
    bench.start();
    bench.tickTo(300);
    restore({}, 100);
    bench.publish({ global: { estop: true } });
    bench.tickTo(101);
    expect(bench.seen()).toEqual([`101 ${CHANGES}`]);
  });

  it('has no speed from before', () => {
    bench.startMotion();
    bench.tickTo(25, 22);
    bench.robot.reference[0]! += 0.004;
    bench.robot.feedback.position_rad[0]! += 0.004;
    bench.tickTo(26);
    const lock = { holder: ADA, expires_tick: 2000 };
    restore({ state: 'running', activity: activityOf('run', 'teach'), lock }, 500);
    bench.monitor.onCommand();
    expect(bench.found).toEqual([]);
  });

  it('has not moved from where it was before', () => {
    bench.startMotion();
    bench.tickTo(25, 22);
    bench.robot.reference[0]! += 1;
    restore({ state: 'running', activity: activityOf('run') }, 25);
    bench.tickTo(26);
    expect(bench.found).toEqual([]);
  });

  it('rests where its reference follows the arm', () => {
    bench.startMotion();
    bench.tickTo(30, 28);
    bench.robot.isMoving = false;
    restore({}, 500);
    bench.robot.reference[1]! += 1;
    bench.tickTo(501);
    expect(bench.found).toEqual([]);
  });
});
