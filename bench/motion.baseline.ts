/**
 * Baseline of motion planning from the textbook: trapezoidal speed profiles sampled at 100 Hz,
 * lines with inverse kinematics at each sample (damped least squares), and a slowdown of the whole
 * motion until all samples keep the limits. No jerk limit.
 */

import { createLine } from '../physics/kinematics/cartesian-line.ts';
import { createFrames, forward } from '../physics/kinematics/forward.ts';
import { solveLocally } from '../physics/kinematics/local-solve.ts';
import { toolPoseAt } from '../physics/kinematics/tool.ts';
import { ARM_LIMITS } from '../physics/motion/limits.ts';
import type { MotionCaps } from '../physics/motion/motion-caps.ts';
import { toolOf } from '../physics/motion/motion-caps.ts';
import type { SpeedRows } from '../physics/motion/topp-ra.ts';

export interface BaselineMove {
  readonly start: Float64Array;
  readonly end: Float64Array;
}

const PERIOD_S = 0.01;
const SLOWER = 1.1;
const TRIES = 60;

/** Position s (0..1) at time `t` of a trapezoidal profile with speed `v` and acceleration `a`. */
function trapezoid(t: number, v: number, a: number): { s: number; duration_s: number } {
  const peak = Math.min(v, Math.sqrt(a));
  const duration_s = 1 / peak + peak / a;
  const ramp_s = peak / a;
  if (t <= 0) return { s: 0, duration_s };
  if (t >= duration_s) return { s: 1, duration_s };
  if (t < ramp_s) return { s: 0.5 * a * t * t, duration_s };
  if (t > duration_s - ramp_s) return { s: 1 - 0.5 * a * (duration_s - t) ** 2, duration_s };
  return { s: peak * (t - ramp_s / 2), duration_s };
}

/** Setpoints of a joint move, without the limits of the tool. */
export function planTrapezoidJoints({ start, end }: BaselineMove): number[][] {
  const travel = Math.max(...end.map((q, j) => Math.abs(q - start[j]!)));
  const v = ARM_LIMITS.velocity_rad_s[0]! / travel;
  const a = ARM_LIMITS.acceleration_rad_s2[0]! / travel;
  const { duration_s } = trapezoid(0, v, a);
  const frames = createFrames();
  const out: number[][] = [];
  for (let t = 0; t < duration_s + PERIOD_S; t += PERIOD_S) {
    const { s } = trapezoid(t, v, a);
    const q = Array.from(start, (from, j) => from + s * (end[j]! - from));
    forward(q, frames);
    out.push(q);
  }
  return out;
}

/** Duration of a line planned this way (s), or 0 when no try keeps the limits. */
export function planTrapezoidLine({ start, end }: BaselineMove, caps: MotionCaps): number {
  const tool = toolOf(caps);
  const from = toolPoseAt(start, tool);
  const to = toolPoseAt(end, tool);
  const line = createLine(from, to);
  const length = Math.hypot(to[9]! - from[9]!, to[10]! - from[10]!, to[11]! - from[11]!);
  let slow = 1;
  for (let n = 0; n < TRIES; n++) {
    const v = caps.tool_speed_m_s / length / slow;
    const a = ARM_LIMITS.tool_acceleration_m_s2 / length / slow / slow;
    if (keepsLimits(line, tool, start, { v, a })) return trapezoid(0, v, a).duration_s;
    slow *= SLOWER;
  }
  return 0;
}

function keepsLimits(
  line: ReturnType<typeof createLine>,
  tool: ReturnType<typeof toolOf>,
  start: Float64Array,
  { v, a }: { readonly v: number; readonly a: number },
): boolean {
  const pose = new Float64Array(12);
  const twist = new Float64Array(6);
  const { duration_s } = trapezoid(0, v, a);
  const goal = { target: 1e-22, accepted: 1e-18, iterations: 30 };
  let before = Float64Array.from(start);
  let here = Float64Array.from(start);
  for (let t = PERIOD_S; t < duration_s + 2 * PERIOD_S; t += PERIOD_S) {
    line.evaluate(Float64Array.of(trapezoid(t, v, a).s), pose, twist);
    const next = Float64Array.from(here);
    if (!solveLocally(next, pose, tool, goal)) return false;
    for (let j = 0; j < 6; j++) {
      const rate = (next[j]! - here[j]!) / PERIOD_S;
      const change = (next[j]! - 2 * here[j]! + before[j]!) / PERIOD_S ** 2;
      if (Math.abs(rate) > ARM_LIMITS.velocity_rad_s[j]!) return false;
      if (Math.abs(change) > ARM_LIMITS.acceleration_rad_s2[j]!) return false;
    }
    before = here;
    here = next;
  }
  return true;
}

const HALVINGS = 40;

/** The maximum x = (ds/dt)² at each node, by bisection on reaching the next node. */
export function baselineSpeeds(rows: SpeedRows): number[] {
  const last = rows.s.length - 1;
  const x = new Array<number>(last + 1).fill(0);
  for (let i = last - 1; i > 0; i--) {
    let low = 0;
    let high = rows.cap[i]!;
    for (let n = 0; n < HALVINGS; n++) {
      const middle = (low + high) / 2;
      const [least, most] = accelerationRange(rows, i, middle);
      const width = 2 * (rows.s[i + 1]! - rows.s[i]!);
      const arrives = least! <= most! && middle + width * least! <= x[i + 1]!;
      if (arrives && middle + width * most! >= 0) low = middle;
      else high = middle;
    }
    x[i] = low;
  }
  x[0] = 0;
  for (let i = 0; i < last; i++) {
    const most = accelerationRange(rows, i, x[i]!)[1]!;
    x[i + 1] = Math.min(x[i + 1]!, x[i]! + 2 * (rows.s[i + 1]! - rows.s[i]!) * most);
  }
  return x;
}

function accelerationRange(rows: SpeedRows, i: number, x: number): number[] {
  const from = rows.rows_per_node * i;
  const all = Array.from({ length: rows.rows_per_node }, (_, k) => from + k);
  return [
    Math.max(...all.map((k) => -rows.alpha[k]! - rows.beta[k]! * x)),
    Math.min(...all.map((k) => rows.alpha[k]! - rows.beta[k]! * x)),
  ];
}
