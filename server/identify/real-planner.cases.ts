/** Arms with hidden parameters, and planners of their own timing laws, for the fit (test code). */
import type { Prng } from '../../physics/math/prng.ts';

/** Timing laws of planners: none is the twin's double-S. */
const REAL_LAWS = [
  'trapezoid',
  'cycloidal',
  'half_sine',
  'filtered',
  'asymmetric',
  'quintic',
  'septic',
] as const;

/** What is hidden from the fit. */
export interface RealArm {
  readonly law: (typeof REAL_LAWS)[number];
  readonly velocity: readonly number[];
  readonly acceleration: readonly number[];
  /** Averaging time of the laws filtered and asymmetric (s). */
  readonly ramp_s: number;
  readonly viscous: readonly number[];
  readonly coulomb: readonly number[];
  readonly rotor: readonly number[];
  readonly load_kg: number;
  readonly load_m: readonly [number, number, number];
  /** Deviations of measured angles, rates and torques (share of the largest). */
  readonly noise_rad: number;
  readonly noise_rad_s: number;
  readonly noise_torque: number;
  readonly latency_s: number;
  readonly tool_m_s: number;
  /** Time between the end of a motion and the state `ready` (s). */
  readonly settling_s: number;
}

const MODEL_FRICTION = [1.2, 1.2, 1.0, 0.4, 0.4, 0.2];
const MODEL_COULOMB = [0.8, 0.8, 0.6, 0.25, 0.2, 0.1];
const MODEL_ROTOR = [0.3, 0.3, 0.2, 0.06, 0.05, 0.02];

/** Draws an arm. */
export function drawRealArm(random: Prng): RealArm {
  const between = (low: number, high: number) => low + (high - low) * random();
  const each = (low: number, high: number) => Array.from({ length: 6 }, () => between(low, high));
  const scaled = (values: readonly number[], low: number, high: number) =>
    values.map((value) => value * between(low, high));
  return {
    law: REAL_LAWS[Math.floor(REAL_LAWS.length * random())]!,
    velocity: each(0.9, 2.05),
    acceleration: each(4, 14),
    ramp_s: between(0.04, 0.2),
    viscous: scaled(MODEL_FRICTION, 0.6, 2),
    coulomb: scaled(MODEL_COULOMB, 0.6, 2.2),
    rotor: scaled(MODEL_ROTOR, 0.8, 1.25),
    load_kg: random() < 0.2 ? 0 : between(0.15, 1.2),
    load_m: [between(-0.03, 0.03), between(-0.03, 0.03), between(0.02, 0.08)],
    noise_rad: between(1e-5, 1e-4),
    noise_rad_s: between(5e-4, 5e-3),
    noise_torque: between(0.002, 0.01),
    latency_s: between(0.002, 0.024),
    tool_m_s: 1.5,
    settling_s: between(0, 0.12),
  };
}

/** A planned motion: samples of s every millisecond. */
export interface RealPlan {
  readonly duration_s: number;
  readonly s: Float64Array;
}

/** One step of the arm (s). */
export const REAL_STEP_S = 0.001;

function polynomialAt(law: 'quintic' | 'septic', t: number): number {
  if (law === 'quintic') return t ** 3 * (10 - 15 * t + 6 * t * t);
  return t ** 4 * (35 - 84 * t + 70 * t * t - 20 * t ** 3);
}

/** Largest speed and acceleration of the polynomials over distance and duration. */
const PEAKS = { quintic: [1.875, 5.7735], septic: [2.1875, 7.5132] } as const;

function polynomialPlan(law: 'quintic' | 'septic', v: number, a: number): RealPlan {
  const [speed, change] = PEAKS[law];
  const duration_s = Math.max(speed / v, Math.sqrt(change / a));
  const count = Math.ceil(duration_s / REAL_STEP_S) + 1;
  const s = Float64Array.from({ length: count }, (_, i) =>
    polynomialAt(law, Math.min((i * REAL_STEP_S) / duration_s, 1)),
  );
  return { duration_s, s };
}

/** Speed up at `a`, cruise at `v`, brake at `brake`, over the distance 1; then average. */
function rampPlan(arm: RealArm, v: number, a: number): RealPlan {
  const brake = arm.law === 'asymmetric' ? 0.6 * a : a;
  const ramp_s = arm.law === 'filtered' || arm.law === 'asymmetric' ? arm.ramp_s : 0;
  // Ramps of the same largest acceleration take longer where they start and end gently.
  const slow = arm.law === 'cycloidal' ? 2 : arm.law === 'half_sine' ? Math.PI / 2 : 1;
  const peak = Math.min(v, Math.sqrt(2 / (slow * (1 / a + 1 / brake))));
  const [up_s, down_s] = [(slow * peak) / a, (slow * peak) / brake];
  const cruise_s = Math.max(1 / peak - (up_s + down_s) / 2, 0);
  const base_s = up_s + cruise_s + down_s;
  const speedAt = (t: number): number => {
    if (t <= 0 || t >= base_s) return 0;
    const rise = Math.min(t / up_s, (base_s - t) / down_s, 1);
    if (arm.law === 'cycloidal')
      return peak * (rise - Math.sin(2 * Math.PI * rise) / (2 * Math.PI));
    return peak * (arm.law === 'half_sine' ? (1 - Math.cos(Math.PI * rise)) / 2 : rise);
  };
  const duration_s = base_s + ramp_s;
  const count = Math.ceil(duration_s / REAL_STEP_S) + 1;
  const fine = 10;
  const width = Math.max(1, Math.round((ramp_s / REAL_STEP_S) * fine));
  const total = count * fine;
  const distance = new Float64Array(total + 1);
  for (let i = 1; i <= total; i++) {
    const t = ((i - 0.5) * REAL_STEP_S) / fine;
    distance[i] = distance[i - 1]! + (speedAt(t) * REAL_STEP_S) / fine;
  }
  const sums = new Float64Array(total + 2);
  for (let i = 0; i <= total; i++) sums[i + 1] = sums[i]! + distance[i]!;
  const s = Float64Array.from({ length: count }, (_, i) => {
    const at = i * fine;
    if (ramp_s === 0) return distance[at]! / distance[total]!;
    const from = Math.max(at - width, 0);
    return (sums[at + 1]! - sums[from + 1]! + distance[0]!) / width / distance[total]!;
  });
  return { duration_s, s };
}

/** The arm's planner: a straight joint motion with this travel and the slowest joint's limits. */
export function planTravel(arm: RealArm, travel: readonly number[], slower: number): RealPlan {
  const limit = (limits: readonly number[]) =>
    Math.min(...travel.map((d, j) => limits[j]! / Math.max(Math.abs(d), 1e-9)));
  const [v, a] = [limit(arm.velocity) / slower, limit(arm.acceleration)];
  const { law } = arm;
  return law === 'quintic' || law === 'septic' ? polynomialPlan(law, v, a) : rampPlan(arm, v, a);
}
