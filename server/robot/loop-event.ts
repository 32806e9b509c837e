import type { Refusal } from '../../contract/refusal.ts';
import type { SafetyState } from '../../contract/safety-state.ts';
import type { Joints } from '../../contract/types.generated.ts';
import type { EmergencyStop } from '../../physics/motion/emergency-stop.ts';
import type { Caller } from './caller.ts';

/** Snapshot sections reduced to the fields that changed. */
export type SectionChanges = Record<string, unknown>;

/**
 * Events of a tick or a command (§6.1). `lock_status` carries the holder, because the field `you`
 * differs between receivers.
 */
export type LoopEvent =
  | { readonly kind: 'state_change'; readonly changes: SectionChanges }
  | { readonly kind: 'lock_status'; readonly holder: Caller | null }
  | { readonly kind: 'backdriving'; readonly waypoint: Joints }
  /** A command that waited for standstill took effect, or was refused after all. */
  | { readonly kind: 'completed'; readonly refusal: Refusal<'wrong_state'> | null }
  /** The safety state has changed, also where it changes back before the next tick. */
  | { readonly kind: 'safety'; readonly state: SafetyState }
  /** An emergency stop ends a motion so; never sent on the arm's stream. */
  | { readonly kind: 'emergency_stop'; readonly stop: EmergencyStop }
  /** For the twin's own log; never sent on the arm's stream. */
  | { readonly kind: 'log'; readonly level: 'info' | 'warning' | 'error'; readonly text: string };
