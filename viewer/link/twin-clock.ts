import type { ArmView } from './arm-view.ts';

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
    const pace = sim ? (sim.clock.paused ? 0 : sim.clock.real_time_factor) : 1;
    return anchor.now_s + ((now_ms - anchor.at_ms) / 1000) * pace;
  };
}
