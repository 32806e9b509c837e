/**
 * The one place for motion: up to three buttons whose meaning follows the robot's state. Starting
 * needs a modifier key, stopping never; while the view is stale only Pause and Cancel stay on.
 */
import type { RobotStateName } from '../../contract/types.ts';
import type { ArmView } from '../link/arm-store.ts';
import type { Commands } from '../link/commands.ts';
import { button, element, setAttribute } from './element.ts';
import { type IconName, icon } from './icons.ts';
import type { Panel } from './panel.ts';
import type { RunChoice } from './run-panel.ts';

type Act = 'run' | 'home' | 'pause' | 'resume' | 'stopLoop' | 'recover' | 'cancel';

interface Offer {
  readonly act: Act;
  readonly words: string;
  readonly icon: IconName;
  readonly key?: string;
  readonly on: boolean;
}

const PAUSE: Offer = { act: 'pause', words: 'Pause', icon: 'pause', key: 'P', on: true };
const RESUME: Offer = { act: 'resume', words: 'Resume', icon: 'play', key: '⇧R', on: true };
const STOP_LOOP: Offer = { act: 'stopLoop', words: 'Stop after loop', icon: 'loop', on: true };
const STOPPING: Offer = { act: 'stopLoop', words: 'Stopping', icon: 'loop', on: false };
const RUN: Offer = { act: 'run', words: 'Run', icon: 'play', key: '⇧R', on: true };
const HOME: Offer = { act: 'home', words: 'Home', icon: 'home', on: true };
const RESET: Offer = { act: 'recover', words: 'Reset errors', icon: 'done', on: true };
const ACKNOWLEDGE: Offer = { act: 'recover', words: 'Acknowledge', icon: 'done', on: true };
const off = (offer: Offer): Offer => ({ ...offer, on: false });

const OFFERS: Record<RobotStateName, readonly [Offer, Offer]> = {
  ready: [RUN, HOME],
  running: [PAUSE, STOP_LOOP],
  stopping: [PAUSE, STOPPING],
  paused: [RESUME, off(HOME)],
  error: [RESET, off(HOME)],
  collision: [ACKNOWLEDGE, off(HOME)],
  backdriving: [off(RUN), off(HOME)],
  updating: [off(RUN), off(HOME)],
  disabled: [off(RUN), off(HOME)],
  shutting_down: [off(RUN), off(HOME)],
};
const CANCELLABLE: readonly RobotStateName[] = ['running', 'stopping', 'paused'];

/** What the bar offers in a view: two worded buttons, and whether Cancel is on. */
export function offersIn(view: ArmView): { offers: readonly [Offer, Offer]; cancel: boolean } {
  const state = view.snapshot?.control.state ?? 'disabled';
  const [first, second] = OFFERS[state];
  const cancel = CANCELLABLE.includes(state);
  if (view.link === 'live') {
    const watching = view.lock?.status === 'locked' && view.lock.owner !== 'you';
    if (watching) return { offers: [off(first), off(second)], cancel: false };
    const loaded = Boolean(view.snapshot?.control.toolpath_hash);
    const ready = state === 'ready' && !loaded ? off : (offer: Offer) => offer;
    return { offers: [ready(first), ready(second)], cancel };
  }
  const under = view.link === 'stale';
  return { offers: [under ? PAUSE : off(first), off(second)], cancel: under };
}

/** Why nothing can be pressed, for the buttons' titles. */
function reason(view: ArmView): string {
  if (view.lock?.status === 'locked' && view.lock.owner !== 'you') {
    return `${view.lock.owner === 'admin' ? 'An admin' : 'Another user'} holds the lock`;
  }
  if (view.link === 'live' && !view.snapshot?.control.toolpath_hash) return 'Load a toolpath first';
  return '';
}

function dress(target: HTMLButtonElement, offer: Offer, why: string): void {
  const look = `${offer.words} ${offer.key ?? ''}`;
  setAttribute(target, 'disabled', !offer.on);
  setAttribute(target, 'title', offer.on ? undefined : why || undefined);
  if (target.dataset['look'] === look) return;
  target.dataset['look'] = look;
  const key = offer.key ? [element('kbd', {}, offer.key)] : [];
  target.replaceChildren(icon(offer.icon), element('span', {}, offer.words), ...key);
}

export interface MotionBar extends Panel {
  /** Does what a button would do, if it is on. */
  press(act: Act): void;
}

/**
 * The bar; a run takes its mode and loops from `choice`. Keys act on the view as it is, not as it
 * was last drawn: a slow picture must not swallow a pause.
 */
export function createMotionBar(
  choice: RunChoice,
  commands: Commands,
  view: () => ArmView,
): MotionBar {
  let current = offersIn({ link: 'connecting' } as ArmView);
  const acts: Record<Act, () => Promise<void>> = {
    run: () => commands.run({ mode: choice.mode, loop: choice.loops }),
    home: () => commands.home(),
    pause: () => commands.pause(),
    resume: () => commands.resume(),
    stopLoop: () => commands.stopLoop(),
    recover: () => commands.recover(),
    cancel: () => commands.cancel(),
  };
  const primary = button({ class: 'primary' }, () => void acts[current.offers[0].act]());
  const second = button({ class: 'plain' }, () => void acts[current.offers[1].act]());
  const label = 'Cancel the motion';
  const cancel = button(
    { class: 'plain square', 'aria-label': label, title: label },
    () => void acts.cancel(),
    icon('close'),
  );
  return {
    element: element('div', { class: 'motion' }, primary, second, cancel),
    update({ view }) {
      current = offersIn(view);
      const why = reason(view);
      dress(primary, current.offers[0], why);
      dress(second, current.offers[1], why);
      setAttribute(cancel, 'disabled', !current.cancel);
    },
    press(act) {
      const now = offersIn(view());
      if (act === 'cancel' && now.cancel) void acts.cancel();
      const offer = now.offers.find((each) => each.act === act);
      if (offer?.on) void acts[act]();
    },
  };
}
