/** How the emulated DYNAMIXEL servos of an arm are set up. */

import { pairServos } from '../../servo/emulator/paired-servos.ts';
import type { ShaftSetup } from '../../servo/emulator/servo-shaft.ts';
import type { TableRegister } from './control-table.ts';
import type { ModelName } from './emulated-models.ts';

/** One emulated servo: its model, its joint and its registers. */
export interface ServoSetup extends ShaftSetup {
  readonly id: number;
  readonly model: ModelName;
  /** Joint (0..5) that it drives; a joint may have several servos. */
  readonly joint: number;
  readonly firmware?: number;
  /** Share of its joint's torque; 1 for the only servo of a joint. */
  readonly strength?: number;
  /** Registers with values other than the factory values. */
  readonly registers?: Partial<Record<TableRegister, number>>;
}

/** One million baud. */
export const LINE_BAUD = 3;

/** Six servos with ids 1 to 6, as set up by an integrator. */
export const DEFAULT_SERVOS: readonly ServoSetup[] = Array.from({ length: 6 }, (_, joint) => ({
  id: joint + 1,
  joint,
  model: joint < 3 ? ('XM540-W270' as const) : ('XM430-W350' as const),
  registers: { baud: LINE_BAUD, return_delay: 0 },
}));

/** The same with two servos on shoulder and elbow: 12 and 13 are mounted in reverse. */
export const PAIRED_SERVOS: readonly ServoSetup[] = pairServos(DEFAULT_SERVOS, { drive_mode: 1 });
