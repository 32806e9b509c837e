/**
 * Judges the fit of captures on arms that are not the twin (real-arm.ts): an arm with hidden
 * parameters moves, its capture is fitted, and the profile plans motions that the fit has not seen.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ArmProfile } from '../contract/types.generated.ts';
import { JOINT_MAX_RAD, JOINT_MIN_RAD } from '../physics/arm/arm-model.ts';
import { createPrng, type Prng } from '../physics/math/prng.ts';
import { timingOf } from '../physics/motion/arm-profile.ts';
import { planGoTo } from '../physics/toolpath/go-to.ts';
import { runRecord } from '../server/cli/commands/record.ts';
import { fitArm } from '../server/identify/arm-fit.ts';
import type { Capture } from '../server/identify/capture.ts';
import { readCapture } from '../server/identify/capture-reader.ts';
import { drawRealArm, type RealArm } from '../server/identify/real-planner.cases.ts';
import { Samples } from '../server/identify/samples.ts';
import { type Cut, type Published, serveArm } from './arm-server.ts';
import { MujocoRealArm } from './real-arm.ts';

const START = [0, 0.5, -1.7, 0, -1.2, 0];
const CAPTURED = 64;
const UNSEEN = 50;
const BEAT_STEPS = 20;
const MOTION = { mode: 'automatic', max_speed: 1.5 } as const;

/** A target that the twin can reach on a straight line, which moves one joint or all. */
function drawTarget(random: Prng, start: readonly number[], joint: number | null): number[] {
  for (;;) {
    const joints = start.map((angle, j) => {
      if (joint !== null && j !== joint) return angle;
      const [low, high] = [JOINT_MIN_RAD[j]!, JOINT_MAX_RAD[j]!];
      return low + (high - low) * (0.05 + 0.9 * random());
    });
    const far = Math.max(...joints.map((angle, j) => Math.abs(angle - start[j]!)));
    if (far > 0.1 && planGoTo({ ...MOTION, start, joints }).ok) return joints;
  }
}

/** Moves the arm and captures what it reports, with the torques of its motors. */
async function captureOf(arm: RealArm, random: Prng, captured: number) {
  const real = await MujocoRealArm.start(arm, random, START);
  const samples = new Samples();
  const states: { t_s: number; state: string }[] = [{ t_s: 0, state: 'ready' }];
  const each = () => {
    if (real.steps % BEAT_STEPS !== 0) return;
    const { t_s, q, rates, torque } = real.measure();
    samples.add(t_s, { q, rates, torque });
  };
  real.run(0.5, null, each);
  for (let i = 0; i < captured; i++) {
    const joints = drawTarget(random, real.goal, i % 2 === 0 ? (i / 2) % 6 : null);
    const plan = real.plan(joints);
    states.push({ t_s: real.steps / 1000, state: 'running' });
    real.run(plan.duration_s, { plan, joints }, each);
    real.run(arm.settling_s, null, each);
    states.push({ t_s: real.steps / 1000, state: 'ready' });
    real.run(0.4, null, each);
  }
  const capture: Capture = {
    source: 'real.mcap',
    kind: 'mcap',
    robot: null,
    ...samples.columns(),
    states,
    notes: [],
  };
  return { real, capture };
}

/** How far profile and arm are apart; shares, N m, kg, s. */
export interface Outcome {
  readonly seed: number;
  readonly law: string;
  readonly fitted: string;
  /** Durations at p95, without and with the profile. */
  readonly before: number;
  readonly after: number;
  readonly friction: number;
  readonly frictionGaps: number;
  readonly load: number | null;
  readonly latency_s: number | null;
}

const SPEEDS = [0.3, 1, 1.8];

/** Fits one arm, drawn by a seed, from a number of captured motions. */
export async function judgeFit(seed: number, captured = CAPTURED): Promise<Outcome> {
  const random = createPrng(seed);
  const arm = drawRealArm(random);
  const { real, capture } = await captureOf(arm, random, captured);
  const { profile } = fitArm([capture]);
  const outcome = judgeProfile(profile, real, random);
  real.free();
  return { seed, ...outcome };
}

