/** The actions of the motion buttons, by the state of the robot. Pure. */

import type { RobotStateName } from '../../contract/types.generated.ts';
import { type ArmView, isMotionActive } from '../link/arm-view.ts';
import { resetBlock } from '../link/reset-block.ts';
import type { StrokeName } from '../ui/icon.ts';

export type MotionCommand = 'run' | 'home' | 'pause' | 'resume' | 'stopLoop' | 'recover' | 'cancel';

export interface MotionAction {
  readonly command: MotionCommand;
  readonly label: string;
  readonly icon: StrokeName;
  readonly key?: string;
  readonly enabled: boolean;
}

/** An action that is enabled. */
function action(
  command: MotionCommand,
  label: string,
  icon: StrokeName,
  key?: string,
): MotionAction {
  return { command, label, icon, ...(key && { key }), enabled: true };
}

const disabled = (action: MotionAction): MotionAction => ({ ...action, enabled: false });

const PAUSE = action('pause', 'Pause', 'pause', 'P');
const RESUME = action('resume', 'Resume', 'play', '⇧R');
const STOP_LOOP = action('stopLoop', 'Stop after loop', 'loop');
const STOPPING = disabled(action('stopLoop', 'Stopping', 'loop'));
const RUN = action('run', 'Run', 'play', '⇧R');
const HOME = action('home', 'Home', 'home');
const RESET = action('recover', 'Reset errors', 'done');
const ACKNOWLEDGE = action('recover', 'Acknowledge', 'done');

const ACTIONS: Record<RobotStateName, readonly [MotionAction, MotionAction]> = {
  ready: [RUN, HOME],
  running: [PAUSE, STOP_LOOP],
  stopping: [PAUSE, STOPPING],
  paused: [RESUME, disabled(HOME)],
  error: [RESET, disabled(HOME)],
  collision: [ACKNOWLEDGE, disabled(HOME)],
  backdriving: [disabled(RUN), disabled(HOME)],
  updating: [disabled(RUN), disabled(HOME)],
  disabled: [disabled(RUN), disabled(HOME)],
  shutting_down: [disabled(RUN), disabled(HOME)],
};
const CANCELLABLE: readonly RobotStateName[] = ['running', 'stopping', 'paused'];

/** Whether the page shows another toolpath, or another version of it, than the robot has loaded. */
export function showsAnother({ shown, snapshot }: ArmView): boolean {
  return shown !== null && shown.hash !== snapshot?.control.toolpath_hash;
}

/** Run does what is seen: a toolpath on the screen that is not loaded is loaded first. */
function readyActions(view: ArmView): readonly [MotionAction, MotionAction] {
  const { shown } = view;
  // A replay is nothing that can be loaded.
  if (view.workflow || shown?.isReplay) return [disabled(RUN), disabled(HOME)];
  if (shown && showsAnother(view)) {
    const edited = shown.unsaved ? ', not saved' : '';
    const label = `Load and run “${shown.name}”${edited}`;
    return [{ ...RUN, label, enabled: shown.problem === '' }, disabled(HOME)];
  }
  const loaded = Boolean(view.snapshot?.control.toolpath_hash);
  return loaded ? [RUN, HOME] : [disabled(RUN), disabled(HOME)];
}

/** What the arm does while it moves without running the loaded toolpath; empty while it does. */
export function moveText({ sim, snapshot }: ArmView): string {
  if (!isMotionActive(snapshot)) return '';
  const kind = sim?.status?.activity?.kind;
  return kind === 'home' ? 'Moves home' : kind === 'go_to' ? 'Moves to a pose' : '';
}

/** The actions of the bar in a view: two labelled buttons, and whether Cancel is enabled. */
export function motionActions(view: ArmView): {
  actions: readonly [MotionAction, MotionAction];
  cancel: boolean;
} {
  const state = view.snapshot?.control.state ?? 'disabled';
  const [first, second] = ACTIONS[state];
  const cancel = CANCELLABLE.includes(state);
  if (view.link === 'live') {
    const watching = view.lock?.status === 'locked' && view.lock.owner !== 'you';
    if (watching) return { actions: [disabled(first), disabled(second)], cancel: false };
    if (state === 'ready') return { actions: readyActions(view), cancel };
    if (resetBlock(view)) return { actions: [disabled(first), disabled(second)], cancel };
    if (moveText(view) && second.command === 'stopLoop')
      return { actions: [first, disabled(STOP_LOOP)], cancel };
    return { actions: [first, second], cancel };
  }
  if (view.link !== 'stale') return { actions: [disabled(first), disabled(second)], cancel: false };
  // Pause never takes the place of a button that starts a motion: a click may be on its way.
  const moves = state === 'running' || state === 'stopping';
  return { actions: moves ? [PAUSE, disabled(second)] : [disabled(first), PAUSE], cancel: true };
}
