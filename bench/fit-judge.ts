/**
 * Judges the fit of captures on arms that are not the twin (real-arm.ts): an arm with hidden
 * parameters moves, its capture is fitted, and the profile plans motions that the fit has not seen.
 */
import { JOINT_MAX_RAD, JOINT_MIN_RAD } from '../physics/arm/arm-model.ts';
import { createPrng, type Prng } from '../physics/math/prng.ts';
import { timingOf } from '../physics/motion/arm-profile.ts';
import { planGoTo } from '../physics/toolpath/go-to.ts';
import { fitArm } from '../server/recording/arm-fit.ts';
import { type Capture, Samples } from '../server/recording/capture.ts';
import { drawRealArm, type RealArm } from '../server/recording/real-planner.cases.ts';
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
  real.free();
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
    seed,
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
