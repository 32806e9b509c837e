/**
 * The causes that stop the arm: emergency stop, faults, collisions and contacts. Computed from the
 * view alone; times are those of the twin. Pure.
 */

import type { ArmClient } from '../../../contract/client.ts';
import type { AddFaultBody, SimContact, SimStatus } from '../../../contract/types.generated.ts';
import { jointName } from '../../../physics/arm/arm-model.ts';
import type { ArmView } from '../../link/arm-view.ts';
import { doorStopText, stoppingDoors } from '../../link/outside-stop.ts';
import { decimal, degrees, ioName } from '../../ui/value-text.ts';
import {
  call,
  causeOf,
  type Found,
  forText,
  lastingText,
  lockedCall,
  RESET,
  type Remedy,
  show,
  stateNow,
} from './explanation.ts';

const FAULT_TEXT: Readonly<Record<NonNullable<SimStatus['fault']>['kind'], string>> = {
  lost: 'does not answer',
  overheated: 'is too hot',
  overload: 'is overloaded',
  encoder: 'reports an impossible angle',
  following_error: 'does not follow its setpoint',
  voltage: 'has a supply voltage out of range',
  stale: 'sends no fresh angles',
  bus: 'sends corrupt replies',
};
const ACKNOWLEDGE = lockedCall('Acknowledge', (client) => client.acknowledgeCollision());
const DETECT = lockedCall('Turn detection on', (client) =>
  client.setCollisionDetection({ enabled: true, sensitivity: 'medium' }),
);

type FaultKind = AddFaultBody['kind'];
type FaultOf<Kind extends FaultKind> = Extract<AddFaultBody, { kind: Kind }>;

function isOfKind<Kind extends FaultKind>(fault: AddFaultBody, kind: Kind): fault is FaultOf<Kind> {
  return fault.kind === kind;
}

/** The injected faults of a kind. */
export function faultsOf<Kind extends FaultKind>(
  { sim }: ArmView,
  kind: Kind,
): readonly { readonly id: number; readonly fault: FaultOf<Kind> }[] {
  return (sim?.faults ?? []).flatMap(({ id, fault }) =>
    isOfKind(fault, kind) ? [{ id, fault }] : [],
  );
}

/** A remedy that clears an injected fault. */
export function clearFault(id: number, label = 'Clear the fault'): Remedy {
  return call(label, (client) => client.clearFault({ fault_id: id }));
}

/** The source of the emergency stop; null while it is released. */
function stopSource(view: ArmView): 'simulated' | 'wired' | 'door' | null {
  if (stateNow(view) !== 'disabled') return null;
  // Of an arm that is no twin only the robot's own report is known.
  const source = causeOf(view).status?.emergency_stop ?? 'wired';
  return source === 'wired' && stoppingDoors(view).length > 0 ? 'door' : source;
}

/** A remedy that releases the emergency stop; one during a motion leaves an error to reset. */
function release(label: string, run: (client: ArmClient) => Promise<unknown>): Remedy {
  return { kind: 'call', label, locked: false, resets: true, run };
}

const RELEASE = release('Release and reset', (client) =>
  client.setEmergencyStop({ engaged: false }),
);

/** The emergency stop that is engaged by call. */
export function simulatedStop(view: ArmView): Found | null {
  if (stopSource(view) !== 'simulated') return null;
  const sentence = `The emergency stop ${lastingText(view, 'pressed')}.`;
  // Only an admin of the twin may release it.
  return { sentence, remedies: view.sim ? [RELEASE] : [] };
}

/** The button at the arm, which the page cannot release. */
export function wiredStop(view: ArmView): Found | null {
  if (stopSource(view) !== 'wired') return null;
  const lasting = lastingText(view, 'pressed');
  const sentence = `The emergency stop at the arm ${lasting}. Release it there.`;
  return { sentence, remedies: [] };
}

