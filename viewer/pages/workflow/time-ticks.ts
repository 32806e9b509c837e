const STEPS_S = [
  1, 2, 5, 10, 20, 30, 60, 120, 240, 300, 600, 1200, 1800, 3600, 7200, 14400, 43200, 86400,
];

/** Round times (s) from 0 to `end_s` with labels, at least `least_s` apart. */
export function ticksUntil(end_s: number, least_s: number): { time_s: number; label: string }[] {
  const step_s = STEPS_S.find((step) => step >= least_s) ?? Math.ceil(least_s / 86400) * 86400;
  const [unit_s, unit] = step_s >= 3600 ? [3600, 'h'] : step_s >= 60 ? [60, 'min'] : [1, 's'];
  return Array.from({ length: Math.floor(end_s / step_s) + 1 }, (_, i) => {
    const time_s = i * step_s;
    return { time_s, label: `${Number((time_s / unit_s).toFixed(2))} ${unit}` };
  });
}
