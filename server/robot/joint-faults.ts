/**
 * Faults and contacts in the feedback of a tick (decision D30): they stop the motion and enter
 * `error` or `collision`.
 */

import {
  type ArmFault,
  type ArmFaultKind,
  type ContactReactionReport,
  type ContactReport,
  type Feedback,
  TICK_S,
} from '../../bridge/arm-driver.ts';
import { limits } from '../../contract/limits.ts';
import type { RobotState } from '../../contract/robot-states.ts';
import { jointName } from '../../physics/arm/arm-model.ts';
import { type ErrorCause, forgetError, setError } from './memory.ts';
import type { RobotContext } from './robot-context.ts';

/** Feedback older than this is a fault (s). */
const STALE_FEEDBACK_S = limits.feedback_stale_s;

const HOLD_TICKS = Math.round(limits.hold_s / TICK_S);
const ARRIVAL_TICKS = Math.round(limits.arrival_s / TICK_S);

/** Faults that a contact causes by itself: the joints lag, the motors push. */
const CAUSED_BY_CONTACT: ReadonlySet<ArmFaultKind> = new Set(['following_error', 'overload']);

/** States that a fault does not end: it is said in them, and counts at their end. */
const HIDING: ReadonlySet<RobotState> = new Set(['disabled', 'updating']);

/** A fault in words, and what of the joints it is: what the driver says of them, or what it must be. */
interface FoundFault extends ErrorCause {
  readonly message: string;
}

const reportedFault = ({ kind, joint, message }: ArmFault): FoundFault => {
  return { kind, joint, isReported: true, message };
};

const ownFault = (kind: ArmFaultKind, joint: number | null, message: string): FoundFault => {
  return { kind, joint, isReported: false, message };
};

function feedbackFault(feedback: Feedback, isTouching: boolean): FoundFault | null {
  const { fault, age_s } = feedback;
  const isEffect = fault !== null && CAUSED_BY_CONTACT.has(fault.kind) && !fault.limp;
  if (fault && !(isTouching && isEffect)) return reportedFault(fault);
  if (age_s <= STALE_FEEDBACK_S) return null;
  const message = `No fresh joint data for ${age_s.toFixed(3)} s; check the link to the joints`;
  return ownFault('stale', null, message);
}

function contactText(contact: ContactReport | null): string {
  const name = jointName(contact?.joint ?? 0);
  return contact?.lags
    ? `${name} stays behind its goal: something holds it, or its load is too heavy for this speed`
    : `unexpected torque at ${name}`;
}

