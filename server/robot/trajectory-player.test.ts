/**
 * Samples of played motions, stops and queues (rad), against the plans themselves; copies of the
 * player's memory.
 */
import { describe, expect, it } from 'vitest';
import { SETPOINT_SAMPLES, TICK_S } from '../../bridge/arm-driver.ts';
import { planEmergencyStop, sampleEmergencyStop } from '../../physics/motion/emergency-stop.ts';
import { planJointMove } from '../../physics/motion/joint-move.ts';
import { createPathSample, samplePath } from '../../physics/motion/joint-path.ts';
import { stopLimitsOf } from '../../physics/motion/motion-timing.ts';
import { planResume } from '../../physics/motion/resume.ts';
import {
  createProfilePoint,
  sampleProfile,
  type TimeProfile,
  timeAtPosition,
} from '../../physics/motion/time-profile.ts';
import { AWAY, HOME } from './robot-harness.cases.ts';
import { isSamePause, type TimedMotion, TrajectoryPlayer } from './trajectory-player.ts';

const FAR = [1.5, -0.6, -1, 1, -0.5, 1];
const AT_ONCE: TimeProfile = {
  duration_s: 2 * TICK_S,
  knots_s: Float64Array.of(0, 2 * TICK_S),
  coefficients: Float64Array.of(1, 0, 0, 0),
};

function motionTo(end: number[], start: number[] = HOME): TimedMotion {
  const caps = { tool_speed_m_s: 1.5, tool_offset_m: [0, 0, 0] as const };
  const ends = { start: Float64Array.from(start), end: Float64Array.from(end) };
  return { ...planJointMove({ ...ends, caps, waypoints: [] }), caps };
}

const THERE = motionTo(AWAY);
const BACK = motionTo(HOME, AWAY);

function playing(...motions: readonly TimedMotion[]): TrajectoryPlayer {
  const player = new TrajectoryPlayer(Float64Array.from(HOME));
  for (const motion of motions) player.play(motion);
  return player;
}

/** The rows of the next ticks. */
function rowsOf(player: TrajectoryPlayer, ticks = 1): number[][][] {
  return Array.from({ length: ticks }, () => {
    const samples = new Float64Array(6 * SETPOINT_SAMPLES);
    player.advance(samples);
    const row = (_: unknown, i: number) => Array.from(samples.subarray(6 * i, 6 * i + 6));
    return Array.from({ length: SETPOINT_SAMPLES }, row);
  });
}

function playToEnd(player: TrajectoryPlayer): number {
  let ticks = 0;
  for (; player.moving && ticks < 1000; ticks++) rowsOf(player);
  return ticks;
}

/** The pose of a plan after a time (s); at rest at its end. */
function poseAt({ path, profile }: TimedMotion, time_s: number): number[] {
  const [point, sample] = [createProfilePoint(), createPathSample()];
  sampleProfile(profile, Math.min(time_s, profile.duration_s), point);
  samplePath(path, point.s, sample);
  return Array.from(sample.q);
}

/** The poses of the rows of a tick, of a motion that began `ticks` before it. */
function posesOf(poseAfter: (time_s: number) => number[], ticks: number): number[][] {
  return [0, 1, 2, 3, 4].map((i) => poseAfter(ticks * TICK_S + i / 1000));
}

/** One check for all angles: thousands of them take their time. */
function expectRows(rows: number[][], expected: number[][]): void {
  const distances = rows.flatMap((row, i) =>
    row.map((angle, joint) => Math.abs(angle - expected[i]![joint]!)),
  );
  expect(Math.max(...distances)).toBeLessThan(1e-9);
}

const restOf = ({ restPose }: TrajectoryPlayer) => Array.from(restPose);

describe('a played motion', () => {
  it('is sampled each millisecond, from one before the tick to the end of it', () => {
    const player = playing(THERE);
    expect([player.moving, player.plannedPath === THERE.path]).toEqual([true, true]);
    expect(restOf(player)).toEqual(poseAt(THERE, 60));
    let before = HOME;
    for (const [tick, [first, ...rows]] of rowsOf(player, 100).entries()) {
      expect(first).toEqual(before);
      expectRows(
        rows,
        posesOf((time_s) => poseAt(THERE, time_s), tick),
      );
      before = rows[3]!;
      if (tick === 99) expect(Array.from(player.reference)).toEqual(before);
    }
  });

  it('ends in the tick in which its time is over', () => {
    const player = playing({ ...THERE, profile: AT_ONCE });
    expect(playToEnd(player)).toBe(2);
    expect([player.plannedPath, player.remaining_s]).toEqual([null, 0]);
    expect(restOf(player)).toEqual(poseAt(THERE, 60));
  });

  it('is followed by the queued one', () => {
    const player = playing(THERE, BACK);
    const [there_s, back_s] = [THERE.profile.duration_s, BACK.profile.duration_s];
    expect(player.remaining_s).toBeCloseTo(there_s + back_s, 9);
    expect([player.plannedPath === THERE.path, ...restOf(player)]).toEqual([
      true,
      ...poseAt(BACK, 60),
    ]);
    const ticks = Math.ceil(there_s / TICK_S - 1e-9);
    rowsOf(player, ticks);
    expect(player.plannedPath).toBe(BACK.path);
    expect(player.remaining_s).toBeCloseTo(back_s, 9);
    const [[, ...rows] = []] = rowsOf(player);
    expectRows(
      rows,
      posesOf((time_s) => poseAt(BACK, time_s), 0),
    );
    playToEnd(player);
    expect(player.remaining_s).toBe(0);
  });

  it('takes the planned time less the played one', () => {
    const player = playing(THERE);
    rowsOf(player, 10);
    expect(player.remaining_s).toBeCloseTo(THERE.profile.duration_s - 0.04, 9);
  });
});

