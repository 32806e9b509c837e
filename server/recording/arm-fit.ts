/**
 * Everything that captures say of an arm, as a profile: timing, friction, load, noise, latency. A
 * value that the captures do not hold is null in the profile, with the reason beside it. SI units.
 */
import type { ArmProfile, ProfileGap, ProfileMotion } from '../../contract/types.ts';
import { PAYLOAD_BALL, TELEMETRY } from '../../physics/arm/arm-model.ts';
import { ARM_MODEL } from '../../physics/motion/timing-laws.ts';
import { type Capture, CaptureError } from './capture.ts';
import { type DynamicsFit, fitDynamics } from './dynamics-fit.ts';
import { type Estimate, profileOfMotion, usedValue } from './law-fit.ts';
import { alignProfile, type Motion, motionsOf } from './motions.ts';
import { fitTiming, type TimingFit } from './timing-fit.ts';

/** Everything that the captures gave. */
export interface ArmFit {
  readonly profile: ArmProfile;
  readonly estimates: ReadonlyMap<string, Estimate>;
  readonly motions: readonly Motion[];
  readonly timing: TimingFit | null;
  readonly dynamics: DynamicsFit | null;
  /** What was left out, and what was odd. */
  readonly notes: readonly string[];
}

/** Bounds that profiles have: a value at its interval's edge may be beyond them. */
const VELOCITY = [0.05, 2.0944] as const;
const ACCELERATION = [0.2, 100] as const;
const JERK = [1, 20_000] as const;
const FRICTION = [0, 20] as const;
const RAMP_S = [0.001, 1] as const;
const BRAKING = [0.1, 10] as const;
const LATENCY_MAX_S = 0.031;

/** The value of an estimate that a profile has. */
function clamped(
  estimate: Estimate | undefined,
  [least, most]: readonly [number, number],
): number | null {
  const found = usedValue(estimate);
  return found === null ? null : Math.min(Math.max(found, least), most);
}

type Six = ProfileMotion['velocity_rad_s'];

function six(
  estimates: ReadonlyMap<string, Estimate>,
  name: string,
  bounds: readonly [number, number],
): Six {
  const value = (joint: number) => clamped(estimates.get(`${name}/${joint}`), bounds);
  return [value(0), value(1), value(2), value(3), value(4), value(5)];
}

/** Deviation of normal noise over the median of its size. */
const MEDIAN_SCALE = 1.4826;
const NOISE_SAMPLES_MIN = 100;

function medianOf(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1] ?? 0;
}

/** True where all angles are multiples of the resolution of the arm's telemetry. */
function isQuantised({ q }: Capture): boolean {
  const step = TELEMETRY.position_quantum_rad;
  return q
    .subarray(0, 6000)
    .every((angle) => Math.abs(angle / step - Math.round(angle / step)) < 1e-3);
}

/** Differences of order `order` of the moving joints, at a steady beat. */
function differences(captures: readonly Capture[], name: 'q' | 'rates', order: number): number[] {
  const weights = [1];
  for (let n = 1; n <= order; n++) weights.push((-weights[n - 1]! * (order - n + 1)) / n);
  const found: number[] = [];
  for (const { t_s, rates, ...columns } of captures) {
    const data = name === 'rates' ? rates : (columns as { readonly q: Float64Array }).q;
    for (let i = order; i < t_s.length; i++) {
      const step_s = t_s[i]! - t_s[i - 1]!;
      if (Math.abs(t_s[i]! - t_s[i - order]! - order * step_s) > 0.2 * step_s) continue;
      for (let j = 0; j < 6; j++) {
        if (Math.abs(rates[6 * i + j]!) < 0.1) continue;
        let sum = 0;
        for (let n = 0; n <= order; n++) sum += weights[n]! * data[6 * (i - n) + j]!;
        found.push(Math.abs(sum));
      }
    }
  }
  return found;
}

/** Root of the sum of the squared weights of differences of third and fourth order. */
const THIRD = Math.sqrt(20);
const FOURTH = Math.sqrt(70);

