import type { Motion } from './motions.ts';

/** Motions whose fastest flange speeds differ by less than this share have one speed cap. */
const CAP_SHARE = 0.012;
const CAP_MIN = 4;

/** Motions that one speed of the flange limited, and that speed. */
export function cappedMotions(motions: readonly Motion[]): {
  capped: Set<Motion>;
  cap: number | null;
} {
  const sorted = [...motions].sort((one, other) => one.flange_m_s - other.flange_m_s);
  const capped = new Set<Motion>();
  let cap: number | null = null;
  for (let from = 0; from < sorted.length; from++) {
    const low = sorted[from]!.flange_m_s;
    let end = from;
    while (end < sorted.length && sorted[end]!.flange_m_s <= low * (1 + CAP_SHARE)) end++;
    // By chance a few of many motions are as fast as each other.
    if (end - from < Math.max(CAP_MIN, 0.15 * sorted.length)) continue;
    for (const each of sorted.slice(from, end)) capped.add(each);
    cap = sorted[(from + end - 1) >> 1]!.flange_m_s;
  }
  return { capped, cap };
}
