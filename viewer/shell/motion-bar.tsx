/**
 * The motion buttons: up to three buttons that depend on the robot's state. Keys that start a
 * motion need a modifier, keys that stop it do not. While the view is stale only Pause and Cancel
 * are enabled.
 */
import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { ArmView } from '../link/arm-view.ts';
import type { Commands } from '../link/commands.ts';
import { Button } from '../ui/buttons.tsx';
import { Icon } from '../ui/drawn-icon.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { createOnce } from '../ui/once.ts';
import {
  type MotionAction,
  type MotionCommand,
  motionActions,
  showsAnother,
} from './motion-actions.ts';
import { motionReasons } from './motion-reasons.ts';
import type { RunChoice } from './run-choice.ts';
import { useUnchanged } from './use-unchanged.ts';

/** Longest time between the clicks of a double click (ms). */
const DOUBLE_CLICK_MS = 500;
/** Commands that every click gives, because a stop never waits for the reply to another one. */
const STOPS: readonly MotionCommand[] = ['pause', 'cancel'];
const CANCEL = 'Cancel the motion';

interface ActionButtonProps {
  readonly class: 'primary' | 'plain';
  readonly action: MotionAction;
  /** Why it is disabled. */
  readonly reason: string;
  readonly run: (command: MotionCommand) => void;
}

/**
 * Whether a button is pressed right now: from press to release it keeps what it says and does. The
 * click follows the release.
 */
function useHeld() {
  const isHeld = useSignal(false);
  useEffect(() => {
    const release = (): void => {
      if (!isHeld.value) return;
      setTimeout(() => {
        isHeld.value = false;
      });
    };
    const [ends, listening] = [['pointerup', 'pointercancel', 'keyup', 'blur'], { capture: true }];
    for (const type of ends) addEventListener(type, release, listening);
    return () => {
      for (const type of ends) removeEventListener(type, release, listening);
    };
  }, [isHeld]);
  const hold = (): void => {
    isHeld.value = true;
  };
  const events = {
    onPointerDown: hold,
    onKeyDown: ({ key }: KeyboardEvent) => {
      if (key === ' ') hold();
    },
  };
  return { isHeld: isHeld.value, events };
}

/**
 * A button with a changing action: a click is neither lost, because its target was replaced, nor
 * turned into the opposite command; nor is the second click of a double click, which starts
 * nothing again either.
 */
function ActionButton({ class: look, action, reason, run }: ActionButtonProps) {
  const { isHeld, events } = useHeld();
  const drawn = useRef({ action, reason });
  if (!isHeld) drawn.current = { action, reason };
  const last = useRef({ command: '', at_ms: Number.NEGATIVE_INFINITY });
  const { command, label, icon, key, enabled } = drawn.current.action;
  function click({ timeStamp: at_ms }: MouseEvent): void {
    const isDouble = at_ms - last.current.at_ms < DOUBLE_CLICK_MS;
    if (isDouble && !(STOPS.includes(command) && command === last.current.command)) return;
    last.current = { command, at_ms };
    run(command);
  }
  return (
    <Button
      class={look}
      disabled={!enabled}
      title={enabled ? undefined : drawn.current.reason || undefined}
      onClick={click}
      {...events}
    >
      <Icon name={icon} />
      <span>{label}</span>
      {key && <kbd>{key}</kbd>}
    </Button>
  );
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

/** What the motion buttons and their keys do. */
export interface Motion {
  run(command: MotionCommand): void;
  /** Runs a command if its button is enabled. */
  press(command: MotionCommand): void;
}

/**
 * The commands of the bar; a run takes mode and loops from `choice`. Keys use the current view, not
 * the view drawn last, so that slow drawing cannot swallow a pause.
 */
export function createMotion(choice: RunChoice, commands: Commands, view: () => ArmView): Motion {
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
  function run(command: MotionCommand): void {
    if (STOPS.includes(command)) void execute[command]();
    else void once(command, execute[command]);
  }
  return {
    run,
    press(command) {
      const now = motionActions(view());
      if (command === 'cancel' && now.cancel) run('cancel');
      const action = now.actions.find((each) => each.command === command);
      if (action?.enabled) run(command);
    },
  };
}

interface MotionBarProps {
  readonly motion: Motion;
  readonly view: ReadonlySignal<ArmView>;
}

/** The buttons. */
export function MotionBar({ motion, view }: MotionBarProps) {
  const { actions, cancel } = useUnchanged(() => motionActions(view.value));
  const reasons = useUnchanged(() => motionReasons(view.value));
  const shared = { reason: reasons.actions, run: motion.run };
  return (
    <div class="motion">
      <ActionButton class="primary" action={actions[0]} {...shared} />
      <ActionButton class="plain" action={actions[1]} {...shared} />
      <IconButton
        icon="close"
        label={CANCEL}
        class="plain square"
        title={cancel ? CANCEL : reasons.cancel}
        disabled={!cancel}
        onClick={() => motion.run('cancel')}
      />
    </div>
  );
}
