/**
 * Estimates friction and load of an arm from its motor torques: what the model of the links does
 * not explain is linear in friction, rotor inertia, torque offsets, the ten numbers of the load and
 * a shift in time. Weighted least squares; intervals of 95 % from the disagreement of stretches of
 * the capture. SI units.
 */

import { DRIVE, FLANGE_M } from '../../physics/arm/arm-model.ts';
import { InverseDynamics } from '../../physics/dynamics/inverse-dynamics.ts';
import type { Capture } from './capture.ts';
import type { Estimate } from './estimate.ts';
import { solvePositive } from './normal-equations.ts';

export interface DynamicsFit {
  /** By the names of a profile: `viscous_n_m_s/0`, `coulomb_n_m/0` and so on. */
  readonly friction: ReadonlyMap<string, Estimate>;
  readonly mass: Estimate;
  /** In the frame of the flange; null where the load is too light to show it. */
  readonly centre_of_mass_m: readonly [number, number, number] | null;
  /** Torques that the model, and the fit, leave unexplained (N m, rms). */
  readonly before_n_m: number;
  readonly after_n_m: number;
}

const VISCOUS = 0;
const COULOMB = 6;
const ROTOR = 12;
const OFFSET = 18;
const LOAD = 24;
const SHIFT = 34;
const UNKNOWNS = 35;

/** What is likely before any data: deviations of the unknowns, zero in the mean. */
const PRIOR = [
  ...Array<number>(12).fill(5),
  ...Array<number>(6).fill(0.15),
  ...Array<number>(6).fill(1),
  ...[2, 0.3, 0.3, 0.3],
  ...Array<number>(6).fill(0.03),
  0.05,
];

/** Half the window that smooths the samples (s). */
const WINDOW_S = 0.05;
const WINDOW_MAX = 15;
/** A joint must be faster than this for its friction to have a sign (rad/s). */
const SLIDING_RAD_S = 0.06;
/** Smoothing of the sign of the Coulomb friction, as in the plants. */
const SMOOTH_RAD_S = DRIVE.coulomb_smooth_rad_s;
const WINDOWS_MAX = 5000;
/** Stretches whose disagreement gives the intervals (s). */
const STRETCH_S = 2;
/** Rows further off than this many deviations are contacts or other disturbances. */
const OUTLIER = 4;
/** Fewest rows of a joint that moves. */
const ROWS_MIN = 60;

/** A joint in motion at one moment. */
interface Row {
  readonly joint: number;
  readonly y: number;
  readonly x: Float64Array;
  readonly stretch: number;
}

/** Weights of a least-squares line over a window: its value and its slope in the middle. */
interface Kernel {
  readonly half: number;
  readonly value: Float64Array;
  readonly slope: Float64Array;
}

function kernelOf(step_s: number): Kernel {
  const half = Math.min(Math.max(Math.round(WINDOW_S / step_s), 2), WINDOW_MAX);
  const count = 2 * half + 1;
  const at = Float64Array.from({ length: count }, (_, i) => (i - half) * step_s);
  const [s0, s2, s4] = [0, 2, 4].map((n) => at.reduce((sum, t) => sum + t ** n, 0));
  const bottom = s0! * s4! - s2! * s2!;
  return {
    half,
    value: at.map((t) => (s4! - s2! * t * t) / bottom),
    slope: at.map((t) => t / s2!),
  };
}

/** One smoothed moment of an arm. */
interface Moment {
  readonly q: Float64Array;
  readonly rates: Float64Array;
  readonly accelerations: Float64Array;
  readonly torque: Float64Array;
  readonly torqueRate: Float64Array;
}

function momentAt(capture: Capture, { half, value, slope }: Kernel, at: number): Moment {
  const column = (data: Float64Array, weights: Float64Array) => {
    const out = new Float64Array(6);
    for (let k = 0; k < weights.length; k++) {
      for (let j = 0; j < 6; j++) out[j]! += weights[k]! * data[6 * (at + k - half) + j]!;
    }
    return out;
  };
  const torque = capture.torque!;
  return {
    q: column(capture.q, value),
    rates: column(capture.rates, value),
    accelerations: column(capture.rates, slope),
    torque: column(torque, value),
    torqueRate: column(torque, slope),
  };
}

