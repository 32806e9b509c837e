/**
 * What a start asks of the servos of a family. The order in which a start does this is in
 * safe-start.ts.
 */

import type { ServoSlot } from '../calibration/servo-slot.ts';
import type { ServoSetting } from '../servo-setting.ts';
import type { ServoStrength } from './holding-torque.ts';
import type { ServoStartReport } from './start-report.ts';

/** What a servo does before the start, and which of its settings are wrong. */
export interface ServoState {
  readonly holds: boolean;
  readonly goal_ticks: number;
  readonly wrong: readonly ServoSetting[];
  /** Limits of the calibration that are wider in the servo. */
  readonly wide: readonly ServoSetting[];
  /** What its settings leave it of its torque, once `wrong` is corrected. */
  readonly strength: ServoStrength;
  /** Its watchdog (register value); 0 where it is off, or there is none. */
  readonly watchdog: number;
}

/** Goal and present position of a servo (steps). */
export interface ServoPlace {
  readonly goal_ticks: number;
  readonly present_ticks: number;
}

/** What a start asks of the servos of a family; each failure is a StartAborted. */
export interface StartServos {
  /** Refuses a servo that is absent, of an unknown model or not the calibrated one. */
  identify(slot: ServoSlot): Promise<void>;
  /** Refuses a servo that reports an error. */
  checkHardwareError(slot: ServoSlot): Promise<void>;
  /** Refuses servos of no joint that would obey one of a joint. */
  checkOthers(slots: readonly ServoSlot[]): Promise<void>;
  /** Reads torque, goal and settings, and refuses what a diagnosis calls a problem. */
  inspect(slot: ServoSlot): Promise<ServoState>;
  /** Makes a servo deaf to what is sent to the servos of other joints. */
  isolate(slot: ServoSlot, state: ServoState): Promise<void>;
  /** Goal and present position, read at one moment. */
  readPlace(slot: ServoSlot): Promise<ServoPlace>;
  /** Lowest and highest goal that a servo accepts (steps). */
  readGoalRange(slot: ServoSlot): Promise<readonly [number, number]>;
  /** Corrects what `wrong` and `wide` list, with torque off; what a held servo keeps is noted. */
  prepare(slot: ServoSlot, state: ServoState, keepsTorque: boolean): Promise<void>;
  /** Sets the goal (steps), with torque off. */
  setGoal(slot: ServoSlot, goal_ticks: number): Promise<void>;
  /** Switches torque on, for the goal that is set; may test what the model has for that. */
  hold(slot: ServoSlot, goal_ticks: number, supported: boolean): Promise<void>;
  release(slot: ServoSlot): Promise<void>;
  /** Whether a servo has torque; null where it does not answer. Never rejects. */
  hasTorque(slot: ServoSlot): Promise<boolean | null>;
  /** Makes a servo that holds stop by itself when the line is silent, where it can. */
  watch(slot: ServoSlot): Promise<void>;
  reportOf(slot: ServoSlot, held: boolean): ServoStartReport;
}
