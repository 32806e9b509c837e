/**
 * Turns joint angles that arrive 20 to 50 times a second, unevenly, into a smooth pose at display
 * rate. Drawn a little late, between two received samples: nothing is ever guessed ahead, so the
 * arm on screen stands only where the real one has been. Pure: time is an argument.
 */

const JOINTS = 6;
const KEPT = 32;
/** A longer silence is rest, not a slow stream. */
const REST_MS = 120;
const INTERVAL_START_MS = 20;
const DELAY_MIN_MS = 20;
const DELAY_MAX_MS = 150;
/** How much of an arrival's lateness is believed; the rest is the network's jitter. */
const BELIEF = 0.15;

interface Sample {
  at_ms: number;
  readonly joints: Float64Array;
}

export interface PoseBuffer {
  /** Takes joint angles (rad) that arrived at a time. */
  push(joints: ArrayLike<number>, now_ms: number): void;
  /** Writes the pose to draw into `out`; true while later samples are still to be shown. */
  sample(now_ms: number, out: Float64Array): boolean;
  /** How late the drawn pose is behind the newest sample's arrival. */
  delay_ms(): number;
  clear(): void;
}

function slope(a: Sample, b: Sample, joint: number): number {
  return (b.joints[joint]! - a.joints[joint]!) / Math.max(b.at_ms - a.at_ms, 1e-3);
}

/** Tangent that never overshoots: none at a turning point, else the harmonic mean. */
function tangent(before: number, after: number): number {
  return before * after <= 0 ? 0 : (2 * before * after) / (before + after);
}

/** Writes the pose at `at_ms` between samples i and i + 1: a monotone cubic through both. */
function between(samples: readonly Sample[], i: number, at_ms: number, out: Float64Array): void {
  const a = samples[i]!;
  const b = samples[i + 1]!;
  const before = samples[i - 1];
  const after = samples[i + 2];
  const h = b.at_ms - a.at_ms;
  const t = (at_ms - a.at_ms) / h;
  for (let j = 0; j < JOINTS; j++) {
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

function same(a: Float64Array, b: ArrayLike<number>): boolean {
  for (let j = 0; j < JOINTS; j++) if (a[j] !== b[j]) return false;
  return true;
}

/** An empty buffer; until the first push, `sample` leaves `out` as it is. */
export function createPoseBuffer(): PoseBuffer {
  let samples: Sample[] = [];
  let interval_ms = INTERVAL_START_MS;
  let jitter_ms = 0;
  let delay_ms = 1.5 * INTERVAL_START_MS;
  let arrived_ms = 0;
  let gaps = 0;

  function learn(gap_ms: number): void {
    gaps++;
    const gain = Math.max(1 / gaps, 0.1);
    interval_ms += gain * (gap_ms - interval_ms);
    jitter_ms += gain * (Math.abs(gap_ms - interval_ms) - jitter_ms);
    const wanted = 1.5 * interval_ms + 2 * jitter_ms;
    const held = Math.min(Math.max(wanted, DELAY_MIN_MS), DELAY_MAX_MS);
    // Slow enough that the drawn arm seems neither to hesitate nor to hurry.
    delay_ms += Math.max(1 / gaps, 0.05) * (held - delay_ms);
  }

  /** When the sample was probably sent, on this page's clock. */
  function believe(last: Sample, now_ms: number): number {
    const expected = last.at_ms + interval_ms;
    const belief = Math.max(1 / (gaps + 1), BELIEF);
    return Math.max(expected + belief * (now_ms - expected), last.at_ms + 1);
  }

  function add(joints: ArrayLike<number>, at_ms: number): void {
    samples.push({ at_ms, joints: Float64Array.from(joints) });
    if (samples.length > KEPT) samples.shift();
  }

  return {
    push(joints, now_ms) {
      const last = samples.at(-1);
      const gap_ms = now_ms - arrived_ms;
      arrived_ms = now_ms;
      if (!last) return add(joints, now_ms);
      if (gap_ms <= REST_MS) {
        learn(gap_ms);
        return add(joints, believe(last, now_ms));
      }
      if (same(last.joints, joints)) {
        last.at_ms = Math.max(last.at_ms, now_ms);
        return;
      }
      // The arm stood still in the silence and moves since about one interval.
      samples = [last];
      add(last.joints, Math.max(now_ms - interval_ms, last.at_ms + 1));
      add(joints, Math.max(now_ms, last.at_ms + 2));
    },
    sample(now_ms, out) {
      const last = samples.at(-1);
      if (!last) return false;
      const at_ms = now_ms - delay_ms;
      if (at_ms >= last.at_ms) {
        out.set(last.joints);
        return false;
      }
      let i = samples.length - 2;
      while (i >= 0 && samples[i]!.at_ms > at_ms) i--;
      if (i < 0) out.set(samples[0]!.joints);
      else between(samples, i, at_ms, out);
      return true;
    },
    delay_ms: () => delay_ms,
    clear() {
      samples = [];
    },
  };
}