/** Fills the rows of the joints that slide at a moment. */
class RowBuilder {
  readonly rows: Row[] = [];
  private readonly dynamics = new InverseDynamics();
  private readonly base = new Float64Array(6);
  private readonly loaded = new Float64Array(6);

  add(moment: Moment, stretch: number): void {
    const { q, rates, accelerations } = moment;
    const { dynamics, base, loaded } = this;
    dynamics.torque(q, { rates, accelerations }, base);
    const loads = Array.from({ length: 10 }, (_, k) => {
      dynamics.lastLink[k]! += 1;
      dynamics.torque(q, { rates, accelerations }, loaded);
      dynamics.lastLink[k]! -= 1;
      return loaded.map((torque, j) => torque - base[j]!);
    });
    for (let j = 0; j < 6; j++) {
      const rate = rates[j]!;
      if (Math.abs(rate) < SLIDING_RAD_S) continue;
      const x = new Float64Array(UNKNOWNS);
      x[VISCOUS + j] = rate;
      x[COULOMB + j] = rate / Math.sqrt(rate * rate + SMOOTH_RAD_S * SMOOTH_RAD_S);
      x[ROTOR + j] = accelerations[j]!;
      x[OFFSET + j] = 1;
      for (let k = 0; k < 10; k++) x[LOAD + k] = loads[k]![j]!;
      x[SHIFT] = moment.torqueRate[j]!;
      this.rows.push({ joint: j, y: moment.torque[j]! - base[j]!, x, stretch });
    }
  }
}

function rowsOf(captures: readonly Capture[]): Row[] {
  const builder = new RowBuilder();
  const total = captures.reduce((sum, { t_s }) => sum + t_s.length, 0);
  const stride = Math.max(1, Math.ceil(total / WINDOWS_MAX));
  captures.forEach((capture, number) => {
    const { t_s } = capture;
    const steps = Array.from(t_s.subarray(1), (t, i) => t - t_s[i]!).sort((a, b) => a - b);
    const step_s = steps[steps.length >> 1] ?? 0.02;
    const kernel = kernelOf(step_s);
    for (let i = kernel.half; i + kernel.half < t_s.length; i += stride) {
      const span_s = t_s[i + kernel.half]! - t_s[i - kernel.half]!;
      if (span_s > 1.2 * 2 * kernel.half * step_s) continue;
      const stretch = 100_000 * number + Math.floor(t_s[i]! / STRETCH_S);
      builder.add(momentAt(capture, kernel, i), stretch);
    }
  });
  return builder.rows;
}

interface Solution {
  readonly x: readonly number[];
  readonly errors: readonly number[];
  readonly deviations: Float64Array;
}

function residualOf({ x, y }: Row, unknowns: readonly number[]): number {
  let left = y;
  for (let i = 0; i < UNKNOWNS; i++) left -= x[i]! * unknowns[i]!;
  return left;
}

/** Deviation of the residuals of each joint (N m). */
function deviationsOf(rows: readonly Row[], unknowns: readonly number[]): Float64Array {
  const squares = new Float64Array(6);
  const counts = new Float64Array(6);
  for (const row of rows) {
    const left = residualOf(row, unknowns);
    squares[row.joint]! += left * left;
    counts[row.joint]! += 1;
  }
  return squares.map((square, j) => Math.max(Math.sqrt(square / Math.max(counts[j]!, 1)), 1e-4));
}

