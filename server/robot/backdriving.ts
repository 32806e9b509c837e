/**
 * The buttons near the end effector (§3.1): one releases the arm to be guided by hand, the other
 * one reports the pose.
 */

import { refuse } from '../../contract/refusal.ts';
import type { Joints } from '../../contract/types.generated.ts';
import type { CommandResult, Of } from './commands.ts';
import { publishedPose } from './published-pose.ts';
import type { RobotContext } from './robot-context.ts';

/** The backdriving button near the end effector: while pressed, the arm can be guided. */
export function backdriving(
  context: RobotContext,
  command: Of<'backdriving'>,
): CommandResult<'backdriving'> {
  const { memory } = context;
  if (memory.state === 'backdriving' && command.pressed === memory.button_released) {
    memory.button_released = !command.pressed;
    return null;
  }
  const reason = command.pressed ? context.options.guidingRefusal?.() : null;
  if (reason) return refuse('wrong_state', reason);
  if (command.pressed && context.transition('backdriving_pressed')) {
    context.startFromHeldPose();
    return null;
  }
  if (!command.pressed) return refuse('wrong_state', 'The backdriving button is not pressed');
  if (memory.state === 'backdriving') {
    return refuse('wrong_state', 'The backdriving button is pressed already');
  }
  return refuse('wrong_state', `Backdriving needs ready; the robot is ${memory.state}`);
}

/** Emits the measured pose; needs backdriving. */
export function waypointButton(context: RobotContext): CommandResult<'waypoint_button'> {
  if (context.memory.state !== 'backdriving') {
    return refuse(
      'wrong_state',
      'The waypoint button needs backdriving; press the backdriving button first',
    );
  }
  context.events.push({
    kind: 'backdriving',
    waypoint: publishedPose(context.feedback) as Joints,
  });
  return null;
}
