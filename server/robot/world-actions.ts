/**
 * What the hand on the twin does to the world around the joints, as plain data: like commands,
 * these happen between two ticks, so that a recording holds them and a replay repeats them.
 */
import type { DriverFaultKind } from '../../bridge/arm-driver.ts';
import type { ArmWorld, Obstacle } from '../../bridge/arm-world.ts';

export type WorldAction =
  | { readonly kind: 'push'; readonly force_n: readonly [number, number, number] }
  | { readonly kind: 'obstacles'; readonly obstacles: readonly Obstacle[] }
  | {
      readonly kind: 'joint_fault';
      readonly joint: number;
      readonly fault: DriverFaultKind | null;
    }
  | { readonly kind: 'place'; readonly joints: readonly number[] };

/** Does one action; false when this world cannot do it. */
export function actOn(world: ArmWorld, action: WorldAction): boolean {
  switch (action.kind) {
    case 'push':
      world.push(action.force_n);
      return true;
    case 'obstacles':
      world.setObstacles(action.obstacles);
      return true;
    case 'joint_fault':
      return world.setFault(action.joint, action.fault)?.kind === (action.fault ?? undefined);
    case 'place':
      world.place(Float64Array.from(action.joints));
      return true;
  }
}
