import { refuse } from '../../contract/refusal.ts';
import type { CommandResult, Of } from './commands.ts';
import type { RobotContext } from './robot-context.ts';

/** Sets the rest pose without motion: for seeds and restores of the simulation control API. */
export function setRestPose(
  context: RobotContext,
  command: Of<'stand_at'>,
): CommandResult<'stand_at'> {
  if (context.memory.activity || context.player.moving) {
    return refuse('wrong_state', 'The arm is moving; set the pose when it is at rest');
  }
  context.player.setPose(command.joints);
  return null;
}