/** Enters `error` or `collision` on a fault or contact; aborts the motion, keeps the lock. */
export function monitorJoints(context: RobotContext): void {
  const { memory, feedback } = context;
  const isTouching = feedback.contact !== null && memory.detection.enabled;
  tellReaction(context);
  const fault =
    feedbackFault(feedback, isTouching || memory.state === 'collision') ??
    driftFault(context) ??
    arrivalFault(context);
  if (HIDING.has(memory.state)) sayFault(context, fault);
  else if (memory.state === 'error') addReported(context, feedback.fault);
  else if (fault !== null) enterError(context, fault.message, fault);
  else if (memory.state === 'collision') followContact(context);
  else if (isTouching && context.transition('collision')) {
    context.log('error', `Collision: ${contactText(feedback.contact)}`);
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
 * The fault of a held joint that something moves, or null (D30): a hold has tolerances of its
 * own, far below those of a motion. A driver that watches its joints says it with the reason.
 */
function driftFault(context: RobotContext): FoundFault | null {
  const { memory, player, feedback } = context;
  const isWatched = feedback.watches_hold !== true;
  const isHeld =
    isWatched && (memory.state === 'ready' || memory.state === 'paused') && !player.moving;
  const joint = isHeld ? driftingJoint(feedback, player.restPose) : -1;
  memory.drift_ticks = joint < 0 ? 0 : memory.drift_ticks + 1;
  if (memory.drift_ticks < HOLD_TICKS) return null;
  const away = (feedback.position_rad[joint]! - player.restPose[joint]!).toFixed(3);
  const rate = feedback.velocity_rad_s[joint]!.toFixed(3);
  return ownFault(
    'following_error',
    joint,
    `${jointName(joint)} is not held: it is ${away} rad from its place and moves at ${rate} rad/s ` +
      `(limits ${limits.hold_rad} rad, ${limits.hold_rad_per_s} rad/s for ${limits.hold_s} s); ` +
      'find what moves it, or why its drive has no force',
  );
}

/**
 * The fault of a motion whose plan has ended, or that pauses, while a joint does not come to
 * its place, or null: something holds it by less than the following error of its drive, and the motion would
 * never end (D44).
 */
function arrivalFault({ memory, player, feedback }: RobotContext): FoundFault | null {
  const isEnding = memory.ending === 'motion_finished' || memory.awaited === 'pause';
  const isLate = isEnding && !player.moving && !feedback.standing;
  memory.arrival_ticks = isLate ? memory.arrival_ticks + 1 : 0;
  if (memory.arrival_ticks < ARRIVAL_TICKS) return null;
  const away = feedback.position_rad.map((angle, j) => Math.abs(angle - player.restPose[j]!));
  const joint = away.indexOf(Math.max(...away));
  return ownFault(
    'following_error',
    joint,
    `${jointName(joint)} does not come to the end of the motion: it is ${away[joint]!.toFixed(3)} rad ` +
      `away ${limits.arrival_s} s after its plan has ended; find what holds it`,
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
function sayFault(context: RobotContext, fault: FoundFault | null): void {
  const { memory } = context;
  if (!memory.error_behind_estop && !isSaid(memory.error, fault)) forgetError(memory);
  if (fault !== null) addFault(context, fault);
}

const isSaid = (said: string | null, fault: FoundFault | null) =>
  said !== null && fault !== null && wordsOf(said) === wordsOf(fault.message);

/** A reason without its measures, which change from tick to tick. */
function wordsOf(reason: string): string {
  return reason.replace(/[\d.]+/g, '');
}

/** What a fault of one joint may be found to come from: its drive says more than that it lags. */
const EFFECTS: ReadonlySet<ArmFaultKind> = new Set(['following_error']);

/** Whether a fault is the known cause, of which the driver has learned more. */
function isSame(cause: ErrorCause, { kind, joint }: FoundFault): boolean {
  if (cause.joint === null || (joint === null && cause.kind === kind)) return true;
  return cause.joint === joint && (cause.kind === kind || EFFECTS.has(cause.kind));
}

/**
 * Adds a fault to the error: the cause in better words where the driver has learned more of it,
 * which joint it is or what the line has; another fault after the cause, which stays what it was.
 */
function addFault(context: RobotContext, fault: FoundFault): void {
  const { memory } = context;
  const { error, error_cause, later_errors } = memory;
  if ([error, ...later_errors].some((said) => isSaid(said, fault))) return;
  if (error === null || (error_cause && isSame(error_cause, fault))) {
    setError(memory, fault.message, fault);
  } else {
    if (later_errors.length === limits.later_errors) return;
    later_errors.push(fault.message);
  }
  context.log('error', fault.message);
}

/** Adds what the driver reports in the state `error`. */
function addReported(context: RobotContext, fault: ArmFault | null): void {
  if (fault) addFault(context, reportedFault(fault));
}

/** Enters `error` with a message and its cause, where the state allows it. Idempotent. */
export function enterError(
  context: RobotContext,
  message: string,
  cause: ErrorCause | null = null,
): void {
  if (context.memory.state === 'error') return;
  if (!context.transition('fault')) return;
  setError(context.memory, message, cause);
  context.log('error', message);
  context.abortMotion({ outputs: true });
}
