/**
 * Why a motion button is disabled, or why a toolpath cannot be loaded: the state, a workflow, or
 * the holder of the lock. Pure.
 */

import type { RobotStateName } from '../../contract/types.generated.ts';
import type { ArmView, WorkflowHold } from '../link/arm-view.ts';
import { lockedByOtherText } from '../link/lock-holder.ts';
import { doorStopText } from '../link/outside-stop.ts';
import { resetBlock } from '../link/reset-block.ts';
import { moveText, showsAnother } from './motion-actions.ts';

/** Why the arm cannot be moved while a workflow run has it. */
export function workflowHoldText({ run_id, name }: WorkflowHold): string {
  return `Workflow run ${run_id}, “${name}”, has the arm`;
}

/** Why the buttons of a state are disabled; a state that enables them all has none. */
const STATE_REASONS: Partial<Record<RobotStateName, string>> = {
  stopping: 'The run stops at the end of this loop',
  paused: 'The motion is paused: resume or cancel it first',
  error: 'Reset the errors first',
  collision: 'Acknowledge the collision first',
  backdriving: 'The backdriving button is pressed',
  updating: 'Software is being installed',
  shutting_down: 'The robot shuts down',
};

/** Why the state disables the buttons; empty for one that does not. */
function stateReason(view: ArmView, state: RobotStateName): string {
  if (state === 'disabled') return doorStopText(view) || 'The emergency stop is pressed';
  if (resetBlock(view)) return resetBlock(view);
  if (state === 'running' && moveText(view)) return `${moveText(view)}: there is no loop to end`;
  return STATE_REASONS[state] ?? '';
}

/** Why the user can change nothing of the robot; empty if it is connected and no other has it. */
export function busyText(view: ArmView): string {
  return view.link === 'live' ? lockedByOtherText(view) : 'There is no connection to the robot';
}

/** Why no toolpath can be loaded; empty if one can. */
export function loadReason(view: ArmView): string {
  const state = view.snapshot?.control.state ?? 'disabled';
  if (busyText(view)) return busyText(view);
  if (state !== 'ready') return state === 'running' ? 'The arm moves' : stateReason(view, state);
  return view.workflow ? workflowHoldText(view.workflow) : '';
}

/** Why the labelled buttons are disabled. */
function disabledReason(view: ArmView): string {
  const state = view.snapshot?.control.state ?? 'disabled';
  if (busyText(view)) return busyText(view);
  if (state !== 'ready') return stateReason(view, state);
  if (view.workflow) return workflowHoldText(view.workflow);
  if (showsAnother(view)) {
    return (
      view.shown?.problem || 'Home moves to the start of the loaded toolpath: load this one first'
    );
  }
  return view.snapshot?.control.toolpath_hash ? '' : 'Load a toolpath first';
}

/** Why the labelled buttons and Cancel are disabled, if they are. */
export function motionReasons(view: ArmView): {
  readonly actions: string;
  readonly cancel: string;
} {
  return {
    actions: disabledReason(view),
    cancel: busyText(view) || 'There is no motion to cancel',
  };
}