describe('a stop on the path', () => {
  function stopped(ticks = 60): TrajectoryPlayer {
    const player = playing(THERE);
    rowsOf(player, ticks);
    player.stopOnPath('pause');
    return player;
  }

  it('is planned at once, stays on the path and leaves the rest to resume', () => {
    const player = stopped();
    expect([player.moving, player.hasPausedMotion]).toEqual([true, true]);
    const { path, s, caps, nominal_rest_s } = player.pausedMotion!;
    expect([path, caps]).toEqual([THERE.path, THERE.caps]);
    const sample = createPathSample();
    samplePath(path, s, sample);
    expect(restOf(player)).toEqual(Array.from(sample.q));
    const played_s = timeAtPosition(THERE.profile, s);
    expect(played_s).toBeGreaterThan(60 * TICK_S);
    expect(nominal_rest_s).toBeCloseTo(THERE.profile.duration_s - played_s, 9);
    expect(player.remaining_s).toBe(nominal_rest_s);
    const [[, first] = []] = rowsOf(player);
    expectRows([first!], [poseAt(THERE, 60 * TICK_S)]);
    playToEnd(player);
    expectRows([Array.from(player.reference)], [restOf(player)]);
    expect(player.pausedMotion).toMatchObject({ s });
  });

  it('ends at one place, whenever that is asked for', () => {
    const player = stopped();
    const s = player.pausedMotion?.s;
    rowsOf(player, 3);
    expect(player.pausedMotion?.s).toBe(s);
    const atStart = playing(THERE);
    atStart.stopOnPath('pause');
    expect(atStart.pausedMotion?.s).toBeLessThan(1e-3);
  });

  it('is resumed from where it ends', () => {
    const player = stopped();
    playToEnd(player);
    const stop = restOf(player);
    const { path, s, caps } = player.pausedMotion!;
    const { profile } = planResume({ path, s, caps });
    player.resume(profile);
    expect([player.hasPausedMotion, player.plannedPath]).toEqual([false, path]);
    const [[, first] = []] = rowsOf(player);
    expectRows([first!], [stop]);
    playToEnd(player);
    expectRows([restOf(player)], [poseAt(THERE, 60)]);
  });

  it('is none without a motion, and there is nothing to resume or to discard', () => {
    const player = playing();
    player.stopOnPath('pause');
    player.resume(THERE.profile);
    player.discardPausedMotion();
    expect([player.moving, player.pausedMotion, player.remaining_s]).toEqual([false, null, 0]);
    expect(restOf(player)).toEqual(HOME);
  });

  it('can be discarded, together with the queued motion', () => {
    const player = playing(THERE, BACK);
    rowsOf(player, 20);
    player.stopOnPath('pause');
    player.discardPausedMotion();
    expect(player.hasPausedMotion).toBe(false);
    playToEnd(player);
    expect(player.plannedPath).toBeNull();
  });

  it('is found in a later tick where none fits at first', () => {
    const fast = motionTo(FAR);
    const player = playing({ ...fast, caps: { ...fast.caps, tool_speed_m_s: 0.25 } });
    rowsOf(player, 227);
    player.stopOnPath('protective');
    expect(player.save()).toMatchObject({ wanted_stop: 'protective', attempts: 1, halted: null });
    rowsOf(player);
    expect(player.save()).toMatchObject({ wanted_stop: 'protective', attempts: 2, halted: null });
    rowsOf(player, 6);
    expect([player.hasPausedMotion, player.save().wanted_stop]).toEqual([true, null]);
    playToEnd(player);
    expect(player.hasPausedMotion).toBe(true);
  });

  it('is the same pause as one of the same path that ends at the same place', () => {
    const [a, b] = [stopped().pausedMotion, stopped().pausedMotion];
    const later = stopped(70).pausedMotion;
    const elsewhere = { ...a!, path: BACK.path };
    expect([isSamePause(a, b), isSamePause(null, null)]).toEqual([true, true]);
    for (const other of [later, elsewhere, null]) {
      expect([isSamePause(a, other), isSamePause(other, a)]).toEqual([false, false]);
    }
  });
});