/** Weighted least squares with the prior; the errors come from the stretches. */
function solve(rows: readonly Row[], deviations: Float64Array): Omit<Solution, 'deviations'> {
  const matrix = PRIOR.map((deviation, i) =>
    PRIOR.map((_, k) => (i === k ? 1 / (deviation * deviation) : 0)),
  );
  const right = new Array<number>(UNKNOWNS).fill(0);
  for (const { x, y, joint } of rows) {
    const weight = 1 / (deviations[joint]! * deviations[joint]!);
    for (let i = 0; i < UNKNOWNS; i++) {
      if (x[i] === 0) continue;
      right[i]! += weight * x[i]! * y;
      for (let k = 0; k < UNKNOWNS; k++) matrix[i]![k]! += weight * x[i]! * x[k]!;
    }
  }
  const unknowns = solvePositive(matrix, right);
  const gradients = new Map<number, Float64Array>();
  for (const row of rows) {
    const gradient = gradients.get(row.stretch) ?? new Float64Array(UNKNOWNS);
    gradients.set(row.stretch, gradient);
    const left = residualOf(row, unknowns) / (deviations[row.joint]! * deviations[row.joint]!);
    for (let i = 0; i < UNKNOWNS; i++) gradient[i]! += left * row.x[i]!;
  }
  const errors = unknowns.map((_, i) => {
    const unit = unknowns.map((__, k) => (k === i ? 1 : 0));
    const inverse = solvePositive(matrix, unit);
    let square = 0;
    for (const gradient of gradients.values()) {
      let share = 0;
      for (let k = 0; k < UNKNOWNS; k++) share += inverse[k]! * gradient[k]!;
      square += share * share;
    }
    // What only the prior determines is as uncertain as the prior.
    return Math.sqrt(square + inverse[i]!);
  });
  return { x: unknowns, errors };
}

const DEVIATIONS = 2.2;
/** Widest interval of an identifiable friction, as a share and in N m. */
const FRICTION_SHARE = 0.25;
const FRICTION_N_M = 0.03;
/** Widest interval of an identifiable mass (kg). */
const MASS_KG = 0.1;
/** A lighter load does not show its centre of mass (kg). */
const CENTRE_MASS_KG = 0.1;

function frictionEstimate(value: number, error: number, count: number): Estimate {
  if (count < ROWS_MIN) return { value: null, reason: 'the joint hardly moved' };
  const half = DEVIATIONS * error;
  if (half > Math.max(FRICTION_SHARE * Math.abs(value), FRICTION_N_M)) {
    return { value: null, reason: `its interval is ± ${half.toFixed(2)}` };
  }
  return { value: Math.max(value, 0), low: Math.max(value - half, 0), high: value + half };
}

/** Fits friction and load; null where no capture has torques of joints in motion. */
export function fitDynamics(all: readonly Capture[]): DynamicsFit | null {
  const captures = all.filter(({ torque }) => torque !== null);
  const rows = captures.length > 0 ? rowsOf(captures) : [];
  if (rows.length < ROWS_MIN) return null;
  let deviations = new Float64Array(6).fill(1);
  let used = rows;
  let solution = solve(used, deviations);
  for (let round = 0; round < 3; round++) {
    deviations = Float64Array.from(deviationsOf(used, solution.x));
    const kept = deviations;
    const { x } = solution;
    used = rows.filter((row) => Math.abs(residualOf(row, x)) < OUTLIER * kept[row.joint]!);
    solution = solve(used, deviations);
  }
  const { x, errors } = solution;
  const counts = [0, 1, 2, 3, 4, 5].map((j) => used.filter(({ joint }) => joint === j).length);
  const friction = new Map<string, Estimate>();
  for (let j = 0; j < 6; j++) {
    const of = (at: number) => frictionEstimate(x[at + j]!, errors[at + j]!, counts[j]!);
    friction.set(`viscous_n_m_s/${j}`, of(VISCOUS));
    friction.set(`coulomb_n_m/${j}`, of(COULOMB));
  }
  const mass_kg = Math.max(x[LOAD]!, 0);
  const half = DEVIATIONS * errors[LOAD]!;
  const mass: Estimate =
    half > MASS_KG
      ? { value: null, reason: `its interval is ± ${half.toFixed(2)} kg; lift and turn the load` }
      : { value: mass_kg, low: Math.max(mass_kg - half, 0), high: mass_kg + half };
  const centre = [1, 2, 3].map((k) => x[LOAD + k]! / mass_kg);
  const rms = (values: readonly number[]) =>
    Math.sqrt(values.reduce((sum, each) => sum + each * each, 0) / values.length);
  return {
    friction,
    mass,
    centre_of_mass_m:
      mass_kg < CENTRE_MASS_KG ? null : [centre[0]!, centre[1]!, centre[2]! - FLANGE_M],
    before_n_m: rms(used.map(({ y }) => y)),
    after_n_m: rms(used.map((row) => residualOf(row, x))),
  };
}