/** Doors of the cell that engage the emergency stop while they are open. */
export function doorStop(view: ArmView): Found | null {
  if (stopSource(view) !== 'door') return null;
  const names = stoppingDoors(view);
  const close = release('Close and reset', async (client) => {
    for (const name of names)
      await client.setCellControl({ control_name: name }, { active: false });
  });
  const stop = `the emergency stop ${lastingText(view, 'engaged')}`;
  const sentence = `${doorStopText(view)}; ${stop}.`;
  return { sentence, remedies: [close] };
}

/** A fault of one joint behind the state `error`. */
export function jointFault(view: ArmView): Found | null {
  const { fault } = causeOf(view).status ?? {};
  if (stateNow(view) !== 'error' || !fault || fault.joint === null) return null;
  const { joint, kind } = fault;
  const injected = faultsOf(view, 'driver').find((one) => one.fault.joint === joint);
  const temperature_c = view.snapshot?.['servos.telemetry.temperature'][joint];
  // An injected fault leaves the joint as cool as it was: its temperature would explain nothing.
  const value =
    kind === 'overheated' && !injected && temperature_c !== undefined
      ? ` (${decimal(temperature_c, 1)} °C)`
      : '';
  const what = `${FAULT_TEXT[kind]}${value}`;
  const cause = injected ? `; fault ${injected.id} was injected` : '';
  const clear = lockedCall('Clear fault and reset', async (client) => {
    await client.clearFault({ fault_id: injected!.id });
    await client.resetErrors();
  });
  const blocks = injected ? null : blockOf(view, kind);
  const why = blocks ? `: ${touchText(blocks)}` : '';
  return {
    joint,
    sentence:
      `Stopped${forText(view)}: ${jointName(joint)} ${what}${cause}${why}.` +
      `${laterText(view)}${reactionText(view)}`,
    ...(blocks && { place: blocks.place }),
    remedies: [...(blocks ? [show(blocks.place)] : []), injected ? clear : RESET],
  };
}

/** The faults that came after the cause, as a sentence after another one, or nothing. */
function laterText(view: ArmView): string {
  const later = causeOf(view).status?.later_errors ?? [];
  return later.length === 0 ? '' : ` After that: ${later.join('; ')}.`;
}

/** A contact that ended at most this long before a joint gave up may be its cause (s). */
const BLOCKED_S = 0.5;

/** What the arm touched when a joint could not go on; null for other faults. */
function blockOf(view: ArmView, kind: keyof typeof FAULT_TEXT): SimContact | null {
  if (kind !== 'following_error' && kind !== 'overload') return null;
  const since_s = causeOf(view).status?.state_since_s ?? 0;
  return contactOf(view, ({ ended_s, peak_force_n }) => {
    return peak_force_n >= FELT_N && (ended_s === null || ended_s >= since_s - BLOCKED_S);
  });
}

/** Any other cause of the state `error`. */
export function otherError(view: ArmView): Found | null {
  if (stateNow(view) !== 'error') return null;
  const text = causeOf(view).status?.error ?? 'An error stopped the motion';
  const time = forText(view);
  const sentence = `${text}.${time && ` In error${time}.`}${laterText(view)}`;
  return { sentence, remedies: [RESET] };
}

/** The latest contact that stopped the arm, or that lasts. */
function contactOf(view: ArmView, fits: (contact: SimContact) => boolean): SimContact | null {
  return causeOf(view).contacts?.contacts.findLast(fits) ?? null;
}

/** "the tool touches “crate”", or touched, with the greatest force. */
function touchText({ body, obstacle, ended_s, peak_force_n }: SimContact): string {
  const verb = ended_s === null ? 'touches' : 'touched';
  return `${body} ${verb} “${obstacle}”, ${decimal(peak_force_n, 0)} N at most`;
}

