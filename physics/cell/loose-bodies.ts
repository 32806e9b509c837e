/** The port of the mechanics that moves the bodies of a cell. SI units, robot frame. */
import type { Numbers } from '../math/vector.ts';
import type { Support } from './support.ts';

/** Mechanics of the movable bodies. */
export interface LooseBodies {
  /** Whether what falls goes through the arm, which does not feel it. */
  readonly isFallFree: boolean;
  /** Advances by 1 ms; true when bodies moved. `running` holds 1 for each belt that runs. */
  step(running: Float64Array): boolean;
  /** A gripper takes a body: from now on the caller writes its pose. */
  hold(i: number): void;
  /** A body is free at its present pose and velocity; `turns`: it turns as it comes off something. */
  release(i: number, turns?: boolean): void;
  /** A held body was put at its present pose, at rest; it settles there. */
  place(i: number): void;
  /** Shifts a body that jaws push (m). */
  shift(i: number, by: Numbers): void;
  /** A body of the arm pushes with a force (N) at a point (m) in this step. */
  push(i: number, force: Numbers, point: Numbers): void;
  /** What is beneath a body. */
  supportOf(i: number): Support | null;
  /** What is not computed of how body `i` came to rest, as the end of a sentence; often empty. */
  doubtOf(i: number): string;
  /** True while a body moves by itself. */
  readonly isActive: boolean;
  save(): Uint8Array;
  load(bytes: Uint8Array): void;
  free(): void;
}
