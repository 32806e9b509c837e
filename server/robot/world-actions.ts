/**
 * Actions of the simulation control API on the simulated world, as plain data. Like commands, they
 * happen between two ticks, so that recordings store and replays repeat them. Units: N, rad.
 */

import type { ArmFaultKind } from '../../bridge/arm-driver.ts';
import type { ArmWorld, Obstacle } from '../../bridge/arm-world.ts';
import type { DriverFaults, SensorNoise } from '../../bridge/fault-injecting-driver.ts';
import type { ArmProfile, Cell } from '../../contract/types.generated.ts';
import type { Realism } from '../../physics/arm/arm-model.ts';
import type { CellFault } from '../../physics/cell/cell-faults.ts';
import type { Load } from '../../physics/dynamics/load.ts';

export type WorldAction =
  | { readonly kind: 'push'; readonly force_n: readonly [number, number, number] }
  | { readonly kind: 'load'; readonly load: Load | null }
  | { readonly kind: 'cell'; readonly cell: Cell | null }
  /** A person puts an object, with its bottom face at a frame (position, quaternion). */
  | {
      readonly kind: 'cell_move';
      readonly object: number;
      readonly frame: readonly number[];
      /** True when a fault, not a person, put it there. */
      readonly misplaced?: boolean;
    }
  /** Starts or ends a fault of a part of the cell; null ends all of them. */
  | { readonly kind: 'cell_fault'; readonly fault: CellFault | null; readonly active: boolean }
  | { readonly kind: 'cell_control'; readonly control: number; readonly active: boolean }
  | { readonly kind: 'obstacles'; readonly obstacles: readonly Obstacle[] }
  | {
      readonly kind: 'joint_fault';
      readonly joint: number;
      readonly fault: ArmFaultKind | null;
    }
  | { readonly kind: 'realism'; readonly realism: Realism }
  | { readonly kind: 'profile'; readonly profile: ArmProfile | null }
  | { readonly kind: 'place'; readonly joints: readonly number[] }
  | { readonly kind: 'contact'; readonly joint: number }
  | { readonly kind: 'noise'; readonly noise: SensorNoise | null };

/** Targets of world actions; null where the driver has none. */
export interface WorldPorts {
  readonly world: ArmWorld | null;
  readonly driverFaults: DriverFaults | null;
}

/** Executes one action; false where the driver does not support it. */
export function applyWorldAction(
  { world, driverFaults }: WorldPorts,
  action: WorldAction,
): boolean {
  if (action.kind === 'contact') driverFaults?.injectContact(action.joint);
  else if (action.kind === 'noise') driverFaults?.setNoise(action.noise);
  else return world !== null && applyToWorld(world, action);
  return driverFaults !== null;
}

type WorldOnlyAction = Exclude<WorldAction, { kind: 'contact' | 'noise' }>;

function applyToWorld(world: ArmWorld, action: WorldOnlyAction): boolean {
  switch (action.kind) {
    case 'push':
      world.push(action.force_n);
      return true;
    case 'obstacles':
      world.setObstacles(action.obstacles);
      return true;
    case 'cell':
      world.setCell(action.cell);
      return true;
    case 'cell_move':
      world.cell?.move(action.object, Float64Array.from(action.frame), action.misplaced);
      return world.cell !== null;
    case 'cell_fault':
      world.cell?.setFault(action.fault, action.active);
      return world.cell !== null;
    case 'cell_control':
      world.setCellControl(action.control, action.active);
      return world.cell !== null;
    case 'load':
      world.setLoad(action.load);
      return true;
    case 'realism':
      world.setRealism(action.realism);
      return true;
    case 'profile':
      world.setProfile(action.profile);
      return true;
    case 'joint_fault':
      return world.setFault(action.joint, action.fault)?.kind === (action.fault ?? undefined);
    case 'place':
      world.place(Float64Array.from(action.joints));
      return true;
  }
}