/** Noise of angles and rates, from differences in which the motion itself vanishes. */
function noiseEstimates(captures: readonly Capture[]): [string, Estimate][] {
  const angles = differences(captures, 'q', 4);
  const rates = differences(captures, 'rates', 3);
  const few = { value: null, reason: 'there are fewer than 100 samples in motion' } as const;
  if (angles.length < NOISE_SAMPLES_MIN) {
    return [
      ['noise/position_rad', few],
      ['noise/velocity_rad_s', few],
    ];
  }
  const step = captures.some(isQuantised) ? TELEMETRY.position_quantum_rad : 0;
  const seen = (MEDIAN_SCALE * medianOf(angles)) / FOURTH;
  const left = Math.max(seen * seen - (step * step) / 12, 0);
  // Below half of the resolution the difference of two variances is rounding.
  const noise = left < (step * step) / 48 ? 0 : Math.sqrt(left);
  const rate = (MEDIAN_SCALE * medianOf(rates)) / THIRD;
  const share = 2.5 / Math.sqrt(angles.length);
  const around = (value: number, least: number): Estimate => ({
    value,
    low: Math.max(value * (1 - share) - least, 0),
    high: value * (1 + share) + least,
  });
  return [
    ['noise/position_rad', around(noise, step / 4)],
    ['noise/velocity_rad_s', around(rate, 1e-5)],
  ];
}

/** Motions whose delay behind the state of the robot is known that are needed. */
const DELAYS_MIN = 5;

/** A law that differs more from the motions than this does not show when they start (rad). */
const LAW_RESIDUAL_RAD = 2.5e-4;

/** Delay of the measurements: of the motion behind the state `running`. */
function latencyEstimate(captures: readonly Capture[], timing: TimingFit | null): Estimate {
  if (!timing) return { value: null, reason: 'there are too few straight motions' };
  const residual = timing.residuals[timing.timing.law];
  if (residual > LAW_RESIDUAL_RAD) {
    const far = `${(1000 * residual).toFixed(2)} mrad`;
    const reason = `no known law shows when motions start: they differ by ${far}`;
    return { value: null, reason };
  }
  const steady = new Set(
    captures.flatMap(({ kind, source }) => (kind === 'snapshots' ? [] : source)),
  );
  const delays = timing.used.flatMap((motion) => {
    if (motion.running_s === null || !steady.has(motion.source)) return [];
    const residuals = new Float64Array(motion.t_s.length);
    const profile = profileOfMotion(motion, timing.timing);
    return [alignProfile(motion, profile, residuals) - motion.running_s];
  });
  if (delays.length < DELAYS_MIN) {
    const marked = `the state of the robot marks the start of ${delays.length} motions`;
    const reason = `${marked}, ${DELAYS_MIN} are needed`;
    return { value: null, reason };
  }
  const value = medianOf(delays);
  const spread = MEDIAN_SCALE * medianOf(delays.map((delay) => Math.abs(delay - value)));
  const error = (2.5 * spread) / Math.sqrt(delays.length) + 0.002;
  if (value > LATENCY_MAX_S) {
    const most = `the ${1000 * LATENCY_MAX_S} ms that a twin simulates`;
    const reason = `${(1000 * value).toFixed(0)} ms are more than ${most}`;
    return { value: null, reason };
  }
  if (error > 0.01)
    return { value: null, reason: `its interval is ± ${(1000 * error).toFixed(0)} ms` };
  return { value: Math.max(value, 0), low: Math.max(value - error, 0), high: value + error };
}

const FEW_MOTIONS = 'there are fewer than six straight joint motions from rest to rest';
const FEW_TORQUES = 'the captures have motor torques, but the joints hardly moved in them';
const NO_TORQUES = 'no capture has motor torques; the public API of the arm does not publish them';

/** Names of the robots; throws where the captures are of different ones. */
function robotOf(captures: readonly Capture[]): string | null {
  const [first, ...others] = captures.filter(({ robot }) => robot !== null);
  const other = others.find(({ robot }) => robot !== first!.robot);
  if (!other) return first?.robot ?? null;
  const reason = `is of the arm "${other.robot}", and ${first!.source} of "${first!.robot}"`;
  throw new CaptureError(other.source, '', reason);
}

