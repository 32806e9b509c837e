/**
 * The emergency stop (decision D31): one of the simulation control API and one wired to the
 * joints, with the same effect.
 */

import { safetyOf } from '../../contract/safety-state.ts';
import { jointName } from '../../physics/arm/arm-model.ts';
import { type EmergencyStop, stopDeviation_m } from '../../physics/motion/emergency-stop.ts';
import type { Of } from './commands.ts';
import type { StopReport } from './memory.ts';
import type { RobotContext } from './robot-context.ts';

/** Presses or releases the simulated emergency stop. Idempotent. */
export function estop(context: RobotContext, command: Of<'estop'>): null {
  context.memory.estop_by_hand = command.engaged;
  updateEstop(context);
  return null;
}

/** Applies a change of the wired emergency stop in the feedback; same effect as `estop`. */
export function followWiredEstop(context: RobotContext): void {
  const pressed = context.feedback.estop ?? false;
  if (pressed === context.memory.estop_wired) return;
  context.memory.estop_wired = pressed;
  updateEstop(context);
  // With the motors off the arm may have been moved: continue from where it is.
  if (!pressed) context.startFromHeldPose();
}

function updateEstop(context: RobotContext): void {
  const { memory } = context;
  const engaged = memory.estop_by_hand || memory.estop_wired;
  if (memory.estop === engaged) return;
  const before = safetyOf(memory);
  memory.estop = engaged;
  context.reportSafety(before);
  if (engaged) pressEstop(context);
}

function pressEstop(context: RobotContext): void {
  const { memory } = context;
  // The power cycle after the update applies a stop that is still engaged. A stop that is pressed
  // again before the arm stands changes nothing.
  if (memory.state === 'updating' || memory.state === 'disabled') return;
  memory.error_behind_estop = memory.state === 'error' || memory.activity !== null;
  const stop = context.abortMotion({ outputs: false });
  context.transition('estop_pressed');
  if (stop) report(context, stop);
}

/** Says how the stop of a motion keeps its path, to the log, the status and those who check it. */
function report(context: RobotContext, stop: EmergencyStop): void {
  const joints = stop.joints.flatMap((own, joint) => (own === null ? [] : [joint]));
  const { duration_s } = stop;
  context.memory.last_stop = { duration_s, deviation_m: stopDeviation_m(stop), joints };
  context.log('info', stopText(context.memory.last_stop));
  context.events.push({ kind: 'emergency_stop', stop });
}

function stopText({ duration_s, deviation_m, joints }: StopReport): string {
  const took = `The emergency stop takes ${duration_s.toFixed(2)} s`;
  if (joints.length === 0) return `${took} and keeps to the path`;
  const names = joints.map(jointName).join(', ');
  const away = `leaves the path by up to ${(1000 * deviation_m).toFixed(1)} mm`;
  return `${took} and ${away}: ${names} cannot keep to it and brake by themselves`;
}
