/**
 * What the hand on the twin does to the world around the joints, as plain data: like commands,
 * these happen between two ticks, so that a recording holds them and a replay repeats them.
 */
import type { DriverFaultKind } from '../../bridge/arm-driver.ts';
import type { ArmWorld, Obstacle } from '../../bridge/arm-world.ts';
import type { ArmDisturbance, SensorNoise } from '../../bridge/disturbed-arm.ts';

export type WorldAction =
  | { readonly kind: 'push'; readonly force_n: readonly [number, number, number] }
  | { readonly kind: 'obstacles'; readonly obstacles: readonly Obstacle[] }
  | {
      readonly kind: 'joint_fault';
      readonly joint: number;
      readonly fault: DriverFaultKind | null;
    }
  | { readonly kind: 'place'; readonly joints: readonly number[] }
  | { readonly kind: 'contact'; readonly joint: number }
  | { readonly kind: 'noise'; readonly noise: SensorNoise | null };

/** What can be reached behind the joints; null where a driver lets nobody in. */
export interface Reach {
  readonly world: ArmWorld | null;
  readonly disturbance: ArmDisturbance | null;
}

/** Does one action; false where that is not possible. */
export function actOn({ world, disturbance }: Reach, action: WorldAction): boolean {
  if (action.kind === 'contact') disturbance?.touch(action.joint);
  else if (action.kind === 'noise') disturbance?.setNoise(action.noise);
  else return world !== null && actOnWorld(world, action);
  return disturbance !== null;
}

type OnWorld = Exclude<WorldAction, { kind: 'contact' | 'noise' }>;

function actOnWorld(world: ArmWorld, action: OnWorld): boolean {
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
