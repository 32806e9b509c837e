/**
 * What the robot looks out for on every tick: faults and contacts in the feedback, the lock's
 * expiry, the daily schedule (decisions D13, D30, D33).
 */

import type { Feedback } from '../../bridge/arm-driver.ts';
import { TICK_S } from '../../bridge/arm-driver.ts';
import { limits } from '../../contract/limits.ts';
import { startRun } from './control-commands.ts';
import type { RobotCore } from './core.ts';
import { nextReading_tick } from './io.ts';
import { inTeachMotion } from './memory.ts';
import { nextMoment_ms } from './schedule.ts';

/** A sample older than this is no ground to go on moving (s). */
const STALE_FEEDBACK_S = limits.feedback_stale_s;

function faultOf(feedback: Feedback): string | null {
  if (feedback.fault) return feedback.fault.message;
  if (feedback.age_s <= STALE_FEEDBACK_S) return null;
  return `No fresh joint data for ${feedback.age_s.toFixed(3)} s; check the link to the joints`;
}

/** Enters `error` or `collision` when the joints say so; drops the motion, keeps the lock. */
export function watchJoints(core: RobotCore): void {
  const { memory, feedback } = core;
  const fault = faultOf(feedback);
  if (memory.state === 'error') nameJoint(core);
  else if (fault !== null) raiseError(core, fault);
  else if (feedback.contact && memory.detection.enabled && core.change('collision')) {
    core.log('error', `Collision: the torque of joint ${feedback.contact.joint} is not explained`);
    core.cutShort({ outputs: true });
  }
}

/** A driver that first saw silence may find out later which joint is behind it. */
function nameJoint(core: RobotCore): void {
  const { memory } = core;
  const { fault } = core.feedback;
  if (fault?.joint == null || fault.message === memory.error) return;
  memory.error = fault.message;
  core.log('error', fault.message);
}

/** Enters `error` with a sentence, where the state allows; the same error twice is one. */
export function raiseError(core: RobotCore, message: string): void {
  if (core.memory.state === 'error') return;
  if (!core.change('fault')) return;
  core.memory.error = message;
  core.log('error', message);
  core.cutShort({ outputs: true });
}

/** Lets the lock lapse; losing it in teach mode stops the motion on its path. */
export function watchLock(core: RobotCore): void {
  const { lock } = core.memory;
  if (lock && core.tick >= lock.expires_tick) loseLock(core);
}

/** The lock is gone without its holder's wish: expired, or its token ended. */
export function loseLock(core: RobotCore): void {
  const { memory } = core;
  memory.lock = null;
  core.events.push({ kind: 'lock_status', holder: null });
  if (!inTeachMotion(memory)) return;
  core.log('warning', 'The lock was lost during a teach-mode motion: protective stop');
  memory.dropping = true;
  core.mover.stopOnPath('protective');
}

/** Starts and stops the scheduled run at its times of day. */
export function watchSchedule(core: RobotCore): void {
  const { memory } = core;
  const { schedule } = memory;
  const { timezone } = core.options;
  const now_ms = core.date_ms;
  if (now_ms >= schedule.next_start_ms) {
    schedule.next_start_ms = nextMoment_ms(schedule.start_time, now_ms, timezone);
    if (memory.state === 'ready' && memory.loaded) {
      const refusal = startRun(core, { mode: 'automatic', loop: 0, scheduled: true });
      if (refusal) core.log('warning', `Scheduled run not started: ${refusal.details}`);
    } else core.log('warning', 'Scheduled run not started: it needs ready and a loaded toolpath');
  }
  if (now_ms >= schedule.next_stop_ms) {
    schedule.next_stop_ms = nextMoment_ms(schedule.stop_time, now_ms, timezone);
    if (memory.activity?.scheduled) core.change('stop_loop');
  }
}

/** Tick of the next thing that happens by itself while nothing moves. */
export function nextDeadline_tick(core: RobotCore): number {
  const { lock, schedule, activity, loaded, state } = core.memory;
  const tickOfDate = (date_ms: number) =>
    Math.ceil((date_ms - core.options.epoch_ms) / (TICK_S * 1000) - 1e-9);
  let due = Math.min(tickOfDate(schedule.next_start_ms), tickOfDate(schedule.next_stop_ms));
  if (lock) due = Math.min(due, lock.expires_tick);
  const waiting = activity?.kind === 'run' && (state === 'running' || state === 'stopping');
  const step = waiting ? loaded?.program.steps[activity.cursor.step] : undefined;
  if (step?.kind !== 'wait') return due;
  if (step.condition.type !== 'time') return Math.min(due, nextReading_tick(core.tick));
  const since_s = activity!.cursor.wait_started_s ?? core.now_s;
  return Math.min(due, Math.ceil((since_s + step.condition.duration) / TICK_S - 1e-9));
}
