/** The situation that somebody has pressed the emergency stop. */
import type { ControlLoop } from '../../../robot/loop.ts';
import type { Robot } from '../../../robot/robot.ts';
import type { SituationRow } from './situation.ts';

/** The row: it is released when the situation ends. */
export function emergencyStopSituation(
  loop: ControlLoop,
  robot: Pick<Robot, 'memory'>,
): SituationRow {
  const isPressed = () => robot.memory.estop_by_hand;
  return {
    does: 'The emergency stop is pressed: the arm stops and is disabled, until the stop is released at the end',
    parameters: [],
    hindrance: () =>
      isPressed() ? 'It is pressed already: release it (PUT /sim/v1/emergency_stop)' : null,
    begin() {
      loop.apply({ kind: 'estop', engaged: true });
      return {
        isActive: isPressed,
        end() {
          if (isPressed()) loop.apply({ kind: 'estop', engaged: false });
        },
      };
    },
  };
}
