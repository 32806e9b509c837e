/**
 * The motion buttons: up to three buttons that depend on the robot's state. Keys that start a
 * motion need a modifier, keys that stop it do not. While the view is stale only Pause and Cancel
 * are enabled.
 */
import type { RobotStateName } from '../../contract/types.ts';
import {
  type ArmView,
  doorStopText,
  isMotionActive,
  type WorkflowHold,
} from '../link/arm-store.ts';
import { type Commands, createOnce } from '../link/commands.ts';
import type { Panel } from './element.ts';
import { button, element, type IconName, icon, setAttribute } from './element.ts';
import type { RunChoice } from './run-panel.ts';

type MotionCommand = 'run' | 'home' | 'pause' | 'resume' | 'stopLoop' | 'recover' | 'cancel';

interface MotionAction {
  readonly command: MotionCommand;
  readonly label: string;
  readonly icon: IconName;
  readonly key?: string;
  readonly enabled: boolean;
}

const PAUSE: MotionAction = {
  command: 'pause',
  label: 'Pause',
  icon: 'pause',
  key: 'P',
  enabled: true,
};
const RESUME: MotionAction = {
  command: 'resume',
  label: 'Resume',
  icon: 'play',
  key: '⇧R',
  enabled: true,
};
const STOP_LOOP: MotionAction = {
  command: 'stopLoop',
  label: 'Stop after loop',
  icon: 'loop',
  enabled: true,
};
const STOPPING: MotionAction = {
  command: 'stopLoop',
  label: 'Stopping',
  icon: 'loop',
  enabled: false,
};
const RUN: MotionAction = { command: 'run', label: 'Run', icon: 'play', key: '⇧R', enabled: true };
const HOME: MotionAction = { command: 'home', label: 'Home', icon: 'home', enabled: true };
const RESET: MotionAction = {
  command: 'recover',
  label: 'Reset errors',
  icon: 'done',
  enabled: true,
};
const ACKNOWLEDGE: MotionAction = {
  command: 'recover',
  label: 'Acknowledge',
  icon: 'done',
  enabled: true,
};
const disabled = (action: MotionAction): MotionAction => ({ ...action, enabled: false });

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
function showsAnother({ shown, snapshot }: ArmView): boolean {
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
    const action = { ...RUN, label, enabled: shown.problem === '' };
    return [action, disabled(HOME)];
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
    if (moveText(view) && second.command === 'stopLoop')
      return { actions: [first, disabled(STOP_LOOP)], cancel };
    return { actions: [first, second], cancel };
  }
  if (view.link !== 'stale') return { actions: [disabled(first), disabled(second)], cancel: false };
  // Pause never takes the place of a button that starts a motion: a click may be on its way.
  const moves = state === 'running' || state === 'stopping';
  return { actions: moves ? [PAUSE, disabled(second)] : [disabled(first), PAUSE], cancel: true };
}

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
  if (state === 'running' && moveText(view)) return `${moveText(view)}: there is no loop to end`;
  return STATE_REASONS[state] ?? '';
}

/** Who else holds the lock; empty for no one. */
function lockHolderText({ lock }: ArmView): string {
  if (lock?.status !== 'locked' || lock.owner === 'you') return '';
  return `${lock.owner === 'admin' ? 'An admin' : 'Another user'} holds the lock`;
}

