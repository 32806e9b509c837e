/**
 * The time axis of the live plots: the twin's, which stands while its clock is paused and runs at
 * its pace; of an arm that is no twin the browser's.
 */
import type { ArmView } from '../../link/arm-view.ts';
import { createTwinClock } from '../../link/twin-clock.ts';

/**
 * A report may be behind the time that was estimated from the ones before by so much of the
 * browser's time, at the pace of the clock; one that is farther behind is of a reset (s).
 */
const LATE_S = 1.5;

/** A time on the axis (ms), and whether what was drawn before it is of another axis. */
export interface PlotTime {
  readonly now_ms: number;
  readonly isNew: boolean;
}

/** Creates the axis; the result reads the time of a view. Within one axis it never goes back. */
export function createPlotTime(): (view: ArmView) => PlotTime {
  const clock = createTwinClock();
  let last_s = 0;
  let isTwin = false;
  return (view) => {
    const now_s = clock(view);
    const { sim } = view;
    const late_s = LATE_S * Math.max(sim?.clock.real_time_factor ?? 1, 1);
    const isNew = isTwin !== (sim !== null) || now_s < last_s - late_s;
    isTwin = sim !== null;
    last_s = isNew ? now_s : Math.max(now_s, last_s);
    return { now_ms: 1000 * last_s, isNew };
  };
}