describe('an emergency stop', () => {
  const TICKS = 60;

  function stopped(...motions: readonly TimedMotion[]): TrajectoryPlayer {
    const player = playing(...motions);
    rowsOf(player, TICKS);
    player.emergencyStop();
    return player;
  }

  it('brakes from where the motion is, on its path', () => {
    const player = stopped(THERE);
    const { path, profile } = THERE;
    const most = stopLimitsOf(null, 'protective');
    const stop = planEmergencyStop(path, { profile, elapsed_s: TICKS * TICK_S }, most);
    const poseAfter = (time_s: number) => {
      const pose = new Float64Array(6);
      sampleEmergencyStop(stop, Float64Array.of(time_s), pose);
      return Array.from(pose);
    };
    expect([player.moving, player.plannedPath]).toEqual([true, null]);
    expectRows([restOf(player)], [poseAfter(stop.duration_s)]);
    const ticks = Math.ceil(stop.duration_s / TICK_S - 1e-9);
    for (const [tick, [, ...rows]] of rowsOf(player, ticks).entries()) {
      expectRows(rows, posesOf(poseAfter, tick));
    }
    expect([player.moving, player.remaining_s]).toEqual([false, 0]);
  });

  it('ends in the tick in which its time is over', () => {
    const player = stopped(THERE);
    const memory = player.save();
    const stop = { ...memory.emergency!.stop, duration_s: 2 * TICK_S };
    player.restore({ ...memory, emergency: { stop, elapsed_s: 0 } });
    expect(playToEnd(player)).toBe(2);
  });

  it('discards the paused and the queued motion, and no stop on the path replaces it', () => {
    const queued = stopped(THERE, BACK);
    queued.stopOnPath('pause');
    queued.emergencyStop();
    expect([queued.hasPausedMotion, queued.plannedPath]).toEqual([false, null]);
    expect(playToEnd(queued)).toBeGreaterThan(0);
    expect([queued.moving, queued.plannedPath]).toEqual([false, null]);
    const paused = playing(THERE);
    rowsOf(paused, TICKS);
    paused.stopOnPath('pause');
    playToEnd(paused);
    paused.emergencyStop();
    expect([paused.moving, paused.hasPausedMotion]).toEqual([false, false]);
  });

  it('is followed by a motion that is played meanwhile', () => {
    const player = stopped(THERE);
    player.play(BACK);
    expect(player.plannedPath).toBeNull();
    while (player.plannedPath === null) rowsOf(player);
    expect(player.plannedPath).toBe(BACK.path);
    player.stopOnPath('pause');
    expect(player.hasPausedMotion).toBe(true);
  });
});

describe('the pose', () => {
  it('is set without motion, and discards what was played', () => {
    for (const halt of [() => {}, 'stopOnPath', 'emergencyStop'] as const) {
      const player = playing(THERE, BACK);
      rowsOf(player, 60);
      if (halt === 'stopOnPath') player.stopOnPath('pause');
      if (halt === 'emergencyStop') player.emergencyStop();
      player.setPose(FAR);
      expect([player.moving, player.hasPausedMotion]).toEqual([false, false]);
      expect([restOf(player), Array.from(player.reference)]).toEqual([FAR, FAR]);
      expect(player.save()).toMatchObject({ wanted_stop: null, following: null, emergency: null });
    }
  });

  it('at rest is that of a plan within a millionth of a radian', () => {
    const player = playing();
    const [, ...others] = HOME;
    const at = (turn: number) => player.isAtRestPose([turn, ...others]);
    expect([at(0), at(1e-6), at(-1e-6), at(1.01e-6), at(-1.01e-6)]).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });
});

describe('the memory', () => {
  it.each<[string, (player: TrajectoryPlayer) => void]>([
    ['moving', () => {}],
    ['braking on the path', (player) => player.stopOnPath('pause')],
    [
      'paused',
      (player) => {
        player.discardPausedMotion();
        player.stopOnPath('pause');
        playToEnd(player);
      },
    ],
    ['braking in an emergency', (player) => player.emergencyStop()],
  ])('is copied while %s: both players go on alike', (_name, act) => {
    const player = playing(THERE, BACK);
    rowsOf(player, 60);
    act(player);
    const saved = player.save();
    const text = JSON.stringify(saved);
    const other = new TrajectoryPlayer(Float64Array.from(AWAY));
    other.restore(saved);
    expect(other.save()).toEqual(player.save());
    expect(rowsOf(other, 5)).toEqual(rowsOf(player, 5));
    expect(other.save()).toEqual(player.save());
    expect(other.pausedMotion).toEqual(player.pausedMotion);
    expect(playToEnd(other)).toBe(playToEnd(player));
    expect(Array.from(other.reference)).toEqual(Array.from(player.reference));
    other.setPose(FAR);
    expect(JSON.stringify(saved)).toBe(text);
    expect(restOf(player)).not.toEqual(FAR);
  });
});
