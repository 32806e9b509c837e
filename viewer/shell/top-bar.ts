/** The top bar: robot and link, state, toolpath, lock holder, and the motion buttons. */

import type { RobotStateName } from '../../contract/types.generated.ts';
import { type ArmView, isMotionActive } from '../link/arm-view.ts';
import type { Commands } from '../link/commands.ts';
import { lockOwnerText } from '../link/event-text.ts';
import { button, element, setAttribute, setText } from '../ui/element.ts';
import { type IconName, icon } from '../ui/icon.ts';
import { createPeriod } from '../ui/period.ts';
import { ageText, clockRateText, minutesText, paceText } from '../ui/value-text.ts';
import { moveText } from './motion-actions.ts';
import type { MotionBar } from './motion-bar.ts';
import { busyText } from './motion-reasons.ts';
import type { Panel, Shown } from './panel.ts';
import { loopText } from './run-progress.ts';

interface StateLook {
  readonly label: string;
  readonly icon: IconName;
  readonly tone: 'run' | 'warn' | 'fault' | 'quiet';
}

const STATE_LOOKS: Record<RobotStateName, StateLook> = {
  ready: { label: 'Ready', icon: 'done', tone: 'quiet' },
  running: { label: 'Running', icon: 'play', tone: 'run' },
  stopping: { label: 'Stopping', icon: 'loop', tone: 'run' },
  paused: { label: 'Paused', icon: 'pause', tone: 'warn' },
  error: { label: 'Error', icon: 'fault', tone: 'fault' },
  collision: { label: 'Collision', icon: 'fault', tone: 'fault' },
  disabled: { label: 'Emergency stop', icon: 'fault', tone: 'fault' },
  backdriving: { label: 'Backdriving', icon: 'hand', tone: 'run' },
  updating: { label: 'Updating', icon: 'loop', tone: 'warn' },
  shutting_down: { label: 'Shutting down', icon: 'warn', tone: 'warn' },
};
const UNKNOWN: StateLook = { label: 'Unknown', icon: 'warn', tone: 'warn' };

const DRIVERS: Readonly<Record<string, string>> = {
  rapier: 'simulated',
  fast: 'simulated',
  servo: 'real arm',
  mirrored: 'real arm with mirrored model',
  external: 'real arm',
  upstream: 'real arm',
};

/** The rate of the twin's clock: measured if available, else as in the response header. */
function clockSuffix({ sim, clock }: ArmView): string {
  if (sim) return `, ${clockRateText(sim.clock)}`;
  return clock === null ? '' : `, ${paceText(clock)}`;
}

/** Describes the link, and whether the arm is simulated or real: empty where that is unknown. */
export function linkTexts({ view, age_ms }: Shown): readonly [string, string] {
  if (view.link === 'signed-out') return ['Signed out', ''];
  if (view.link === 'connecting') return ['Connecting', ''];
  if (view.link === 'stale') return [`No data for ${ageText(age_ms)}, reconnecting`, ''];
  // A stepped clock sends nothing between its steps, also in the middle of a motion.
  const silence = isMotionActive(view.snapshot) ? 'no changes' : 'at rest';
  const rate = `Live, ${view.rate_hz > 0 ? `${view.rate_hz} Hz` : silence}`;
  if (view.driver === null) return [rate, ''];
  return [rate, `${DRIVERS[view.driver] ?? view.driver}${clockSuffix(view)}`];
}

/** Label, icon and tone of the state pill. */
export function stateLook(view: ArmView): StateLook {
  if (view.link !== 'live' || !view.snapshot) return UNKNOWN;
  return STATE_LOOKS[view.snapshot.control.state];
}

/** Name of the loaded toolpath; nothing is known of it before the first snapshot. */
function pathText({ snapshot }: ArmView): string {
  if (!snapshot) return 'Toolpath';
  return snapshot.control.toolpath_name || 'No toolpath loaded';
}

function subtitle(view: ArmView): string {
  if (!view.snapshot) return 'unknown';
  if (!view.snapshot.control.toolpath_hash) return moveText(view);
  const { run_mode, state } = view.snapshot.control;
  if (view.link === 'stale') return `last seen ${STATE_LOOKS[state].label.toLowerCase()}`;
  const loop = loopText(view);
  if (moveText(view)) return loop;
  const mode = { automatic: 'Automatic · ', teach: 'Teach · ', not_running: '' }[run_mode];
  return mode ? mode + loop.charAt(0).toLowerCase() + loop.slice(1) : loop;
}

