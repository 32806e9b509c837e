/**
 * What a plant's engine has to do: carry the joints from one state to the next under given joint
 * torques. Drives, friction, observer and heat are the same for every engine and stay in plant.ts.
 */
import type { ForwardDynamics } from '../dynamics/forward-dynamics.ts';
import type { JointState } from '../dynamics/servo.ts';

export interface Mechanism {
  /** Damping (N m s/rad) that the engine adds to each joint, implicit in the new rate. */
  readonly damping_n_m_s: number;
  /**
   * Advances by one step of 1 ms under joint torques (N m) and writes the new angles and rates
   * into `state`. `model` has looked at the present state, with the payload that was told. No
   * allocation.
   */
  advance(state: JointState, torque: Float64Array, model: ForwardDynamics): void;
  /** Puts the arm at rest at `q` (rad). May take milliseconds. */
  place(q: Float64Array): void;
  /** Real payload (kg), and whether it is the one that the model was told of. */
  setPayload(payload_kg: number, told: boolean): void;
  /** State beyond angles and rates, and back: continuation is bit-equal. */
  save(): Uint8Array;
  load(bytes: Uint8Array): void;
  free(): void;
}
