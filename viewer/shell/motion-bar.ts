/**
 * The motion buttons: up to three buttons that depend on the robot's state. Keys that start a
 * motion need a modifier, keys that stop it do not. While the view is stale only Pause and Cancel
 * are enabled.
 */

import type { ArmView } from '../link/arm-view.ts';
import type { Commands } from '../link/commands.ts';
import { button, element, setAttribute } from '../ui/element.ts';
import { icon } from '../ui/icon.ts';
import { createOnce } from '../ui/once.ts';
import {
  type MotionAction,
  type MotionCommand,
  motionActions,
  showsAnother,
} from './motion-actions.ts';
import { motionReasons } from './motion-reasons.ts';
import type { Panel } from './panel.ts';
import type { RunChoice } from './run-choice.ts';

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
