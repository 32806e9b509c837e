/**
 * Everything that captures say of an arm, as a profile: timing, friction, load, noise, latency. A
 * value that the captures do not hold is null in the profile, with the reason beside it. SI units.
 */
import type { ArmProfile, ProfileGap, ProfileMotion } from '../../contract/types.generated.ts';
import { PAYLOAD_BALL } from '../../physics/arm/arm-model.ts';
import { ARM_MODEL } from '../../physics/motion/arm-profile.ts';
import { type Capture, CaptureError } from './capture.ts';
import { type DynamicsFit, fitDynamics } from './dynamics-fit.ts';
import { type Estimate, usedValue } from './estimate.ts';
import { latencyEstimate } from './latency-fit.ts';
import { type Motion, motionsOf } from './motions.ts';
import { noiseEstimates } from './noise-fit.ts';
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