/** Why the user can change nothing of the robot; empty if it is connected and no other has it. */
export function busyText(view: ArmView): string {
  return view.link === 'live' ? lockHolderText(view) : 'There is no connection to the robot';
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

function renderButton(target: HTMLButtonElement, action: MotionAction, reason: string): void {
  const look = `${action.label} ${action.key ?? ''}`;
  setAttribute(target, 'disabled', !action.enabled);
  setAttribute(target, 'title', action.enabled ? undefined : reason || undefined);
  if (target.dataset['look'] === look) return;
  target.dataset['look'] = look;
  const key = action.key ? [element('kbd', {}, action.key)] : [];
  target.replaceChildren(icon(action.icon), element('span', {}, action.label), ...key);
}

interface ActionButton {
  readonly element: HTMLButtonElement;
  show(action: MotionAction, reason: string): void;
}

/** Longest time between the clicks of a double click (ms). */
const DOUBLE_CLICK_MS = 500;
/** Commands that every click gives, because a stop never waits for the reply to another one. */
const STOPS: readonly MotionCommand[] = ['pause', 'cancel'];

/**
 * A button with a changing action. From press to release it keeps what it says and does: a click
 * is neither lost, because its target was replaced, nor turned into the opposite command; nor is
 * the second click of a double click, which starts nothing again either.
 */
function createActionButton(
  look: 'primary' | 'plain',
  execute: (command: MotionCommand) => void,
): ActionButton {
  let next: { action: MotionAction; reason: string } | null = null;
  let drawn: MotionAction | null = null;
  let held = false;
  let last = { command: null as MotionCommand | null, at_ms: Number.NEGATIVE_INFINITY };
  const target = button({ class: look }, ({ timeStamp }) => {
    if (!drawn) return;
    const isDouble = timeStamp - last.at_ms < DOUBLE_CLICK_MS;
    const isStop = STOPS.includes(drawn.command);
    if (isDouble && !(isStop && drawn.command === last.command)) return;
    last = { command: drawn.command, at_ms: timeStamp };
    execute(drawn.command);
  });
  function draw(): void {
    if (held || !next) return;
    drawn = next.action;
    renderButton(target, next.action, next.reason);
  }
  // The click follows the release.
  const release = (): void => {
    if (!held) return;
    setTimeout(() => {
      held = false;
      draw();
    });
  };
  target.addEventListener('pointerdown', () => (held = true));
  target.addEventListener('keydown', ({ key }) => {
    if (key === ' ') held = true;
  });
  for (const type of ['pointerup', 'pointercancel', 'keyup']) {
    addEventListener(type, release, { capture: true });
  }
  addEventListener('blur', release);
  return {
    element: target,
    show(action, reason) {
      next = { action, reason };
      draw();
    },
  };
}

/** Runs the toolpath on the screen; loads it first unless it is loaded, and stops if refused. */
export async function runShown(
  view: ArmView,
  choice: RunChoice,
  commands: Pick<Commands, 'run'>,
): Promise<void> {
  if (view.shown && showsAnother(view) && !(await view.shown.load())) return;
  await commands.run({ mode: choice.mode, loop: choice.loops });
}

export interface MotionBar extends Panel {
  /** Runs a command if its button is enabled. */
  press(command: MotionCommand): void;
}

/**
 * Creates the bar; a run takes mode and loops from `choice`. Keys use the current view, not the
 * view drawn last, so that slow drawing cannot swallow a pause.
 */
export function createMotionBar(
  choice: RunChoice,
  commands: Commands,
  view: () => ArmView,
): MotionBar {
  const execute: Record<MotionCommand, () => Promise<void>> = {
    run: () => runShown(view(), choice, commands),
    home: () => commands.home(),
    pause: () => commands.pause(),
    resume: () => commands.resume(),
    stopLoop: () => commands.stopLoop(),
    recover: () => commands.recover(),
    cancel: () => commands.cancel(),
  };
  const once = createOnce();
  const run = (command: MotionCommand): void => {
    if (STOPS.includes(command)) void execute[command]();
    else void once(command, execute[command]);
  };
  const primary = createActionButton('primary', run);
  const second = createActionButton('plain', run);
  const label = 'Cancel the motion';
  const cancel = button(
    { class: 'plain square', 'aria-label': label, title: label },
    () => void execute.cancel(),
    icon('close'),
  );
  return {
    element: element('div', { class: 'motion' }, primary.element, second.element, cancel),
    update({ view }) {
      const { actions, cancel: cancellable } = motionActions(view);
      const reasons = motionReasons(view);
      primary.show(actions[0], reasons.actions);
      second.show(actions[1], reasons.actions);
      setAttribute(cancel, 'disabled', !cancellable);
      setAttribute(cancel, 'title', cancellable ? label : reasons.cancel);
    },
    press(command) {
      const now = motionActions(view());
      if (command === 'cancel' && now.cancel) run('cancel');
      const action = now.actions.find((each) => each.command === command);
      if (action?.enabled) run(command);
    },
  };
}
