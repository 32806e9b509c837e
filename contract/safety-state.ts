import type { RobotState } from './robot-states.ts';

/** The safety state of the workcell (webhooks §2.2). */
export type SafetyState = 'ok' | 'emergency_stop' | 'protective_stop';

/** The safety state that a state of the robot means (webhooks §2.2). */
export function safetyOf(robot: {
  readonly estop: boolean;
  readonly state: RobotState;
}): SafetyState {
  if (robot.estop) return 'emergency_stop';
  return robot.state === 'collision' ? 'protective_stop' : 'ok';
}
