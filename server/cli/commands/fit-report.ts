/** What `armtwin fit` reports: the estimates, and how far twin and arm are apart before and after. */
import { ARM_LIMITS } from '../../../physics/motion/limits.ts';
import type { MotionTiming } from '../../../physics/motion/motion-timing.ts';
import type { ArmFit } from '../../identify/arm-fit.ts';
import { usedValue } from '../../identify/estimate.ts';
import { alignProfile, profileOfMotion, profileSpan } from '../../identify/motion-profile.ts';
import type { Motion } from '../../identify/motions.ts';
import { alignColumns } from '../text-table.ts';

/** Timing of a twin without a profile. */
const MODEL_TIMING: MotionTiming = {
  law: 'double_s',
  velocity_rad_s: [...ARM_LIMITS.velocity_rad_s],
  acceleration_rad_s2: [...ARM_LIMITS.acceleration_rad_s2],
  jerk_rad_s3: [...ARM_LIMITS.jerk_rad_s3],
  ramp_s: 0.1,
  braking_share: 1,
  tool_speed: 'where_reached',
};

/** How far a twin with a timing is from the arm, over many motions. */
interface Distance {
  /** Difference of the durations (share): in the middle, and of the worst twentieth. */
  readonly duration_p50: number;
  readonly duration_p95: number;
  /** Positions (rad): rms, and largest distance. */
  readonly rms_rad: number;
  readonly worst_rad: number;
}

/** Difference of a motion from a timing: span (share), rms and largest distance (rad). */
function differenceOf(motion: Motion, timing: MotionTiming) {
  const profile = profileOfMotion(motion, timing);
  const residuals = new Float64Array(motion.t_s.length);
  alignProfile(motion, profile, residuals);
  const square = residuals.reduce((sum, r) => sum + r * r, 0) / residuals.length;
  return {
    span: profileSpan(profile) / motion.span_s - 1,
    rms_rad: Math.sqrt(square),
    worst_rad: residuals.reduce((most, r) => Math.max(most, Math.abs(r)), 0),
  };
}

function distanceOf(motions: readonly Motion[], timing: MotionTiming): Distance {
  const each = motions.map((motion) => differenceOf(motion, timing));
  const spans = each.map(({ span }) => Math.abs(span)).sort((a, b) => a - b);
  const at = (share: number) => spans[Math.min(Math.ceil(share * spans.length), spans.length) - 1];
  const square = each.reduce((sum, { rms_rad }) => sum + rms_rad * rms_rad, 0);
  return {
    duration_p50: at(0.5) ?? 0,
    duration_p95: at(0.95) ?? 0,
    rms_rad: Math.sqrt(square / Math.max(each.length, 1)),
    worst_rad: Math.max(0, ...each.map(({ worst_rad }) => worst_rad)),
  };
}

/** The report as data. */
export function fitReport(fit: ArmFit) {
  const { timing, dynamics, profile } = fit;
  return {
    motions: fit.motions.length,
    used: timing?.used.length ?? 0,
    capped: timing?.capped.length ?? 0,
    cap_m_s: timing?.cap_m_s ?? null,
    laws_rad: timing?.residuals ?? null,
    before: timing && distanceOf(timing.used, MODEL_TIMING),
    after: timing && distanceOf(timing.used, timing.timing),
    torques_before_n_m: dynamics?.before_n_m ?? null,
    torques_after_n_m: dynamics?.after_n_m ?? null,
    notes: fit.notes,
    profile,
  };
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
const milliradians = (angle: number) => `${(1000 * angle).toFixed(2)} mrad`;

function distanceRow(name: string, distance: Distance): string[] {
  return [
    name,
    percent(distance.duration_p50),
    percent(distance.duration_p95),
    milliradians(distance.rms_rad),
    milliradians(distance.worst_rad),
  ];
}

function estimateRows({ estimates }: ArmFit): string[][] {
  return [...estimates].map(([name, estimate]) => {
    if (estimate.value === null) {
      const used = usedValue(estimate);
      const seen = used === null ? '' : `; the profile has ${used.toPrecision(3)}, which fits`;
      return [name, 'not identifiable', estimate.reason + seen];
    }
    const { value, low, high } = estimate;
    return [name, value.toPrecision(4), `${low.toPrecision(4)} to ${high.toPrecision(4)}`];
  });
}

/** The report as lines for a terminal. */
export function fitReportText(fit: ArmFit): string {
  const report = fitReport(fit);
  const { before, after, laws_rad: laws } = report;
  const lines = [...fit.notes, ''];
  if (report.cap_m_s !== null) {
    const speed = report.cap_m_s.toFixed(3);
    lines.push(`${report.capped} motions were limited by a tool speed of ${speed} m/s: not used`);
  }
  if (fit.timing && laws) {
    const list = Object.entries(laws).map(([law, rms]) => `${law} ${milliradians(rms)}`);
    lines.push(`law ${fit.timing.timing.law}; residuals: ${list.join(', ')}`, '');
  }
  lines.push(...alignColumns([['value', 'estimate', '95 % of motions'], ...estimateRows(fit)]), '');
  lines.push(
    'An interval is how far motions agree, not how near the value is to that of the arm.',
    '',
  );
  for (const { value, reason } of fit.profile.not_identifiable ?? []) {
    if (!fit.estimates.has(value)) lines.push(`${value}: not identifiable: ${reason}`);
  }
  if (before && after) {
    const head = [`${report.used} motions`, 'duration p50', 'p95', 'position rms', 'worst'];
    const rows = [distanceRow('before', before), distanceRow('after', after)];
    lines.push(...alignColumns([head, ...rows]));
  }
  if (report.torques_after_n_m !== null) {
    const [was, is] = [report.torques_before_n_m!, report.torques_after_n_m];
    lines.push(`unexplained torque ${was.toFixed(3)} N m before, ${is.toFixed(3)} N m after`);
  }
  return `${lines.join('\n')}\n`;
}