/** What the arm did or does about the contact, as a sentence after another one, or nothing. */
function reactionText(view: ArmView): string {
  const { reaction = null } = causeOf(view).status ?? {};
  if (!reaction) return '';
  const { phase, force_n, peak_n, retreated_rad, yielded_rad } = reaction;
  const felt = `${decimal(force_n, 0)} N (peak ${decimal(peak_n, 0)} N, estimates)`;
  if (phase === 'braking') return ` The arm brakes and feels ${felt}.`;
  if (phase === 'retreating') return ` The arm goes back along its way and feels ${felt}.`;
  if (phase === 'giving way') return ` The arm gives way to ${felt}.`;
  const did = [
    ...(retreated_rad > 0 ? [`went back ${decimal(degrees(retreated_rad), 1)}°`] : []),
    ...(yielded_rad > 0 ? [`gave way by ${decimal(degrees(yielded_rad), 1)}°`] : []),
  ];
  return ` The arm ${did.join(' and ') || 'stopped'} and holds; it feels ${felt}.`;
}

/** What a joint felt of a contact that nobody saw. */
function feltText(view: ArmView): string {
  const { contact = null } = causeOf(view).status ?? {};
  if (!contact) return 'a joint felt a torque that nothing explains';
  const joint = jointName(contact.joint);
  return contact.lags
    ? `${joint} stayed behind its goal; something holds it, or its load is too heavy for this speed`
    : `${joint} felt a torque that nothing explains`;
}

/** A detected collision, with the contact behind it where there is one. */
export function collision(view: ArmView): Found | null {
  if (stateNow(view) !== 'collision') return null;
  const contact = contactOf(view, ({ detected }) => detected);
  if (!contact) {
    const ago = forText(view).replace(/^ for (.*)/, ' $1 ago');
    const sentence = `Collision${ago}: ${feltText(view)}.${reactionText(view)}`;
    return { sentence, remedies: [ACKNOWLEDGE] };
  }
  const { place } = contact;
  return {
    place,
    sentence: `Collision: ${touchText(contact)}.${reactionText(view)} Clear the way, then acknowledge.`,
    remedies: [show(place), ACKNOWLEDGE],
  };
}

/** A body that is set down or lifted off touches with less than this; it needs no words (N). */
const FELT_N = 2;

/** A contact that lasts while collision detection is off. */
export function undetectedContact(view: ArmView): Found | null {
  if (view.snapshot?.collision_detection.enabled !== false) return null;
  // An arm in error has stopped, and says why.
  if (stateNow(view) === 'error') return null;
  const contact = contactOf(view, (one) => one.ended_s === null && one.peak_force_n >= FELT_N);
  if (!contact) return null;
  const { place } = contact;
  const sentence = `Collision detection is off, and the arm goes on: ${touchText(contact)}.`;
  return { place, sentence, remedies: [show(place), DETECT] };
}

/** A reported collision while collision detection is off. */
export function ignoredCollision({ sim, snapshot }: ArmView): Found | null {
  const joint = sim?.status?.ignored_contact_joint ?? null;
  if (joint === null || snapshot?.collision_detection.enabled !== false) return null;
  const sentence = `Collision detection is off: a collision at ${jointName(joint)} has no effect.`;
  return { sentence, remedies: [DETECT] };
}

const OBJECT_FAULTS = { missing: 'is missing', misplaced: 'is not in its place' } as const;
const GRIPPER_FAULTS = { jammed: 'is jammed', slips: 'lets parts slip', leaks: 'leaks' } as const;

/** What an injected fault does that does not stop the arm; null if another cause says it. */
export function faultEffect(fault: AddFaultBody): string | null {
  switch (fault.kind) {
    case 'stuck_input':
      return `Input ${ioName(fault.input, 'input')} keeps its value`;
    case 'sensor_noise':
      return 'Angles, velocities or temperatures are reported with noise';
    case 'failing_planner':
      return 'Plans fail';
    case 'update_failure':
      return 'Software updates fail';
    case 'disk_full':
      return 'Nothing can be saved';
    case 'gripper':
      return `Gripper “${fault.gripper}” ${GRIPPER_FAULTS[fault.fault]}`;
    case 'object':
      return `“${fault.object}” ${OBJECT_FAULTS[fault.fault]}`;
    case 'sensor':
      return `Sensor “${fault.sensor}” ${fault.fault === 'stuck' ? 'keeps its value' : 'is late'}`;
    case 'conveyor':
      return `Conveyor “${fault.conveyor}” stands`;
    default:
      return null;
  }
}