function lockText(view: ArmView): readonly [string, string] {
  const { lock } = view;
  if (!lock) return ['Lock', 'unknown'];
  const isFree = lock.status === 'unlocked';
  if (view.link !== 'live') return [isFree ? 'Free' : lockOwnerText(lock), 'last known'];
  if (isFree) return ['Free', 'acquired on first move'];
  const left_s = view.sim?.lockLeft_s ?? null;
  // First the time: a narrow bar cuts the end.
  const left = left_s === null ? '' : `${minutesText(left_s)} left, `;
  if (lock.owner !== 'you') return [lockOwnerText(lock), `${left}you are watching`];
  return ['You', left + (view.lockHeldHere ? 'held here' : 'held elsewhere')];
}

/** Why the lock can be neither acquired nor released; empty if it can. */
function lockReason(view: ArmView, isNeeded: boolean): string {
  const busy = busyText(view);
  if (busy) return busy;
  return isNeeded ? 'A run in teach mode needs the lock: cancel the run first' : '';
}

function lockButton(commands: Commands) {
  let held = false;
  const who = element('span', { class: 'lock-who' });
  const more = element('span', { class: 'sub' });
  const chip = button(
    { class: 'lock' },
    () => void (held ? commands.releaseLock() : commands.acquireLock()),
    element('span', { class: 'lock-line' }, icon('lock'), who),
    more,
  );
  return {
    element: chip,
    update(view: ArmView): void {
      const [owner, details] = lockText(view);
      held = view.lock?.owner === 'you' && view.lockHeldHere;
      setText(who, owner.charAt(0).toUpperCase() + owner.slice(1));
      setText(more, details);
      const teach = isMotionActive(view.snapshot) && view.snapshot?.control.run_mode === 'teach';
      const reason = lockReason(view, held && teach);
      setAttribute(chip, 'disabled', reason !== '');
      setAttribute(chip, 'title', reason || (held ? 'Release the lock' : 'Acquire the lock'));
    },
  };
}

/** Messages are counted over this time, so that their rate changes no more often. */
const LINK_TEXT_MS = 1000;

/** Creates the bar with the motion buttons at its end. */
export function createTopBar(commands: Commands, motion: MotionBar): Panel {
  const name = element('h1');
  const rate = element('span', { class: 'sub link-rate' });
  const arm = element('span', { class: 'sub link-arm' });
  const dot = element('span', { class: 'link-dot' });
  const pillLabel = element('span');
  const pill = element('div', { class: 'pill', role: 'status' }, icon('done'), pillLabel);
  const path = element('span', { class: 'path-name' });
  const pathMore = element('span', { class: 'sub' });
  const lock = lockButton(commands);
  const isLinkDue = createPeriod(LINK_TEXT_MS);
  const bar = element(
    'header',
    { class: 'top' },
    element(
      'div',
      { class: 'robot' },
      name,
      element('div', { class: 'link-line' }, dot, rate, arm),
    ),
    pill,
    element('div', { class: 'path' }, path, pathMore),
    lock.element,
    motion.element,
  );
  return {
    element: bar,
    update(shown) {
      const { view } = shown;
      const look = stateLook(view);
      setText(name, view.name || 'Robot');
      const isRated = view.link === 'live' && dot.dataset['link'] === 'live';
      if (isLinkDue(shown.now_ms) || !isRated) {
        const texts = linkTexts(shown);
        setText(rate, texts[0]);
        setText(arm, texts[1]);
      }
      setAttribute(dot, 'data-link', view.link);
      setText(pillLabel, look.label);
      if (pill.dataset['tone'] !== look.tone || pill.dataset['icon'] !== look.icon) {
        pill.dataset['tone'] = look.tone;
        pill.dataset['icon'] = look.icon;
        pill.firstChild?.replaceWith(icon(look.icon));
      }
      setText(path, pathText(view));
      setText(pathMore, subtitle(view));
      lock.update(view);
      motion.update(shown);
    },
  };
}
