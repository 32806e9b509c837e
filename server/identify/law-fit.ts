/**
 * Fits one timing law to straight motions: each is compared along its whole length, shifted in
 * time; the values are logarithms. SI units.
 */

import type { TimingLaw } from '../../physics/motion/motion-timing.ts';
import { parametersOf, timingOfParameters } from './law-parameters.ts';
import { alignProfile, profileOfMotion } from './motion-profile.ts';
import type { Motion } from './motions.ts';
import { damped, type NormalEquations, solvePositive, standardErrors } from './normal-equations.ts';

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

/** Largest speed of s, and its largest change over a window (1/s, 1/s²). */
export function peaksOf(t_s: Float64Array, s: Float64Array): readonly [number, number] {
  const step = Math.max(2, Math.round(0.08 / ((t_s.at(-1)! - t_s[0]!) / t_s.length || 1)));
  const width = Math.min(step, 12);
  const speeds: number[] = [];
  for (let i = 0; i + width < s.length; i++) {
    speeds.push((s[i + width]! - s[i]!) / (t_s[i + width]! - t_s[i]!));
  }
  let rise = 0;
  for (let i = 0; i + width < speeds.length; i++) {
    const time = t_s[i + width]! - t_s[i]!;
    rise = Math.max(rise, Math.abs(speeds[i + width]! - speeds[i]!) / time);
  }
  return [Math.max(0, ...speeds), rise];
}
