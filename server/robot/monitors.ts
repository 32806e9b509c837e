/**
 * Checks that run on every tick: faults and contacts in the feedback, expiry of the lock, the daily
 * schedule (decisions D13, D30, D33).
 */
import { type ArmFaultKind, type Feedback, TICK_S } from '../../bridge/arm-driver.ts';
import { limits } from '../../contract/limits.ts';
import { startRun } from './control-commands.ts';
import { nextReading_tick } from './io.ts';
import type { RobotContext } from './robot-context.ts';
import { nextMoment_ms } from './schedule.ts';

/** Feedback older than this is a fault (s). */
const STALE_FEEDBACK_S = limits.feedback_stale_s;

/** Faults that a contact causes by itself: the joints lag, the motors push. */
const CAUSED_BY_CONTACT: ReadonlySet<ArmFaultKind> = new Set(['following_error', 'overload']);

function jointFaultMessage(feedback: Feedback, isTouching: boolean): string | null {
  const { fault } = feedback;
  if (fault && !(isTouching && CAUSED_BY_CONTACT.has(fault.kind))) return fault.message;
  if (feedback.age_s <= STALE_FEEDBACK_S) return null;
  return `No fresh joint data for ${feedback.age_s.toFixed(3)} s; check the link to the joints`;
}

/** Enters `error` or `collision` on a fault or contact; aborts the motion, keeps the lock. */
export function monitorJoints(context: RobotContext): void {
  const { memory, feedback } = context;
  const isTouching = feedback.contact !== null && memory.detection.enabled;
  const fault = jointFaultMessage(feedback, isTouching || memory.state === 'collision');
  if (memory.state === 'error') refineErrorMessage(context);
  else if (fault !== null) enterError(context, fault);
  else if (memory.state === 'collision') followContact(context);
  else if (isTouching && context.transition('collision')) {
    context.log('error', `Collision: unexpected torque at joint ${feedback.contact?.joint}`);
    context.abortMotion({ outputs: true });
  }
}

/** In `collision` the driver decides where the arm goes; the next motion starts where it stands. */
function followContact(context: RobotContext): void {
  if (!context.player.moving) context.startFromHeldPose();
}

/** Updates the message when the driver identifies the joint after it reported a timeout. */
function refineErrorMessage(context: RobotContext): void {
  const { memory } = context;
  const { fault } = context.feedback;
  if (fault?.joint == null || fault.message === memory.error) return;
  memory.error = fault.message;
  context.log('error', fault.message);
}

/** Enters `error` with a message, where the state allows it. Idempotent. */
export function enterError(context: RobotContext, message: string): void {
  if (context.memory.state === 'error') return;
  if (!context.transition('fault')) return;
  context.memory.error = message;
  context.log('error', message);
  context.abortMotion({ outputs: true });
}

/** Revokes an expired lock. */
export function monitorLock(context: RobotContext): void {
  const { lock } = context.memory;
  if (lock && context.tick >= lock.expires_tick) revokeLock(context);
}

/** Removes the lock because it expired or its token ended; stops a teach motion on its path. */
export function revokeLock(context: RobotContext): void {
  const { memory } = context;
  memory.lock = null;
  memory.teach_braking = false;
  context.events.push({ kind: 'lock_status', holder: null });
  if (memory.activity?.mode !== 'teach') return;
  context.log('warning', 'The lock was lost during a teach-mode motion: protective stop');
  memory.ending = 'motion_dropped';
  context.player.stopOnPath('protective');
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
      if (refusal) context.log('warning', `Scheduled run not started: ${refusal.details}`);
    } else
      context.log('warning', 'Scheduled run not started: it needs ready and a loaded toolpath');
  }
  if (now_ms >= schedule.next_stop_ms) {
    schedule.next_stop_ms = nextMoment_ms(schedule.stop_time, now_ms, timezone);
    if (memory.activity?.scheduled) context.transition('stop_loop');
  }
}

/** Tick of the next timed event while nothing moves. */
export function nextDeadline_tick(context: RobotContext): number {
  const { lock, schedule, activity, loaded, state } = context.memory;
  const tickOfDate = (date_ms: number) =>
    Math.ceil((date_ms - context.options.epoch_ms) / (TICK_S * 1000) - 1e-9);
  let due = Math.min(tickOfDate(schedule.next_start_ms), tickOfDate(schedule.next_stop_ms));
  if (lock) due = Math.min(due, lock.expires_tick);
  const waiting = activity?.kind === 'run' && (state === 'running' || state === 'stopping');
  const step = waiting ? loaded?.program.steps[activity.cursor.step] : undefined;
  if (step?.kind !== 'wait') return due;
  if (step.condition.type !== 'time') return Math.min(due, nextReading_tick(context.tick));
  const since_s = activity!.cursor.wait_started_s ?? context.now_s;
  return Math.min(due, Math.ceil((since_s + step.condition.duration) / TICK_S - 1e-9));
}
