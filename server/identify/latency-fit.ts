/** Estimates how late the measurements of an arm are. */
import type { Capture } from './capture.ts';
import type { Estimate } from './estimate.ts';
import { MEDIAN_SCALE, medianOf } from './median.ts';
import { alignProfile, profileOfMotion } from './motion-profile.ts';
import type { TimingFit } from './timing-fit.ts';

const LATENCY_MAX_S = 0.031;

/** Motions whose delay behind the state of the robot is known that are needed. */
const DELAYS_MIN = 5;

/** A law that differs more from the motions than this does not show when they start (rad). */
const LAW_RESIDUAL_RAD = 2.5e-4;

/** Delay of the measurements: of the motion behind the state `running`. */
export function latencyEstimate(captures: readonly Capture[], timing: TimingFit | null): Estimate {
  if (!timing) return { value: null, reason: 'there are too few straight motions' };
  const residual = timing.residuals[timing.timing.law];
  if (residual > LAW_RESIDUAL_RAD) {
    const far = `${(1000 * residual).toFixed(2)} mrad`;
    const reason = `no known law shows when motions start: they differ by ${far}`;
    return { value: null, reason };
  }
  const steady = new Set(
    captures.flatMap(({ kind, source }) => (kind === 'snapshots' ? [] : source)),
  );
  const delays = timing.used.flatMap((motion) => {
    if (motion.running_s === null || !steady.has(motion.source)) return [];
    const residuals = new Float64Array(motion.t_s.length);
    const profile = profileOfMotion(motion, timing.timing);
    return [alignProfile(motion, profile, residuals) - motion.running_s];
  });
  if (delays.length < DELAYS_MIN) {
    const marked = `the state of the robot marks the start of ${delays.length} motions`;
    const reason = `${marked}, ${DELAYS_MIN} are needed`;
    return { value: null, reason };
  }
  const value = medianOf(delays);
  const spread = MEDIAN_SCALE * medianOf(delays.map((delay) => Math.abs(delay - value)));
  const error = (2.5 * spread) / Math.sqrt(delays.length) + 0.002;
  if (value > LATENCY_MAX_S) {
    const most = `the ${1000 * LATENCY_MAX_S} ms that a twin simulates`;
    const reason = `${(1000 * value).toFixed(0)} ms are more than ${most}`;
    return { value: null, reason };
  }
  if (error > 0.01)
    return { value: null, reason: `its interval is ± ${(1000 * error).toFixed(0)} ms` };
  return { value: Math.max(value, 0), low: Math.max(value - error, 0), high: value + error };
}
