/** Starts and stops the scheduled run at its times of day (decision D33). */
import type { Refusal } from '../../contract/refusal.ts';
import { startRun } from './control-commands.ts';
import { nextMoment_ms } from './local-time.ts';
import type { RobotContext } from './robot-context.ts';

/** Why a run was refused; a motion that cannot be planned has its reason beside a code. */
function reasonOf({ details }: Refusal): string {
  const isMotion = typeof details === 'object' && details !== null && 'error' in details;
  return String(isMotion ? details.error : details);
}

/** Starts and stops the scheduled run at its times of day. */
export function monitorSchedule(context: RobotContext): void {
  const { memory } = context;
  const { schedule } = memory;
  const { timezone } = context.options;
  const now_ms = context.date_ms;
  if (now_ms >= schedule.next_start_ms) {
    schedule.next_start_ms = nextMoment_ms(schedule.start_time, now_ms, timezone);
    if (memory.state === 'ready' && memory.loaded) {
      const refusal = startRun(context, { mode: 'automatic', loop: 0, scheduled: true });
      if (refusal) context.log('warning', `Scheduled run not started: ${reasonOf(refusal)}`);
    } else
      context.log('warning', 'Scheduled run not started: it needs ready and a loaded toolpath');
  }
  if (now_ms >= schedule.next_stop_ms) {
    schedule.next_stop_ms = nextMoment_ms(schedule.stop_time, now_ms, timezone);
    if (!memory.activity?.scheduled) return;
    // A paused run ends after its loop once it is resumed.
    if (memory.state === 'paused') memory.resume_to = 'stopping';
    else context.transition('stop_loop');
  }
}
