/** Updates, power cycles and the shutdown of the robot (decisions D32, D34). */

import { refuse } from '../../contract/refusal.ts';
import { safetyOf } from '../../contract/safety-state.ts';
import { createIo } from './io.ts';
import { createMemory } from './memory.ts';
import type { RobotContext } from './robot-context.ts';
import { refuseObsoleteCommand } from './standstill.ts';

/** Enters `updating`. */
export function beginUpdate(context: RobotContext): null {
  context.transition('update_started');
  return null;
}

/** Completes the update with a power cycle. */
export function finishUpdate(context: RobotContext): null {
  context.transition('update_finished');
  return powerCycle(context);
}

/** Power cycle: clears lock, toolpath, outputs and errors; keeps settings and inputs. */
export function powerCycle(context: RobotContext): null {
  const { schedule, detection, estop: engaged, estop_by_hand, estop_wired, io } = context.memory;
  const had_lock = context.memory.lock !== null;
  const before = safetyOf(context.memory);
  context.complete(refuse('wrong_state', 'The power was cycled'));
  context.player.emergencyStop();
  context.memory = {
    ...createMemory(),
    schedule,
    detection,
    estop: engaged,
    estop_by_hand,
    estop_wired,
    // The robot is ready once the arm stands.
    state: engaged || !context.standing ? 'disabled' : 'ready',
    io: {
      ...createIo(),
      inputs: io.inputs,
      wired: io.wired,
      loopback: io.loopback,
      stuck: io.stuck,
    },
  };
  context.reportSafety(before);
  context.options.recover();
  if (had_lock) context.events.push({ kind: 'lock_status', holder: null });
  context.log('info', 'Power cycle');
  return null;
}

/** Aborts the motion and enters `shutting_down`. */
export function shutDown(context: RobotContext): null {
  context.abortMotion({ outputs: false });
  context.transition('shut_down');
  refuseObsoleteCommand(context);
  return null;
}
