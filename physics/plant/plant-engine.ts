import type { JointState } from '../dynamics/drives.ts';
import type { ForwardDynamics } from '../dynamics/forward-dynamics.ts';
import type { Load } from '../dynamics/load.ts';

export interface PlantEngine {
  /**
   * Advances by 1 ms under joint torques (N m) and writes the new angles and rates to `state`.
   * `dynamics` is updated to the current state with the real load. No allocation.
   */
  advance(state: JointState, torque: Float64Array, dynamics: ForwardDynamics): void;
  /** Places the arm at rest at `q` (rad). May take milliseconds. */
  place(q: Float64Array): void;
  /** Sets the real load. */
  setLoad(load: Load): void;
  /** Saves and loads the state beyond angles and rates: the continuation is bit-equal. */
  save(): Uint8Array;
  load(bytes: Uint8Array): void;
  free(): void;
}
