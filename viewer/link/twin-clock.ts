import type { ArmView } from './arm-view.ts';

/** How much of the twin's time passes in a second; one where nothing is known of its clock. */
export function twinPace(sim: ArmView['sim']): number {
  if (!sim) return 1;
  return sim.clock.paused ? 0 : sim.clock.real_time_factor;
}

/**
 * The twin's time between its reports, from the pace of the clock (s). It goes back where a reset
 * or a restored snapshot sets the time of the twin back.
 */
export function createTwinClock() {
  let anchor: { readonly now_s: number; readonly at_ms: number } = { now_s: 0, at_ms: 0 };
  let seen: unknown = null;
  return ({ sim }: ArmView): number => {
    const now_ms = performance.now();
    const status = sim?.status ?? null;
    if (status && status !== seen) anchor = { now_s: status.now_s, at_ms: now_ms };
    seen = status;
    return anchor.now_s + ((now_ms - anchor.at_ms) / 1000) * twinPace(sim);
  };
}
