/**
 * Estimates how an arm times straight joint motions: selects the law that fits best and says which
 * of its values the motions hold. Intervals are of 95 %, from the differences between motions. A
 * limit that bound fewer than three motions is not identifiable. SI units.
 */

import { ARM_LIMITS } from '../../physics/motion/limits.ts';
import type { MotionTiming, TimingLaw } from '../../physics/motion/motion-timing.ts';
import { cappedMotions } from './capped-motions.ts';
import { type Estimate, usedValue } from './estimate.ts';
import { fitLaw, fitTrapezoid, type LawFit } from './law-fit.ts';
import { BRAKING, LAWS, RAMP, timingOfParameters } from './law-parameters.ts';
import { profileOfMotion } from './motion-profile.ts';
import type { Motion } from './motions.ts';

export interface TimingFit {
  readonly timing: MotionTiming;
  /** Estimates by the names of a profile: `velocity_rad_s/0` and so on. */
  readonly estimates: ReadonlyMap<string, Estimate>;
  /** Residual of each law (rad, rms of the motions used). */
  readonly residuals: Readonly<Record<TimingLaw, number>>;
  /** The motions that the estimate rests on, and those limited by the speed of the tool. */
  readonly used: readonly Motion[];
  readonly capped: readonly Motion[];
  /** The speed that limited them (m/s). */
  readonly cap_m_s: number | null;
}

/** Names of the limits of the joints in a profile, in the order of the parameters. */
const NAMES = ['velocity_rad_s', 'acceleration_rad_s2', 'jerk_rad_s3'] as const;
/** Fewest motions that a limit must have bound. */
const SUPPORT_MIN = 3;
/** A limit binds a motion when 1 % more of it shortens the motion by this share. */
const BINDING_SHARE = 3e-4;
const FASTER = 1.01;
/** A joint with less travel than this shows nothing (rad). */
const MOVED_RAD = 0.03;
/** Widest interval of an identifiable value, as a share of it on each side. */
const INTERVAL_MAX = 0.25;
/** Most motions of a fit. */
const MOTIONS_MAX = 150;
/** A double-S explains motions as well as another law when it is this close. */
const TIE = 1.01;
/**
 * A trapezoid explains motions as well as a law with ramps when it is this close: servos smooth the
 * steps of its acceleration.
 */
const TRAPEZOID_TIE = 1.15;

/** How many of the motions a parameter bound. */
function supportOf(fit: LawFit, motions: readonly Motion[], p: number): number {
  const faster = [...fit.x];
  faster[p]! += p === RAMP ? -Math.log(FASTER) : Math.log(FASTER);
  const [now, then] = [timingOfParameters(fit.law, fit.x), timingOfParameters(fit.law, faster)];
  return motions.filter((motion, m) => {
    if (fit.weights[m]! < 0.5) return false;
    const before_s = profileOfMotion(motion, now).duration_s;
    const after_s = profileOfMotion(motion, then).duration_s;
    return before_s - after_s > BINDING_SHARE * before_s;
  }).length;
}

/** Two standard errors of a small sample. */
const DEVIATIONS = 2.2;

/** How many motions moved the joint of a parameter. */
function movedOf(fit: LawFit, motions: readonly Motion[], p: number): number {
  if (p >= RAMP) return motions.length;
  return motions.filter(
    ({ travel }, m) => fit.weights[m]! >= 0.5 && Math.abs(travel[p % 6]!) > MOVED_RAD,
  ).length;
}

function estimateOf(fit: LawFit, motions: readonly Motion[], p: number): Estimate {
  const support = supportOf(fit, motions, p);
  const value = Math.exp(fit.x[p]!);
  if (movedOf(fit, motions, p) < SUPPORT_MIN) {
    return { value: null, reason: 'the joint hardly moved; capture motions of this joint alone' };
  }
  // A speed that nothing reached may be anything up to the rating.
  const used = p < 6 && support === 0 ? {} : { used: value };
  if (support < SUPPORT_MIN) {
    const seen = p < 6 ? `; the joint was seen at up to ${value.toPrecision(3)} rad/s` : '';
    const reason = `it limited ${support} motions, ${SUPPORT_MIN} are needed${seen}`;
    return { value: null, reason, ...used };
  }
  const error = DEVIATIONS * fit.errors.get(p)! + 1e-4;
  if (!(error < INTERVAL_MAX)) {
    const reason = `its interval is ± ${(100 * error).toFixed(0)} % wide`;
    return { value: null, reason, used: value };
  }
  return { value, low: value * Math.exp(-error), high: value * Math.exp(error) };
}

/** Largest speed that a profile may have: the rating of the joints (rad/s). */
const RATING_RAD_S = 2.0944;
/** Largest jerk that a profile may have (rad/s³); above it a motion starts as if without limit. */
const JERK_MAX_RAD_S3 = 20_000;

/** Fits the timing; null when there are too few straight motions. */
export function fitTiming(all: readonly Motion[]): TimingFit | null {
  const { capped, cap } = cappedMotions(all);
  const free = all.filter((motion) => !capped.has(motion));
  const stride = Math.ceil(free.length / MOTIONS_MAX);
  const motions = free.filter((_, i) => i % stride === 0);
  if (motions.length < 2 * SUPPORT_MIN) return null;
  const fits = LAWS.map((law) => fitLaw(law, motions));
  const residuals = Object.fromEntries(fits.map(({ law, rms }) => [law, rms]));
  const least = Math.min(...fits.map(({ rms }) => rms));
  const trapezoid = fitTrapezoid(motions);
  const isTrapezoid = trapezoid.rms <= TRAPEZOID_TIE * least;
  const fit = isTrapezoid ? trapezoid : fits.find(({ rms }) => rms <= TIE * least)!;
  const estimates = new Map<string, Estimate>();
  const joint = (p: number): string => `${NAMES[Math.floor(p / 6)]}/${p % 6}`;
  for (const p of fit.parameters) {
    const name = p === RAMP ? 'ramp_s' : p === BRAKING ? 'braking_share' : joint(p);
    estimates.set(name, estimateOf(fit, motions, p));
  }
  const known = (i: number, model: Float64Array, most: number) =>
    Array.from(model, (value, j) =>
      Math.min(usedValue(estimates.get(`${NAMES[i]}/${j}`)) ?? value, most),
    );
  const timing: MotionTiming = {
    law: fit.law,
    velocity_rad_s: known(0, ARM_LIMITS.velocity_rad_s, RATING_RAD_S),
    acceleration_rad_s2: known(1, ARM_LIMITS.acceleration_rad_s2, 100),
    jerk_rad_s3: known(2, ARM_LIMITS.jerk_rad_s3, JERK_MAX_RAD_S3),
    ramp_s: Math.exp(fit.x[RAMP]!),
    braking_share: Math.exp(fit.x[BRAKING]!),
    tool_speed: fit.law === 'double_s' ? 'where_reached' : 'whole_motion',
  };
  return {
    timing,
    estimates,
    residuals: residuals as Record<TimingLaw, number>,
    used: motions.filter((_, i) => fit.weights[i]! >= 0.5),
    capped: [...capped],
    cap_m_s: cap,
  };
}