/** Judges a profile by motions of the arm that the fit has not seen. */
function judgeProfile(
  profile: ArmProfile,
  real: MujocoRealArm,
  random: Prng,
): Omit<Outcome, 'seed'> {
  const { arm } = real;
  const timing = timingOf(profile);
  const errors = { before: [] as number[], after: [] as number[] };
  for (let i = 0; i < UNSEEN; i++) {
    const start = real.goal;
    const joints = drawTarget(random, start, null);
    const true_s = real.plan(joints).duration_s;
    for (const [name, used] of [
      ['before', null],
      ['after', timing],
    ] as const) {
      const plan = planGoTo({ ...MOTION, start, joints, timing: used });
      if (plan.ok) errors[name].push(Math.abs(plan.segment.profile.duration_s / true_s - 1));
    }
    real.goal = joints;
  }
  const p95 = (values: number[]) =>
    values.sort((a, b) => a - b)[Math.ceil(0.95 * values.length) - 1]!;
  const friction = [0, 1, 2, 3, 4, 5].flatMap((j) => {
    const viscous = profile.friction?.viscous_n_m_s[j] ?? null;
    const coulomb = profile.friction?.coulomb_n_m[j] ?? null;
    if (viscous === null || coulomb === null) return [];
    return SPEEDS.map((v) => {
      const truth = arm.viscous[j]! * v + arm.coulomb[j]!;
      return Math.abs((viscous * v + coulomb) / truth - 1);
    });
  });
  return {
    law: arm.law,
    fitted: timing?.law ?? 'none',
    before: p95(errors.before),
    after: p95(errors.after),
    friction: Math.max(0, ...friction),
    frictionGaps: 6 - friction.length / SPEEDS.length,
    load: profile.load ? Math.abs(profile.load.mass_kg - arm.load_kg) : null,
    latency_s: profile.latency_s == null ? null : profile.latency_s - arm.latency_s,
  };
}

/** Goals of a fit: durations within 2 % at p95, friction within 15 %, load within 0.05 kg. */
export function missesGoal({ after, friction, load }: Outcome): boolean {
  return after > 0.02 || friction > 0.15 || (load ?? 0) > 0.05;
}

const DEGREES_PER_RAD = 180 / Math.PI;

/** What an arm publishes on its stream while it moves as captured. */
function publishedBy({ t_s, q, rates, states }: Capture): Published[] {
  const row = (values: Float64Array, i: number) => Array.from(values.subarray(6 * i, 6 * i + 6));
  const telemetry = Array.from(t_s, (t, i) => ({
    t_s: t,
    sections: {
      'servos.telemetry.position': row(q, i),
      'servos.telemetry.velocity': row(rates, i).map((rate) => rate * DEGREES_PER_RAD),
    },
  }));
  const control = states.map(({ t_s: t, state }) => ({ t_s: t, sections: { control: { state } } }));
  return [...telemetry, ...control].sort((a, b) => a.t_s - b.t_s);
}

export interface RecordedOutcome extends Outcome {
  /** Time that the capture lost (s of the arm), and how often. */
  readonly lost_s: number;
  readonly losses: number;
}

/** Records an arm by its stream over a line that is cut, and judges the fit of the capture. */
export async function judgeRecorded(
  seed: number,
  { cuts, pace, captured }: { cuts: readonly Cut[]; pace: number; captured: number },
): Promise<RecordedOutcome> {
  const random = createPrng(seed);
  const arm = drawRealArm(random);
  const { real, capture } = await captureOf(arm, random, captured);
  const served = await serveArm(publishedBy(capture), { pace, cuts });
  const folder = mkdtempSync(join(tmpdir(), 'armtwin-recorded-'));
  const file = join(folder, 'real.capture');
  const abort = new AbortController();
  let text = '';
  const write = (more: string) => (text += more);
  const streams = { out: { write }, err: { write }, signal: abort.signal };
  const recorded = runRecord(served.url, { token: 'any', out: file }, streams);
  try {
    await new Promise((resolve) => setTimeout(resolve, 500));
    await served.play();
    await new Promise((resolve) => setTimeout(resolve, 500));
    abort.abort();
    const code = await recorded;
    if (code !== 0) throw new Error(`armtwin record ended with ${code}: ${text}`);
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    const gaps = lines.map((line) => JSON.parse(line)).filter(({ kind }) => kind === 'lost');
    const lost_s = pace * gaps.reduce((sum, { t, until }) => sum + until - t, 0);
    const { profile } = fitArm([await readCapture(file, noTarget)]);
    return { seed, ...judgeProfile(profile, real, random), lost_s, losses: gaps.length };
  } finally {
    abort.abort();
    served.close();
    real.free();
    rmSync(folder, { recursive: true });
  }
}

const noTarget = () => {
  throw new Error('a capture is not replayed');
};
