/**
 * Jitter buffer for joint angles (rad): turns samples that arrive 20 to 50 times a second,
 * unevenly, into a smooth pose at display rate. The pose is delayed and interpolated between
 * received samples, never extrapolated, so the drawn arm only takes poses of the real arm. Pure:
 * time is an argument.
 */
import { JOINT_COUNT } from '../../physics/arm/arm-model.ts';

const KEPT = 32;
/** A longer gap means that the arm is at rest. */
const REST_MS = 120;
const INTERVAL_START_MS = 20;
const DELAY_MIN_MS = 20;
const DELAY_MAX_MS = 150;
/** Share of an arrival's lateness that shifts the time base; the rest counts as network jitter. */
const TIME_GAIN = 0.15;

interface Sample {
  at_ms: number;
  readonly joints: Float64Array;
}

function slope(a: Sample, b: Sample, joint: number): number {
  return (b.joints[joint]! - a.joints[joint]!) / Math.max(b.at_ms - a.at_ms, 1e-3);
}

/** Tangent without overshoot: zero at a turning point, else the harmonic mean. */
function tangent(before: number, after: number): number {
  return before * after <= 0 ? 0 : (2 * before * after) / (before + after);
}

function same(a: Float64Array, b: ArrayLike<number>): boolean {
  for (let j = 0; j < JOINT_COUNT; j++) if (a[j] !== b[j]) return false;
  return true;
}

/** A buffer of poses, at first empty; before the first push, `sample` leaves `out` unchanged. */
export class PoseBuffer {
  private samples: Sample[] = [];
  private interval_ms = INTERVAL_START_MS;
  private jitter_ms = 0;
  private delay = 1.5 * INTERVAL_START_MS;
  private arrived_ms = 0;
  private gaps = 0;

  /** Adds joint angles (rad) and their time of arrival. */
  push(joints: ArrayLike<number>, now_ms: number): void {
    const last = this.samples.at(-1);
    const gap_ms = now_ms - this.arrived_ms;
    this.arrived_ms = now_ms;
    if (!last) this.add(joints, now_ms);
    else if (gap_ms <= REST_MS) {
      this.adaptDelay(gap_ms);
      this.add(joints, this.estimateSentTime(last, now_ms));
    } else if (same(last.joints, joints)) last.at_ms = Math.max(last.at_ms, now_ms);
    else {
      // The arm was at rest during the gap and has been moving for about one interval.
      this.samples = [last];
      this.add(last.joints, Math.max(now_ms - this.interval_ms, last.at_ms + 1));
      this.add(joints, Math.max(now_ms, last.at_ms + 2));
    }
  }

  /** Writes the pose to draw into `out`; returns true while newer samples are pending. */
  sample(now_ms: number, out: Float64Array): boolean {
    const { samples } = this;
    const last = samples.at(-1);
    if (!last) return false;
    const at_ms = now_ms - this.delay;
    if (at_ms >= last.at_ms) {
      out.set(last.joints);
      return false;
    }
    let i = samples.length - 2;
    while (i >= 0 && samples[i]!.at_ms > at_ms) i--;
    if (i < 0) out.set(samples[0]!.joints);
    else this.interpolate(i, at_ms, out);
    return true;
  }

  /** Delay of the drawn pose behind the newest sample. */
  delay_ms(): number {
    return this.delay;
  }

  clear(): void {
    this.samples = [];
  }

  /** Writes the pose at `at_ms` between samples i and i + 1 by monotone cubic interpolation. */
  private interpolate(i: number, at_ms: number, out: Float64Array): void {
    const { samples } = this;
    const a = samples[i]!;
    const b = samples[i + 1]!;
    const before = samples[i - 1];
    const after = samples[i + 2];
    const h = b.at_ms - a.at_ms;
    const t = (at_ms - a.at_ms) / h;
    for (let j = 0; j < JOINT_COUNT; j++) {
      const d = slope(a, b, j);
      const m0 = before ? tangent(slope(before, a, j), d) : d;
      const m1 = after ? tangent(d, slope(b, after, j)) : d;
      const p0 = a.joints[j]!;
      const p1 = b.joints[j]!;
      const t2 = t * t;
      const t3 = t2 * t;
      out[j] =
        p0 * (2 * t3 - 3 * t2 + 1) +
        m0 * h * (t3 - 2 * t2 + t) +
        p1 * (3 * t2 - 2 * t3) +
        m1 * h * (t3 - t2);
    }
  }

  private adaptDelay(gap_ms: number): void {
    this.gaps++;
    const gain = Math.max(1 / this.gaps, 0.1);
    this.interval_ms += gain * (gap_ms - this.interval_ms);
    this.jitter_ms += gain * (Math.abs(gap_ms - this.interval_ms) - this.jitter_ms);
    const wanted = 1.5 * this.interval_ms + 2 * this.jitter_ms;
    const target = Math.min(Math.max(wanted, DELAY_MIN_MS), DELAY_MAX_MS);
    // Adapts slowly, so that the drawn speed does not visibly change.
    this.delay += Math.max(1 / this.gaps, 0.05) * (target - this.delay);
  }

  /** Estimates when the sample was sent, on this page's clock. */
  private estimateSentTime(last: Sample, now_ms: number): number {
    const expected = last.at_ms + this.interval_ms;
    const gain = Math.max(1 / (this.gaps + 1), TIME_GAIN);
    return Math.max(expected + gain * (now_ms - expected), last.at_ms + 1);
  }

  private add(joints: ArrayLike<number>, at_ms: number): void {
    this.samples.push({ at_ms, joints: Float64Array.from(joints) });
    if (this.samples.length > KEPT) this.samples.shift();
  }
}
