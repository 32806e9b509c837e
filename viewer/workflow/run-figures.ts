/** The figures of a run's header: how far it is, how much is left, how late it is. Pure. */
import type { Delivery, RunDetails, WorkflowPlan } from '../../contract/types.ts';

export interface RunFigures {
  readonly elapsed_s: number;
  /** Planned time left; null where the run has ended. */
  readonly left_s: number | null;
  /** How much later than first planned the whole is to end; 0 for in time. */
  readonly behind_s: number;
  readonly done: number;
  readonly tasks: number;
}

const OVER: readonly string[] = ['succeeded', 'skipped'];

/** When the last thing of a run happened (s): its clock stands once it has stopped. */
export function elapsed_s({ state, now_s, tasks, moves }: RunDetails): number {
  if (state !== 'stopped') return now_s;
  const times = [...tasks, ...moves].flatMap((one) => [one.started_at_s, one.ended_at_s]);
  return Math.max(0, ...times.map((time) => time ?? 0));
}

/** The figures of `run` beside the plan it began with. */
export function runFigures(run: RunDetails, first: WorkflowPlan | null): RunFigures {
  const passed_s = elapsed_s(run);
  const makespan_s = run.plan?.makespan ?? passed_s;
  const ended = run.state === 'stopped';
  const end_s = ended ? passed_s : Math.max(makespan_s, passed_s);
  const over = run.tasks.filter(({ state }) => OVER.includes(state)).length;
  return {
    elapsed_s: passed_s,
    left_s: ended ? null : Math.max(makespan_s - passed_s, 0),
    behind_s: first ? Math.max(end_s - first.makespan, 0) : 0,
    done: over,
    tasks: run.tasks.length,
  };
}

/** "31 sent, 1 waiting, 2 failed"; what is none is not named, save that nothing is. */
export function deliveryWords(deliveries: readonly Delivery[]): string {
  const count = (...states: readonly Delivery['state'][]) =>
    deliveries.filter(({ state }) => states.includes(state)).length;
  const parts = [`${count('delivered')} sent`];
  if (count('pending') > 0) parts.push(`${count('pending')} waiting`);
  if (count('dead', 'disabled') > 0) parts.push(`${count('dead', 'disabled')} failed`);
  return deliveries.length === 0 ? 'none' : parts.join(', ');
}

/** Minutes and seconds, with hours where there are any: 15:12, 1:02:03. */
export function durationText(time_s: number): string {
  const whole = Math.max(Math.round(time_s), 0);
  const two = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const rest = two(whole % 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

const STEPS_S = [
  1, 2, 5, 10, 20, 30, 60, 120, 240, 300, 600, 1200, 1800, 3600, 7200, 14400, 43200, 86400,
];

/** Round times (s) from 0 to `end_s`, at least `least_s` apart, and how each is written. */
export function ticks(end_s: number, least_s: number): { time_s: number; words: string }[] {
  const step_s = STEPS_S.find((step) => step >= least_s) ?? Math.ceil(least_s / 86400) * 86400;
  const [unit_s, unit] = step_s >= 3600 ? [3600, 'h'] : step_s >= 60 ? [60, 'min'] : [1, 's'];
  return Array.from({ length: Math.floor(end_s / step_s) + 1 }, (_, i) => {
    const time_s = i * step_s;
    return { time_s, words: `${Number((time_s / unit_s).toFixed(2))} ${unit}` };
  });
}
