/** How the emulated Feetech servos of an arm are set up. */

import { DRIVE } from '../../../physics/arm/arm-model.ts';
import { pairServos } from '../../servo/emulator/paired-servos.ts';
import type { ShaftSetup } from '../../servo/emulator/servo-shaft.ts';
import type { StsTableRegister } from './table-memory.ts';

export interface StsSetup extends ShaftSetup {
  readonly id: number;
  readonly joint: number;
  /** Share of its joint's torque; 1 for the only servo of a joint. */
  readonly strength?: number;
  readonly registers?: Partial<Record<StsTableRegister, number>>;
  /** True: a goal switches the torque on, as some firmware does. */
  readonly torque_by_goal?: boolean;
}

/** Six servos with ids 1 to 6, as they leave the factory. */
export const STS_SERVOS: readonly StsSetup[] = DRIVE.torque_max_n_m.map((_, joint) => ({
  id: joint + 1,
  joint,
}));

/** Phase as delivered, with the bit for reversed feedback. */
const REVERSED_PHASE = 0x8c;
/** The same with two servos on shoulder and elbow: 12 and 13 are mounted in reverse. */
export const PAIRED_STS_SERVOS: readonly StsSetup[] = pairServos(STS_SERVOS, {
  phase: REVERSED_PHASE,
});
