import type { Pace } from '../clock/clock.ts';

/** Parses a pace: a positive number, `max` or `stepped`; null for anything else. */
export function parsePace(text: string): Pace | null {
  if (text === 'max' || text === 'stepped') return { kind: text };
  const factor = Number(text);
  return Number.isFinite(factor) && factor > 0 && factor <= 1000
    ? { kind: 'scaled', factor }
    : null;
}
