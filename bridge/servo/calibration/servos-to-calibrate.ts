/** What the guided calibration asks of the servos of a family. */
import type { IdentifiedServo } from './calibration.ts';

/** A register that the calibration changed, with its value before. */
export interface ChangedRegister {
  readonly id: number;
  readonly register: string;
  readonly before: number;
}

/** What the calibration asks of the servos of a family; it throws sentences for the operator. */
export interface ServosToCalibrate {
  /** Model and firmware of a servo that is supported. */
  identify(id: number): Promise<IdentifiedServo>;
  holds(id: number): Promise<boolean>;
  /** Switches torque off, and clears what shifts positions; returns what it changed. */
  release(id: number): Promise<readonly ChangedRegister[]>;
  /** Makes a servo hold where it is. */
  hold(id: number): Promise<void>;
  readTicks(id: number): Promise<number>;
  readGain(id: number): Promise<number>;
  /** The position correction, where the mounting depends on it. */
  readCorrection(id: number): Promise<number | undefined>;
}
