/** The sending times of messages that arrive with jitter. */

/** Whether a change of a section waits for the stream's next beat; others are sent at once. */
export const isOnBeat = (section: string) =>
  section.startsWith('servos.telemetry.') || section === 'global.inputs';

/** Messages that are late by less than this share of the beat show its length. */
const BEAT_SHARE = 0.5;
/** Half of the messages are less late than this share of the beat, or there is no beat. */
const STEADY_SHARE = 0.25;
/** Messages over which the beat is measured, and those along which it is then refined first. */
const BEAT_SPANS = [1, 8, 32, 128];
const FIRST_PART = 64;
/** Fewest messages that show a slope. */
const SLOPE_MIN = 12;
/** Messages further apart than this many beats are of another motion. */
const BURST_BEATS = 6;

/**
 * The sending times of messages that arrive with jitter: within a burst they are sent at a steady
 * beat, and the earliest arrivals are the least delayed. Without a beat they stay as they are.
 * Messages that were sent at once, between two beats, keep their arrival as far as the order of
 * all messages allows; `atOnce` holds their places, ascending.
 */
export function steadyTimes(
  arrivals_s: Float64Array,
  atOnce: readonly number[] = [],
): { readonly t_s: Float64Array; readonly jitter_s: number; readonly beat_s: number } {
  const between = new Set(atOnce);
  const steadied = steadyBeats(arrivals_s.filter((_, i) => !between.has(i)));
  const t_s = Float64Array.from(arrivals_s);
  let next = 0;
  for (let i = 0; i < t_s.length; i++) {
    const least = t_s[i - 1] ?? Number.NEGATIVE_INFINITY;
    const most = steadied.t_s[next] ?? Number.POSITIVE_INFINITY;
    t_s[i] = between.has(i) ? Math.min(Math.max(t_s[i]!, least), most) : steadied.t_s[next++]!;
  }
  return { ...steadied, t_s };
}

function steadyBeats(t_s: Float64Array) {
  const beat_s = beatOf(t_s);
  const late: number[] = [];
  let from = 0;
  for (let i = 1; i <= t_s.length; i++) {
    if (i < t_s.length && t_s[i]! - t_s[i - 1]! < BURST_BEATS * beat_s) continue;
    if (i - from >= 8) late.push(...steady(t_s.subarray(from, i), beat_s));
    from = i;
  }
  late.sort((a, b) => a - b);
  return { t_s, jitter_s: late[Math.floor(0.95 * late.length)] ?? 0, beat_s };
}

/**
 * The usual distance of two messages (s). That of neighbours depends on how they are sent and
 * held back; over many messages that averages out. Longer distances hold the ends of bursts.
 */
function beatOf(times: Float64Array): number {
  let beat_s = 0;
  for (const span of BEAT_SPANS) {
    const rows = Array.from(times.subarray(span), (t, i) => (t - times[i]!) / span);
    const inside = rows.filter((row) => beat_s === 0 || row < (1 + 2 / span) * beat_s);
    if (inside.length < SLOPE_MIN && beat_s > 0) break;
    beat_s = inside.sort((a, b) => a - b)[inside.length >> 1] ?? 0;
  }
  return beat_s;
}

/** Puts the times of one burst on their beat; returns how late each message was. */
function steady(times: Float64Array, usual_s: number): number[] {
  const count = times.length;
  const beats = new Float64Array(count);
  let beat_s = usual_s;
  let base = times[0]!;
  let late: number[] = [];
  const parts = [count, count];
  for (let part = FIRST_PART; part < count; part *= 2) parts.splice(-2, 0, part);
  for (const part of parts) {
    // From the end: of messages that arrive together all but the last are late.
    for (let i = part - 1; i >= 0; i--) {
      const own = Math.round((times[i]! - base) / beat_s);
      beats[i] = i === part - 1 ? own : Math.min(beats[i + 1]! - 1, own);
    }
    late = Array.from(times.subarray(0, part), (t, i) => t - beat_s * beats[i]!);
    base = tenth(late);
    const limit_s = base + BEAT_SHARE * beat_s;
    const slope = slopeOf(beats, times, (i) => i < part && late[i]! < limit_s);
    if (slope === null) continue;
    beat_s = slope;
    late = Array.from(times.subarray(0, part), (t, i) => t - beat_s * beats[i]!);
    base = tenth(late);
  }
  late = late.map((each) => each - base);
  const sorted = [...late].sort((a, b) => a - b);
  // Messages without a beat would be late by any share of it.
  const spread = sorted[Math.floor(0.5 * count)]! - sorted[Math.floor(0.1 * count)]!;
  if (spread > STEADY_SHARE * beat_s) return late.map(Math.abs);
  for (let i = 0; i < count; i++) times[i] = base + beat_s * beats[i]!;
  return late.map(Math.abs);
}

/** The value that a tenth of the values are below. */
function tenth(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 10)]!;
}

/** Slope of the points that count; null where they are too few or too close. */
function slopeOf(
  x: Float64Array,
  y: Float64Array,
  counts: (index: number) => boolean,
): number | null {
  const points = Array.from(x, (_, i) => i).filter(counts);
  const mean = (values: Float64Array) =>
    points.reduce((sum, i) => sum + values[i]!, 0) / points.length;
  const [mx, my] = [mean(x), mean(y)];
  let [top, bottom] = [0, 0];
  for (const i of points) {
    top += (x[i]! - mx) * (y[i]! - my);
    bottom += (x[i]! - mx) * (x[i]! - mx);
  }
  return points.length < SLOPE_MIN || bottom === 0 || top <= 0 ? null : top / bottom;
}
