import type { ClockSync } from './capture-format.ts';

/** What was recorded and lost, and how well the clocks are known, as lines of text. */
export function captureSummary(
  { samples, lost_s }: { readonly samples: number; readonly lost_s: number },
  {
    duration_s,
    ahead_s,
    round_trip_s,
  }: Omit<ClockSync, 'probes'> & { readonly duration_s: number },
): string {
  const milliseconds = (seconds: number) => `${(1000 * seconds).toFixed(1)} ms`;
  const middle_s = ahead_s ? (ahead_s[0] + ahead_s[1]) / 2 : 0;
  const clock = ahead_s
    ? `${middle_s.toFixed(3)} s ± ${milliseconds(ahead_s[1] - middle_s)}`
    : 'not known: a clock was set, or the arm sends no date';
  return [
    `recorded ${samples} samples in ${duration_s.toFixed(1)} s`,
    `lost     ${lost_s.toFixed(2)} s`,
    `clock    of the arm ahead by ${clock}; shortest call ${milliseconds(round_trip_s)}`,
  ].join('\n');
}
