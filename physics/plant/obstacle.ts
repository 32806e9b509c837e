/**
 * Boxes that the arm can touch: obstacles that stand still, and movable boxes of a cell. SI units,
 * robot frame.
 */

/** Stiffness of what the arm touches where nothing else says (N/m; own): a stiff foam. */
export const STIFFNESS_N_PER_M = 25_000;

/** A box that the arm can collide with. */
export interface PlantObstacle {
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

/** A movable box of a cell; its owner moves it between steps. */
export interface MovableBox {
  /** As of `compileBox`. */
  readonly box: Float64Array;
  readonly stiffness_n_per_m: number;
  readonly damping_n_s_per_m: number;
  /** Linear velocity of the box (m/s). */
  readonly velocity: Float64Array;
  /** False while it is not there for the arm. */
  isOn: boolean;
}