function profileOf(
  captures: readonly Capture[],
  { timing, dynamics, estimates }: Pick<ArmFit, 'timing' | 'dynamics' | 'estimates'>,
): ArmProfile {
  const robot = robotOf(captures);
  const known = (name: string) => estimates.get(name)?.value ?? null;
  const gaps: ProfileGap[] = [];
  if (!timing) gaps.push({ value: 'motion', reason: FEW_MOTIONS });
  if (!dynamics) {
    const hasTorques = captures.some(({ torque }) => torque !== null);
    gaps.push({ value: 'friction, load', reason: hasTorques ? FEW_TORQUES : NO_TORQUES });
  }
  const intervals: Record<string, [number, number]> = {};
  for (const [value, estimate] of estimates) {
    if (estimate.value === null) gaps.push({ value, reason: estimate.reason });
    else intervals[value] = [estimate.low, estimate.high];
  }
  const mass_kg = known('load/mass_kg');
  const ball = [0, 0, PAYLOAD_BALL.offset_beyond_flange_m] as const;
  const [x, y, z] = dynamics?.centre_of_mass_m ?? ball;
  return {
    armtwin_profile: 1,
    arm: ARM_MODEL,
    ...(robot !== null && { name: robot }),
    captures: captures.map(({ source }) => source),
    ...(timing && {
      motion: {
        law: timing.timing.law,
        velocity_rad_s: six(estimates, 'motion/velocity_rad_s', VELOCITY),
        acceleration_rad_s2: six(estimates, 'motion/acceleration_rad_s2', ACCELERATION),
        jerk_rad_s3: six(estimates, 'motion/jerk_rad_s3', JERK),
        ramp_s: clamped(estimates.get('motion/ramp_s'), RAMP_S) ?? timing.timing.ramp_s,
        braking_share: clamped(estimates.get('motion/braking_share'), BRAKING),
        tool_speed: timing.timing.tool_speed,
      },
    }),
    ...(dynamics && {
      friction: {
        viscous_n_m_s: six(estimates, 'friction/viscous_n_m_s', FRICTION),
        coulomb_n_m: six(estimates, 'friction/coulomb_n_m', FRICTION),
      },
    }),
    ...(mass_kg !== null && { load: { mass_kg, centre_of_mass_m: { x, y, z } } }),
    noise: {
      position_rad: known('noise/position_rad'),
      velocity_rad_s: known('noise/velocity_rad_s'),
    },
    latency_s: known('latency_s'),
    intervals,
    not_identifiable: gaps,
  };
}

function prefixed(prefix: string, estimates: ReadonlyMap<string, Estimate> | undefined) {
  return [...(estimates ?? [])].map(([name, each]) => [`${prefix}/${name}`, each] as const);
}

/** Estimates an arm from its captures. Throws CaptureError where they do not belong together. */
export function fitArm(captures: readonly Capture[]): ArmFit {
  const counts = captures.map((capture) => ({ source: capture.source, ...motionsOf(capture) }));
  const motions = counts.flatMap((count) => count.motions);
  const timing = fitTiming(motions);
  const dynamics = fitDynamics(captures);
  const estimates = new Map<string, Estimate>([
    ...prefixed('motion', timing?.estimates),
    ...prefixed('friction', dynamics?.friction),
    ...(dynamics ? [['load/mass_kg', dynamics.mass] as const] : []),
    ...noiseEstimates(captures),
    ['latency_s', latencyEstimate(captures, timing)],
  ]);
  const notes = [
    ...captures.flatMap(({ source, notes: own }) => own.map((note) => `${source}: ${note}`)),
    ...counts.map(
      ({ source, motions: found, curved, small, broken }) =>
        `${source}: ${found.length} straight motions; not used: ${curved} on other paths, ` +
        `${small} too small, ${broken} without rest at both ends or with lost samples`,
    ),
  ];
  const profile = profileOf(captures, { timing, dynamics, estimates });
  return { profile, estimates, motions, timing, dynamics, notes };
}
