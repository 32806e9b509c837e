/**
 * The optional second port: the world around a simulated arm. A driver without one makes
 * /sim/v1 calls that need it answer 501.
 */
import type { DriverFault, DriverFaultKind } from './arm-driver.ts';

/** A body that the API is never told of: the arm touches it through penalty forces. */
export interface Obstacle {
  readonly name: string;
  /** Centre of the box (m), its half sizes (m) and its orientation (unit quaternion). */
  readonly position: { readonly x: number; readonly y: number; readonly z: number };
  readonly half: { readonly x: number; readonly y: number; readonly z: number };
  readonly orientation: {
    readonly w: number;
    readonly x: number;
    readonly y: number;
    readonly z: number;
  };
  readonly stiffness_n_per_m: number;
}

/** Two bodies that touch right now. */
export interface Touch {
  /** Link of the arm, 1..6, or 7 for the tool. */
  readonly link: number;
  readonly obstacle: string;
  readonly force_n: number;
}

export interface ArmWorld {
  /** Puts the arm at rest at these joints; for seeds and restores, never for motion. */
  place(q: Float64Array): void;
  /** External force at the flange (N, robot frame) until the next call; zeros end it. */
  push(force_n: readonly [number, number, number]): void;
  setObstacles(obstacles: readonly Obstacle[]): void;
  /** Makes the driver report a fault of this kind until it is cleared with null. */
  setFault(joint: number, kind: DriverFaultKind | null): DriverFault | null;
  /** Switches the motors off: the arm sags under gravity. */
  setMotorsOff(off: boolean): void;
  touches(): readonly Touch[];
  /** Whole state of plant and driver as bytes, and back: continuation is bit-equal. */
  snapshot(): Uint8Array;
  restore(bytes: Uint8Array): void;
}
