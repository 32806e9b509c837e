/**
 * The simulated world around an arm: the optional second port of a driver. A driver without one
 * makes the /sim/v1 calls that need it answer 501.
 */

import type { Problem } from '../contract/problem.ts';
import type { ArmProfile, Cell } from '../contract/types.generated.ts';
import type { Realism } from '../physics/arm/arm-model.ts';
import type { CellPlant } from '../physics/cell/cell-plant.ts';
import type { Load } from '../physics/dynamics/load.ts';
import type { PlantObstacle } from '../physics/plant/obstacle.ts';
import type { ArmFault, ArmFaultKind } from './arm-driver.ts';

/** A body that the planner does not know of. The arm touches it through penalty forces. */
export interface Obstacle extends PlantObstacle {
  readonly name: string;
}

/** Two bodies in contact at this moment. */
export interface Touch {
  /** Link of the arm, 1..6, 7 for the tool, 8 for the carried load, 9 for the gripper. */
  readonly link: number;
  /** Name of the obstacle, or `floor`. */
  readonly obstacle: string;
  readonly force_n: number;
}

/** One contact of the arm from its first to its last force. */
export interface Contact {
  readonly id: number;
  /** Plant time of the touch (s), and of the last force; null while the contact lasts. */
  readonly at_s: number;
  readonly ended_s: number | null;
  /** Link of the arm, 1..6, 7 for the tool, 8 for the carried load, 9 for the gripper. */
  readonly link: number;
  /** Name of the obstacle, or `floor`. */
  readonly obstacle: string;
  /** Where the bodies touched (m). */
  readonly place_m: readonly [number, number, number];
  /** Speed at which the body of the arm met the other one, along the contact normal (m/s). */
  readonly speed_m_s: number;
  readonly peak_force_n: number;
  /** Force in the last plant step (N): the residual force once the arm is at rest. */
  readonly force_n: number;
  /** True when collision detection found it. */
  readonly detected: boolean;
}

/** A body of the arm near something that it could touch. */
export interface Nearby {
  /** Link of the arm, 1..6, 7 for the tool, 8 for the carried load, 9 for the gripper. */
  readonly link: number;
  /** Name of the obstacle, fixture or object. */
  readonly obstacle: string;
  /** Below zero where they overlap. */
  readonly distance_m: number;
}

/** The latest contacts, oldest first. */
export interface ContactList {
  list(): readonly Contact[];
  /** Incremented when a contact starts or ends. */
  readonly revision: number;
}

/** Name of the floor among the obstacles. */
export const FLOOR = 'floor';

export interface ArmWorld {
  /** Places the arm at rest at these joint angles; for seeds and restores, never for motion. */
  place(q: Float64Array): void;
  /** Applies a force at the flange (N, robot frame) until the next call; zeros remove it. */
  push(force_n: readonly [number, number, number]): void;
  setObstacles(obstacles: readonly Obstacle[]): void;
  /** Replaces the cell, whose description must be valid, or removes it with null. */
  setCell(cell: Cell | null): void;
  /** Objects of a valid cell that would be in the arm as it stands now. */
  metByArm(cell: Cell): readonly Problem[];
  /** How deep the arm as it stands now would be in each of these obstacles (m); 0 where it is not. */
  depthsIn(obstacles: readonly Obstacle[]): readonly number[];
  /**
   * What is nearest to the arm over poses (rad), of all obstacles, fixtures and objects as they are
   * now, where it is nearer than `within_m`; else null.
   */
  nearestTo(poses: readonly Float64Array[], within_m: number): Nearby | null;
  /** Presses a button or opens a door of the cell, or undoes it; the feedback has its stop. */
  setCellControl(control: number, isActive: boolean): void;
  /** The cell around the arm; null without one. */
  readonly cell: CellPlant | null;
  /** Sets what the flange really carries; with null, what the control expects, as a ball. */
  setLoad(load: Load | null): void;
  /** The load of `setLoad`. */
  readonly load: Load | null;
  /** How far the arm deviates from an ideal one, and its profile; null without one. */
  readonly realism: Realism;
  readonly profile: ArmProfile | null;
  /** Sets how far the arm deviates from an ideal one, in what it measures and in its friction. */
  setRealism(realism: Realism): void;
  /** Gives the arm the friction, load, noise and latency of a profile; null: those of the model. */
  setProfile(profile: ArmProfile | null): void;
  /** Injects a fault of this kind until it is cleared with null; returns the injected fault. */
  setFault(joint: number, kind: ArmFaultKind | null): ArmFault | null;
  /** Switches the motors off: the arm sags under gravity. */
  setMotorsOff(off: boolean): void;
  touches(): readonly Touch[];
  /** The contacts so far, for reports. */
  readonly contacts: ContactList;
  /** The whole state of plant and driver as bytes. After a restore the run continues bit-equal. */
  snapshot(): Uint8Array;
  /** `tick`: that of the twin from now on, from which contacts and events have their times. */
  restore(bytes: Uint8Array, tick?: number): void;
}
