import type { MotionProfile } from '../../servo/emulator/motion-profile.ts';
import type { ServoShaft } from '../../servo/emulator/servo-shaft.ts';
import type { TableMemory } from './table-memory.ts';

/** The mechanical state of a servo that determines the command to its joint. */
export interface ServoState {
  readonly memory: TableMemory;
  readonly shaft: ServoShaft;
  readonly profile: MotionProfile;
}
