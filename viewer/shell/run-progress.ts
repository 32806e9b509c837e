/** How far the run is: loop and step with their times. Pure. */

import type { SimActivity } from '../../contract/types.generated.ts';
import { type ArmView, isMotionActive } from '../link/arm-view.ts';
import { isOpenEnded } from '../toolpath/open-ended.ts';
import { decimal, lengthText } from '../ui/value-text.ts';
import { moveText } from './motion-actions.ts';
import type { Shown } from './shown.ts';

/** The loop counter, as in "Loop 3 of 10", or what the arm does instead. */
export function loopText(view: ArmView): string {
  const { snapshot } = view;
  if (!snapshot || moveText(view)) return moveText(view);
  const { loop_count, loop_target, toolpath_hash } = snapshot.control;
  if (!toolpath_hash) return 'No toolpath loaded';
  if (!isMotionActive(snapshot)) return `${loop_count} ${loop_count === 1 ? 'loop' : 'loops'} done`;
  const now = loop_target > 0 ? Math.min(loop_count + 1, loop_target) : loop_count + 1;
  return loop_target > 0 ? `Loop ${now} of ${loop_target}` : `Loop ${now}, endless`;
}

/** What the progress shows. */
interface Progress {
  readonly text: string;
  /** Share of the planned loop that is done. */
  readonly share: number;
  /** Whether signals may change it. */
  readonly isOpen: boolean;
}

/** Longest time for which a report is carried on (ms): then the next one is late. */
const CARRY_MS = 1000;

/**
 * The activity now: the last report carried on by the rate of the twin's clock. Unchanged while the
 * arm waits or is paused, while the clock stands, and beyond the planned end of the loop.
 */
export function activityNow(view: ArmView, since_ms: number): SimActivity | null {
  const { status, clock } = view.sim ?? {};
  const activity = status?.activity ?? null;
  const stands = !clock || clock.paused || clock.pace === 'stepped' || view.link !== 'live';
  if (!activity || stands || status?.state !== 'running' || activity.waiting) return activity;
  const passed_s = (Math.min(Math.max(since_ms, 0), CARRY_MS) / 1000) * clock.real_time_factor;
  const carried_s = Math.min(passed_s, activity.loop_remaining_s);
  return {
    ...activity,
    loop_time_s: activity.loop_time_s + carried_s,
    loop_remaining_s: activity.loop_remaining_s - carried_s,
  };
}

/** Whether the time left of the motion may change: its program is unknown, or signals decide. */
export function isLeftOpen({ loaded }: ArmView, { kind }: SimActivity): boolean {
  return kind === 'run' && (!loaded || isOpenEnded(loaded.toolpath));
}

/**
 * Progress in twin time, from what the twin publishes: branches follow the present signals, and
 * waits for signals count as zero.
 */
function publishedProgress(activity: SimActivity, isOpen: boolean): Progress {
  const { loop_time_s, loop_waited_s, loop_remaining_s } = activity;
  const moved_s = loop_time_s - loop_waited_s;
  const total_s = moved_s + loop_remaining_s;
  const left = `${lengthText(loop_remaining_s)} left${isOpen ? ' if nothing changes' : ''}`;
  return {
    text: `${lengthText(loop_time_s)}, ${left}`,
    share: total_s > 0 ? moved_s / total_s : 0,
    isOpen,
  };
}

/** Progress by the clock of this page, for an arm that publishes none. */
function estimatedProgress(shown: Shown): Progress | null {
  const seconds = loopSeconds(shown);
  if (seconds === null) return null;
  const total_s = shown.view.loaded?.duration_s ?? null;
  const elapsed_s = total_s === null ? seconds : Math.min(seconds, total_s);
  const of = total_s === null ? '' : ` of ${decimal(total_s, 1)}`;
  return {
    text: `estimated ${decimal(elapsed_s, 1)}${of} s`,
    share: total_s ? elapsed_s / total_s : 0,
    isOpen: false,
  };
}

/** The progress of the present loop, `since_ms` after the report; null at rest and if unknown. */
export function runProgress(shown: Shown, since_ms = 0): Progress | null {
  const { snapshot, sim } = shown.view;
  if (!isMotionActive(snapshot)) return null;
  if (!sim?.status) return estimatedProgress(shown);
  const activity = activityNow(shown.view, since_ms);
  return activity && publishedProgress(activity, isLeftOpen(shown.view, activity));
}

/**
 * Seconds of the arm's time in the current loop; null if this page did not see it start, and for a
 * clock whose pace it does not know.
 */
function loopSeconds({ view, now_ms, age_ms }: Shown): number | null {
  const seen_ms = view.link === 'stale' ? now_ms - age_ms : now_ms;
  const known_ms = Math.min(seen_ms, view.pausedSince_ms ?? Number.POSITIVE_INFINITY);
  const pace = Number(view.clock ?? 1);
  if (view.loopStarted_ms === null || Number.isNaN(pace)) return null;
  return (pace * (known_ms - view.loopStarted_ms)) / 1000;
}
