/** An explanation with the calls that remedy it, and the phrases that explanations share. Pure. */
import type { ArmClient } from '../../../contract/client.ts';
import type { Vector } from '../../../contract/types.generated.ts';
import type { ArmView, StopCause } from '../../link/arm-view.ts';
import type { Sample } from '../../toolpath/samples.ts';
import { minutesText } from '../../ui/value-text.ts';

/** What a user can do about a cause. */
export type Remedy =
  | {
      readonly kind: 'call';
      readonly label: string;
      /** Whether the robot lock is needed. */
      readonly locked: boolean;
      readonly run: (client: ArmClient) => Promise<unknown>;
      /** Whether the robot's errors are reset after it, where the emergency stop leaves one. */
      readonly resets?: boolean;
    }
  | { readonly kind: 'show'; readonly label: string; readonly place: Vector }
  | { readonly kind: 'page'; readonly label: string; readonly page: string }
  | { readonly kind: 'sample'; readonly label: string; readonly sample: Sample };

/** A remedy that calls the API. */
export type CallRemedy = Extract<Remedy, { kind: 'call' }>;

export interface Explanation {
  readonly cause: string;
  readonly tone: 'fault' | 'warn' | 'note';
  readonly sentence: string;
  readonly remedies: readonly Remedy[];
  /** The joint (0..5) to mark. */
  readonly joint?: number;
  /** The place to mark, in the robot frame (m). */
  readonly place?: Vector;
}

/** An explanation before the table names its cause. */
export type Found = Omit<Explanation, 'cause' | 'tone'>;
/** A remedy that calls the API without the lock. */
export function call(label: string, run: (client: ArmClient) => Promise<unknown>): Remedy {
  return { kind: 'call', label, locked: false, run };
}

/** A remedy that takes the lock first. */
export function lockedCall(label: string, run: CallRemedy['run']): CallRemedy {
  return { kind: 'call', label, locked: true, run };
}

export function show(place: Vector): Remedy {
  return { kind: 'show', label: 'Show the place', place };
}

export const RESET = lockedCall('Reset errors', (client) => client.resetErrors());

/** The state of the robot with its cause, and what the arm touched, as this user may know them. */
export function causeOf({ sim, cause, snapshot }: ArmView): Partial<StopCause> {
  if (sim) return { ...(sim.status && { status: sim.status }), contacts: sim.contacts };
  // What is known of another state explains nothing of this one.
  return cause && cause.status.state === snapshot?.control.state ? cause : {};
}

/** Twin time since the state was entered, as " for 0:23"; empty while unknown. */
export function forText(view: ArmView): string {
  const { status } = causeOf(view);
  return status ? ` for ${minutesText(status.now_s - status.state_since_s)}` : '';
}

/** "has been pressed for 0:23"; "is pressed" while the time is unknown. */
export function lastingText(view: ArmView, what: 'pressed' | 'engaged'): string {
  const time = forText(view);
  return time ? `has been ${what}${time}` : `is ${what}`;
}

/** State of the robot; empty while unknown. */
export function stateNow({ snapshot }: ArmView): string {
  return snapshot?.control.state ?? '';
}
