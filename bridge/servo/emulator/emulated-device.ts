import type { JointDrive } from '../servo-plant.ts';
import type { JointSensors } from './servo-shaft.ts';

/** What an emulated arm needs of a servo of any family. */
export interface EmulatedDevice {
  readonly id: number;
  /** Joint (0..5) that it drives. */
  readonly setup: { readonly joint: number };
  /** Without power, or disconnected from the bus. */
  dead: boolean;
  readonly torqueOn: boolean;
  /** The goal in its registers (steps). */
  readonly goal_ticks: number;
  /** The command to its joint. */
  readonly drive: JointDrive;
  /** Advances by one millisecond. */
  step(): void;
  /** Skips time in which nothing moves (ms). */
  skip(duration_ms: number): void;
  updateSensors(sensors: JointSensors): void;
  packetReceived(): void;
  /** Restarts it: registers in RAM get their factory values, torque is off. */
  reboot(): void;
  /** Switches its torque off, as a short dip of the supply does. */
  loseTorque(): void;
  /** Makes it report an error and act on it. */
  fail(kind: 'overheated' | 'overload'): void;
  /** Sets the supply (0.1 V). */
  setSupply(voltage: number): void;
}
