/**
 * Fits one timing law to straight motions: each is compared along its whole length, shifted in
 * time; the values are logarithms. SI units.
 */
import { doubleSLimits, type TimeProfile } from '../../physics/motion/jerk-phases.ts';
import type { MotionTiming, TimingLaw } from '../../physics/motion/limits.ts';
import { profileOfLaw } from '../../physics/motion/timing-laws.ts';
import { alignProfile, type Motion, peaksOf } from './motions.ts';

/**
 * A value with its confidence interval of 95 %; null: not identifiable, with the reason. `used` is
 * then a value that agrees with the data, such as the most that was seen.
 */
export type Estimate =
  | { readonly value: number; readonly low: number; readonly high: number }
  | { readonly value: null; readonly reason: string; readonly used?: number };

/** The value of an estimate, or one that agrees with the data; null for none. */
export function usedValue(estimate: Estimate | undefined): number | null {
  if (!estimate) return null;
  return estimate.value ?? ('used' in estimate ? (estimate.used ?? null) : null);
}

/** Solves a symmetric positive definite system by Cholesky; a vanishing pivot gives zero. */
export function solvePositive(matrix: readonly number[][], right: readonly number[]): number[] {
  const count = right.length;
  const l = matrix.map((row) => [...row]);
  const out = [...right];
  for (let i = 0; i < count; i++) {
    for (let k = 0; k <= i; k++) {
      let sum = l[i]![k]!;
      for (let n = 0; n < k; n++) sum -= l[i]![n]! * l[k]![n]!;
      if (k < i) l[i]![k] = l[k]![k]! > 0 ? sum / l[k]![k]! : 0;
      else l[i]![i] = sum > 0 ? Math.sqrt(sum) : 0;
    }
  }
  for (let i = 0; i < count; i++) {
    for (let n = 0; n < i; n++) out[i]! -= l[i]![n]! * out[n]!;
    out[i] = l[i]![i]! > 0 ? out[i]! / l[i]![i]! : 0;
  }
  for (let i = count - 1; i >= 0; i--) {
    for (let n = i + 1; n < count; n++) out[i]! -= l[n]![i]! * out[n]!;
    out[i] = l[i]![i]! > 0 ? out[i]! / l[i]![i]! : 0;
  }
  return out;
}

/** The equations of one step. */
export interface NormalEquations {
  readonly matrix: number[][];
  readonly right: number[];
  /** The gradient of each group of data. */
  readonly gradients: readonly number[][];
}

/** A parameter of smaller slope has no effect. */
const NO_SLOPE = 1e-10;

/** The matrix with a larger diagonal. */
export function damped(matrix: readonly number[][], damping: number): number[][] {
  return matrix.map((row, i) =>
    row.map((value, k) => (i === k ? value * (1 + damping) + 1e-12 : value)),
  );
}

/** Standard errors from the disagreement of the groups; infinite where nothing depends on it. */
export function standardErrors({ matrix, gradients }: NormalEquations): number[] {
  const base = damped(matrix, 1e-9);
  return matrix.map((_, i) => {
    if (matrix[i]![i]! < NO_SLOPE) return Number.POSITIVE_INFINITY;
    const unit = matrix.map((__, k) => (k === i ? 1 : 0));
    const row = solvePositive(base, unit);
    const square = gradients.reduce((sum, gradient) => {
      const share = gradient.reduce((part, value, k) => part + value * row[k]!, 0);
      return sum + share * share;
    }, 0);
    return Math.sqrt(square);
  });
}

/** The laws that are tried. */
export const LAWS: readonly TimingLaw[] = [
  'double_s',
  'filtered',
  'cycloidal',
  'half_sine',
  'quintic',
  'septic',
];
/** Numbers of the parameters behind the eighteen limits. */
export const RAMP = 18;
export const BRAKING = 19;

/**
 * The timing of parameters, which are logarithms: six speeds, accelerations and jerks, the ramp,
 * the braking share.
 */
export function timingOfParameters(law: TimingLaw, x: readonly number[]): MotionTiming {
  const part = (from: number) => x.slice(from, from + 6).map(Math.exp);
  return {
    law,
    velocity_rad_s: part(0),
    acceleration_rad_s2: part(6),
    jerk_rad_s3: part(12),
    ramp_s: Math.exp(x[RAMP]!),
    braking_share: Math.exp(x[BRAKING]!),
    tool_speed: 'whole_motion',
  };
}

/** The profile of a straight motion under a timing, without limits of the tool. */
export function profileOfMotion(
  { travel }: Pick<Motion, 'travel'>,
  timing: MotionTiming,
): TimeProfile {
  return profileOfLaw(timing, 0, doubleSLimits(travel, timing));
}

/** The parameters that a law has. */
function parametersOf(law: TimingLaw): number[] {
  const limits = law === 'double_s' ? 18 : 12;
  const list = Array.from({ length: limits }, (_, i) => i);
  return law === 'filtered' ? [...list, RAMP, BRAKING] : list;
}

/** First values: the fastest that the joints were seen to be. */
function firstGuess(motions: readonly Motion[], ramp_s: number): number[] {
  const v = new Float64Array(6).fill(0.2);
  const a = new Float64Array(6).fill(1);
  for (const { t_s, s, travel } of motions) {
    const [peak, rise] = peaksOf(t_s, s);
    for (let j = 0; j < 6; j++) {
      v[j] = Math.max(v[j]!, peak * Math.abs(travel[j]!));
      a[j] = Math.max(a[j]!, rise * Math.abs(travel[j]!));
    }
  }
  const jerk = a.map((value) => value / ramp_s);
  return [...v, ...a, ...jerk, ramp_s, 1].map(Math.log);
}

