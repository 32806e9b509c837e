/**
 * Keeps the runs of toolpaths that this page sees of an arm that keeps none itself: motion, signals,
 * outcome and deviation from the plan. Times are those of the arm (s from the
 * start of the run); of one that does not say its time they are those of the browser.
 */

import type { ArmStore } from '../../link/arm-store.ts';
import { type ArmView, isMotionActive } from '../../link/arm-view.ts';
import type { KeptRun, RunOutcome } from '../../link/kept-run.ts';
import { createTwinClock } from '../../link/twin-clock.ts';
import { onChange } from '../../ui/view-store.ts';
import { RunRecorder } from './run-recorder.ts';
import { openRuns } from './runs-database.ts';
import { isTwin, listTwinRuns, type TwinRunsParts } from './twin-runs.ts';

const RUNS_MAX = 20;
/** The twin reports the end of a run within this time, looked for at this period (ms). */
const END_REPORT_MS = 3000;
const END_QUERY_MS = 50;
const MOVING: readonly string[] = ['running', 'stopping', 'paused'];

/** The twin's time at which the robot left the motion; null without its report (s). */
async function endOf(store: ArmStore): Promise<number | null> {
  for (let waited_ms = 0; waited_ms < END_REPORT_MS; waited_ms += END_QUERY_MS) {
    const { status } = store.view().sim ?? {};
    if (!store.view().sim) return null;
    if (status && !MOVING.includes(status.state)) return status.state_since_s;
    await new Promise((resolve) => setTimeout(resolve, END_QUERY_MS));
  }
  return null;
}

/** Whether the arm keeps its runs itself; as before where it does not answer. */
async function isKeptByArm(calls: TwinRunsParts['calls'], before: boolean): Promise<boolean> {
  const runs = await listTwinRuns({ calls });
  return runs === undefined ? before : runs !== null;
}

/** Adds a run to the kept ones, which drops the oldest. */
function addRun(store: ArmStore, run: Omit<KeptRun, 'id'>): void {
  const runs = store.view().runs ?? [];
  const kept = { ...run, id: 1 + Math.max(0, ...runs.map((each) => each.id)) };
  store.set({ runs: [kept, ...runs].slice(0, RUNS_MAX) });
}

/**
 * Keeps every run from now on, unless the arm keeps it, as a twin does; `runs` of the store follows.
 */
export async function keepRuns(store: ArmStore, calls: TwinRunsParts['calls']): Promise<void> {
  const database = await openRuns().catch(() => null);
  store.set({ runs: (await database?.read().catch(() => null)) ?? [] });
  const clock = createTwinClock();
  let isKept = await isKeptByArm(calls, false);
  let recorder: RunRecorder | null = null;
  async function end(ended: RunRecorder, view: ArmView, outcome: RunOutcome): Promise<void> {
    if (!ended.isRun()) return;
    // The twin may be away now.
    isKept = await isKeptByArm(calls, isKept);
    // Without simulation control the page cannot tell a run from another motion.
    if (isKept || (isTwin(calls) && !store.view().sim)) return;
    addRun(store, await ended.finish(view, outcome, await endOf(store)));
  }
  onChange(store.shown.runs, (runs) => runs && database?.write(runs));
  onChange(store.whole, (view, before) => {
    // Also between runs: each report sets the clock when it arrives.
    const now_s = clock(view);
    recorder?.hear(view, before);
    if (view.snapshot === before.snapshot && view.sim === before.sim && view.log === before.log)
      return;
    const active = view.link === 'live' && isMotionActive(view.snapshot);
    if (!active && !recorder) return;
    recorder ??= new RunRecorder({ ...view, ...calls.identity() }, now_s);
    recorder.add(view, before, now_s);
    if (active || view.snapshot === before.snapshot) return;
    const ended = recorder;
    recorder = null;
    void end(ended, view, ended.outcome(view, before));
  });
}
