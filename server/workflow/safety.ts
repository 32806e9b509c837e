/** The safety state of the workcell as the robot shows it, and when it changes (spec §2.2). */
import type { Robot } from '../robot/robot.ts';

export type SafetyState = 'ok' | 'emergency_stop' | 'protective_stop';

/** What the robot's state says about safety. */
export function safetyOf({ memory }: Robot): SafetyState {
  if (memory.estop) return 'emergency_stop';
  return memory.state === 'collision' ? 'protective_stop' : 'ok';
}
