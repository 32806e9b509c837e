import { type Refusal, refuse } from '../../contract/refusal.ts';
import { isAllowed, type RobotCommand, wrongStateDetails } from '../../contract/robot-states.ts';
import type { RobotMemory } from './memory.ts';

/** The refusal of a command in the present state, or null. */
export function stateRefusal(
  { state, estop, button_released }: Readonly<RobotMemory>,
  command: RobotCommand,
): Refusal<'wrong_state'> | null {
  if (isAllowed(command, state)) return null;
  const isLeaving = state === 'disabled' ? !estop : state === 'backdriving' && button_released;
  return refuse('wrong_state', wrongStateDetails(command, state, isLeaving));
}
