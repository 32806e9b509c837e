/** What the invariant monitor measures of a motion, and at which ticks. */
import { beforeEach, describe, expect, it } from 'vitest';
import { VELOCITY_MAX_RAD_S } from '../../physics/arm/arm-model.ts';
import type { JointPath } from '../../physics/motion/joint-path.ts';
import { activityOf, MonitorBench } from './invariant-monitor.cases.ts';
import { ADA } from './robot-harness.cases.ts';

let bench: MonitorBench;

beforeEach(() => {
  bench = new MonitorBench();
});

const CAP = 'the flange keeps to the cap of the mode';
const FAST = 'setpoints keep to the joint speeds';
const BESIDE = 'setpoints lie on the planned path';

describe('the speed of the flange', () => {
  /** A joint's step in a tick that moves the flange by more than 1 mm and less than 6 mm. */
  const STEP_RAD = 0.004;

  /** Moves the arm, its reference or both in one tick of a motion in teach mode. */
  function moveAt(tick: number, ...poses: readonly Float64Array[]): void {
    bench.tickTo(tick - 1, 22);
    for (const pose of poses) pose[0]! += STEP_RAD;
    bench.tickTo(tick + 5, tick);
  }

  const teach = () =>
    bench.startMotion({
      activity: activityOf('run', 'teach'),
      lock: { holder: ADA, expires_tick: 2000 },
    });

  it('is measured between the two ticks of a sample', () => {
    teach();
    moveAt(26, bench.robot.feedback.position_rad);
    expect(bench.seen()).toEqual([`26 ${CAP}`]);
  });

  it('is that of the setpoint as well', () => {
    teach();
    moveAt(26, bench.robot.reference);
    expect(bench.seen()).toEqual([`26 ${CAP}`]);
  });

  it.each([24, 25, 27, 28])('is not measured elsewhere: tick %i', (tick) => {
    teach();
    moveAt(tick, bench.robot.feedback.position_rad, bench.robot.reference);
    expect(bench.found).toEqual([]);
  });

  it('is not judged at rest, where the reference follows an arm that was moved', () => {
    bench.start({ state: 'paused', activity: activityOf('run', 'teach') });
    bench.robot.memory.lock = { holder: ADA, expires_tick: 2000 };
    moveAt(26, bench.robot.feedback.position_rad, bench.robot.reference);
    expect(bench.found).toEqual([]);
  });

  it('of the arm is no claim once something pushed it', () => {
    teach();
    bench.monitor.onAction();
    moveAt(26, bench.robot.feedback.position_rad);
    expect(bench.found).toEqual([]);
  });

  it('is that of one reading where readings have an age', () => {
    teach();
    bench.robot.feedback.age_s = 0.002;
    moveAt(26, bench.robot.feedback.position_rad);
    expect(bench.found).toEqual([]);
    bench.robot.feedback.velocity_rad_s[0] = 1;
    bench.tickTo(50, 32);
    expect(bench.seen()).toEqual([`50 ${CAP}`]);
  });

  it('is that between two readings where they have none', () => {
    teach();
    bench.robot.feedback.velocity_rad_s[0] = 1;
    bench.tickTo(60, 22);
    expect(bench.found).toEqual([]);
  });
});

describe('the speed of setpoints', () => {
  /** The largest step of a joint in a tick (rad): 2 % above its speed. */
  const largest = (joint: number) => 1.02 * 0.004 * VELOCITY_MAX_RAD_S[joint]!;

  it.each([
    [0, 1],
    [0, -1],
    [3, 1],
    [5, -1],
  ])('of joint %i in direction %i keeps to its limit', (joint, direction) => {
    bench.robot.reference.fill(0);
    bench.startMotion();
    bench.robot.reference[joint] = direction * largest(joint);
    bench.tickTo(30);
    expect(bench.found).toEqual([]);
    bench.robot.reference[joint]! += direction * 1.001 * largest(joint);
    bench.tickTo(31);
    expect(bench.seen()).toEqual([`31 ${FAST}`]);
    expect(bench.found[0]?.right).toContain(`J${joint + 1}`);
    bench.tickTo(33, 32);
    expect(bench.monitor.counts).toEqual({ [FAST]: 1 });
  });

  it('begins at the reference that the monitor finds', () => {
    bench.startMotion();
    bench.tickTo(30);
    expect(bench.found).toEqual([]);
  });

  it.each([
    ['first', false, true],
    ['last', true, false],
  ])('is judged in the %s tick of a motion', (_, before, after) => {
    bench.startMotion();
    bench.robot.isMoving = before;
    bench.tickTo(30);
    bench.robot.isMoving = after;
    bench.robot.reference[1]! += 0.5;
    bench.tickTo(31);
    expect(bench.seen()).toEqual([`31 ${FAST}`]);
  });

  it.each([[[30]], [[30, 31]]])('is not judged at rest: ticks %j', (ticks) => {
    bench.start();
    for (const tick of ticks) {
      bench.robot.reference[1]! += 0.5;
      bench.tickTo(tick);
    }
    expect(bench.found).toEqual([]);
  });

  it('is not that of a reference which a command moves', () => {
    bench.startMotion();
    bench.tickTo(30);
    bench.robot.reference[1]! += 0.5;
    bench.monitor.onCommand();
    bench.tickTo(31);
    expect(bench.found).toEqual([]);
  });
});

describe('the planned path', () => {
  const line = (): JointPath => ({
    kind: 'line',
    start: new Float64Array(6),
    end: Float64Array.of(1, 0, 0, 0, 0, 0),
  });

  function startOnPath(): void {
    bench.robot.reference.fill(0);
    bench.robot.reference[0] = 0.5;
    bench.robot.plannedPath = line();
    bench.startMotion();
  }

  it.each([
    [1e-5, []],
    [1.001e-5, [`30 ${BESIDE}`]],
  ])('may be left by %d rad', (apart_rad, expected) => {
    startOnPath();
    bench.robot.reference[1] = apart_rad;
    bench.tickTo(30);
    expect(bench.seen()).toEqual(expected);
  });

  it('is compared at samples', () => {
    startOnPath();
    bench.tickTo(26, 22);
    bench.robot.reference[1] = 0.0001;
    bench.tickTo(60, 27);
    expect(bench.seen()).toEqual([`50 ${BESIDE}`]);
  });

  it('is compared at once when it is a new one', () => {
    startOnPath();
    bench.tickTo(29, 22);
    bench.robot.reference[1] = 0.0001;
    bench.robot.plannedPath = line();
    bench.tickTo(31, 30);
    expect(bench.seen()).toEqual([`30 ${BESIDE}`]);
  });

  it('is compared with nothing where there is none', () => {
    startOnPath();
    bench.robot.plannedPath = null;
    bench.robot.reference[1] = 0.0001;
    bench.tickTo(60, 30);
    expect(bench.found).toEqual([]);
  });
});
