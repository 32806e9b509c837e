/**
 * Faults and contacts in the feedback of a tick (decision D30): they stop the motion and enter
 * `error` or `collision`.
 */

import {
  type ArmFaultKind,
  type ContactReactionReport,
  type Feedback,
  TICK_S,
} from '../../bridge/arm-driver.ts';
import { limits } from '../../contract/limits.ts';
import type { RobotState } from '../../contract/robot-states.ts';
import { jointName } from '../../physics/arm/arm-model.ts';
import type { RobotContext } from './robot-context.ts';

/** Feedback older than this is a fault (s). */
const STALE_FEEDBACK_S = limits.feedback_stale_s;

const HOLD_TICKS = Math.round(limits.hold_s / TICK_S);
const ARRIVAL_TICKS = Math.round(limits.arrival_s / TICK_S);

/** Faults that a contact causes by itself: the joints lag, the motors push. */
const CAUSED_BY_CONTACT: ReadonlySet<ArmFaultKind> = new Set(['following_error', 'overload']);

/** States that a fault does not end: it is said in them, and counts at their end. */
const HIDING: ReadonlySet<RobotState> = new Set(['disabled', 'updating']);

function jointFaultMessage(feedback: Feedback, isTouching: boolean): string | null {
  const { fault } = feedback;
  const isEffect = fault !== null && CAUSED_BY_CONTACT.has(fault.kind) && !fault.limp;
  if (fault && !(isTouching && isEffect)) return fault.message;
  if (feedback.age_s <= STALE_FEEDBACK_S) return null;
  return `No fresh joint data for ${feedback.age_s.toFixed(3)} s; check the link to the joints`;
}

/** Enters `error` or `collision` on a fault or contact; aborts the motion, keeps the lock. */
export function monitorJoints(context: RobotContext): void {
  const { memory, feedback } = context;
  const isTouching = feedback.contact !== null && memory.detection.enabled;
  tellReaction(context);
  const fault =
    jointFaultMessage(feedback, isTouching || memory.state === 'collision') ??
    driftMessage(context) ??
    arrivalMessage(context);
  if (HIDING.has(memory.state)) sayFault(context, fault);
  else if (memory.state === 'error') refineErrorMessage(context);
  else if (fault !== null) enterError(context, fault);
  else if (memory.state === 'collision') followContact(context);
  else if (isTouching && context.transition('collision')) {
    context.log(
      'error',
      `Collision: unexpected torque at ${jointName(feedback.contact?.joint ?? 0)}`,
    );
    context.abortMotion({ outputs: true });
  }
}

/** A figure for the log: newtons and radians without decimals that say nothing. */
const newtons = (force_n: number) => `${force_n.toFixed(0)} N`;

/** Logs what the arm did about a contact, each time that it has ended. */
function tellReaction(context: RobotContext): void {
  const { memory, feedback } = context;
  const reaction = feedback.reaction ?? null;
  if (reaction === null) memory.reactions_told = 0;
  else if (reaction.phase === 'holding' && memory.reactions_told <= reaction.relieved) {
    memory.reactions_told = reaction.relieved + 1;
    context.log('info', reactionText(reaction));
  }
}

function reactionText({ peak_n, force_n, ...reaction }: ContactReactionReport): string {
  const { retreated_rad, yielded_rad } = reaction;
  const did = [
    ...(retreated_rad > 0 ? [`went back ${retreated_rad.toFixed(3)} rad along its way`] : []),
    ...(yielded_rad > 0 ? [`gave way by ${yielded_rad.toFixed(3)} rad`] : []),
  ];
  const forces = `estimated peak ${newtons(peak_n)}, now ${newtons(force_n)}`;
  return `The contact is left: ${forces}; the arm ${did.join(' and ') || 'stopped'}`;
}

/**
 * The sentence about a held joint that something moves, or null (D30): a hold has tolerances of its
 * own, far below those of a motion. A driver that watches its joints says it with the reason.
 */
function driftMessage(context: RobotContext): string | null {
  const { memory, player, feedback } = context;
  const isWatched = feedback.watches_hold !== true;
  const isHeld =
    isWatched && (memory.state === 'ready' || memory.state === 'paused') && !player.moving;
  const joint = isHeld ? driftingJoint(feedback, player.restPose) : -1;
  memory.drift_ticks = joint < 0 ? 0 : memory.drift_ticks + 1;
  if (memory.drift_ticks < HOLD_TICKS) return null;
  const away = (feedback.position_rad[joint]! - player.restPose[joint]!).toFixed(3);
  const rate = feedback.velocity_rad_s[joint]!.toFixed(3);
  return (
    `${jointName(joint)} is not held: it is ${away} rad from its place and moves at ${rate} rad/s ` +
    `(limits ${limits.hold_rad} rad, ${limits.hold_rad_per_s} rad/s for ${limits.hold_s} s); ` +
    'find what moves it, or why its drive has no force'
  );
}

/**
 * The sentence about a motion whose plan has ended, or that pauses, while a joint does not come to
 * its place, or null: something holds it by less than the following error of its drive, and the motion would
 * never end (D44).
 */
function arrivalMessage({ memory, player, feedback }: RobotContext): string | null {
  const isEnding = memory.ending === 'motion_finished' || memory.awaited === 'pause';
  const isLate = isEnding && !player.moving && !feedback.standing;
  memory.arrival_ticks = isLate ? memory.arrival_ticks + 1 : 0;
  if (memory.arrival_ticks < ARRIVAL_TICKS) return null;
  const away = feedback.position_rad.map((angle, j) => Math.abs(angle - player.restPose[j]!));
  const joint = away.indexOf(Math.max(...away));
  return (
    `${jointName(joint)} does not come to the end of the motion: it is ${away[joint]!.toFixed(3)} rad ` +
    `away ${limits.arrival_s} s after its plan has ended; find what holds it`
  );
}

function driftingJoint({ position_rad, velocity_rad_s }: Feedback, held: Float64Array): number {
  for (let j = 0; j < held.length; j++) {
    if (Math.abs(position_rad[j]! - held[j]!) > limits.hold_rad) return j;
    if (Math.abs(velocity_rad_s[j]!) > limits.hold_rad_per_s) return j;
  }
  return -1;
}

/** In `collision` the driver decides where the arm goes; the next motion starts where it stands. */
function followContact(context: RobotContext): void {
  if (!context.player.moving) context.startFromHeldPose();
}

/** Says a fault in a state that it does not end, until it is gone. */
function sayFault(context: RobotContext, fault: string | null): void {
  const { memory } = context;
  if (fault === null) {
    if (!memory.error_behind_estop) memory.error = null;
  } else if (wordsOf(fault) !== wordsOf(memory.error ?? '')) {
    memory.error = fault;
    context.log('error', fault);
  }
}

/** A reason without its measures, which change from tick to tick. */
function wordsOf(reason: string): string {
  return reason.replace(/[\d.]+/g, '');
}

/** Updates the message when the driver learns more: which joint it is, or what the line has. */
function refineErrorMessage(context: RobotContext): void {
  const { memory } = context;
  const { fault } = context.feedback;
  if (!fault || wordsOf(fault.message) === wordsOf(memory.error ?? '')) return;
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