interface Evaluation {
  /** Residuals of each motion (rad), and their mean squares. */
  readonly residuals: readonly Float64Array[];
  readonly squares: readonly number[];
}

function evaluate(law: TimingLaw, motions: readonly Motion[], x: readonly number[]): Evaluation {
  const timing = timingOfParameters(law, x);
  const residuals = motions.map((motion) => {
    const out = new Float64Array(motion.t_s.length);
    alignProfile(motion, profileOfMotion(motion, timing), out);
    return out;
  });
  const squares = residuals.map((each) => each.reduce((sum, r) => sum + r * r, 0) / each.length);
  return { residuals, squares };
}

/** A law with its values. */
export interface LawFit {
  readonly law: TimingLaw;
  /** What was fitted; the rest is given. */
  readonly parameters: readonly number[];
  readonly x: readonly number[];
  /** Residual of the positions (rad). */
  readonly rms: number;
  /** Standard errors of the logarithms; infinite where nothing depends on them. */
  readonly errors: ReadonlyMap<number, number>;
  readonly weights: readonly number[];
}

const ROUNDS = 25;
const STEP = 1e-4;
const DAMPING_FIRST = 1e-3;

/** Weights that leave out motions which the law does not explain: slower ones, odd ones. */
function weightsOf(squares: readonly number[]): number[] {
  const sorted = [...squares].sort((a, b) => a - b);
  const usual = Math.max(sorted[sorted.length >> 1] ?? 0, 1e-9);
  return squares.map((square) => 1 / (1 + (square / (9 * usual)) ** 2));
}

function weightedMean(values: readonly number[], weights: readonly number[]): number {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return values.reduce((sum, value, i) => sum + weights[i]! * value, 0) / total;
}

/** First values of the time in which the acceleration rises (s). */
const RAMPS_S = [0.1, 0.015];

/** A trapezoid of speed is a double-S whose jerk nothing shows (s, of its ramps). */
const NO_RAMP_S = 0.002;

/** Fits a law, from more than one start where it has ramps. */
export function fitLaw(law: TimingLaw, motions: readonly Motion[]): LawFit {
  const hasRamps = law === 'double_s' || law === 'filtered';
  const fits = (hasRamps ? RAMPS_S : RAMPS_S.slice(0, 1)).map((ramp_s) =>
    fitFrom({ law, parameters: parametersOf(law) }, motions, firstGuess(motions, ramp_s)),
  );
  return fits.reduce((best, fit) => (fit.rms < best.rms ? fit : best));
}

/** Fits a trapezoid of speed: the law `filtered` without averaging. */
export function fitTrapezoid(motions: readonly Motion[]): LawFit {
  const parameters = parametersOf('cycloidal');
  return fitFrom({ law: 'filtered', parameters }, motions, firstGuess(motions, NO_RAMP_S));
}

/** Levenberg-Marquardt from `first`. */
function fitFrom(
  { law, parameters }: Pick<LawFit, 'law' | 'parameters'>,
  motions: readonly Motion[],
  first: readonly number[],
): LawFit {
  let x = first;
  let now = evaluate(law, motions, x);
  let damping = DAMPING_FIRST;
  let system = normalEquations({ law, parameters }, motions, { x, now });
  for (let round = 0; round < ROUNDS && damping <= 1e3; round++) {
    const step = solvePositive(damped(system.matrix, damping), system.right);
    const next = [...x];
    parameters.forEach((p, i) => {
      next[p] = x[p]! - Math.max(-0.3, Math.min(0.3, step[i]!));
    });
    const then = evaluate(law, motions, next);
    const weights = weightsOf(now.squares);
    const before = weightedMean(now.squares, weights);
    const after = weightedMean(then.squares, weights);
    if (!(after < before)) {
      damping *= 8;
      continue;
    }
    [x, now, damping] = [next, then, Math.max(damping / 4, 1e-9)];
    system = normalEquations({ law, parameters }, motions, { x, now });
    if (after > before * (1 - 1e-6)) break;
  }
  const weights = weightsOf(now.squares);
  const rms = Math.sqrt(weightedMean(now.squares, weights));
  const errors = standardErrors(system).map((error, i) => [parameters[i]!, error] as const);
  return { law, parameters, x, rms, errors: new Map(errors), weights };
}

function normalEquations(
  { law, parameters }: Pick<LawFit, 'law' | 'parameters'>,
  motions: readonly Motion[],
  { x, now }: { readonly x: readonly number[]; readonly now: Evaluation },
): NormalEquations {
  const weights = weightsOf(now.squares);
  const columns = parameters.map((p) => {
    const moved = [...x];
    moved[p]! += STEP;
    return evaluate(law, motions, moved).residuals;
  });
  const count = parameters.length;
  const matrix = Array.from({ length: count }, () => new Array<number>(count).fill(0));
  const right = new Array<number>(count).fill(0);
  const gradients = motions.map((_, m) => {
    const residuals = now.residuals[m]!;
    const weight = weights[m]! / residuals.length;
    const slopes = columns.map((column) => column[m]!.map((r, i) => (r - residuals[i]!) / STEP));
    return slopes.map((slope, i) => {
      for (let k = 0; k <= i; k++) {
        const other = slopes[k]!;
        let sum = 0;
        for (let n = 0; n < slope.length; n++) sum += slope[n]! * other[n]!;
        matrix[i]![k]! += weight * sum;
        if (k < i) matrix[k]![i] = matrix[i]![k]!;
      }
      let gradient = 0;
      for (let n = 0; n < slope.length; n++) gradient += slope[n]! * residuals[n]!;
      right[i]! += weight * gradient;
      return weight * gradient;
    });
  });
  return { matrix, right, gradients };
}
