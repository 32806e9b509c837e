/** The top bar: which robot and over what link, its state, its toolpath, who holds the lock. */
import type { RobotStateName } from '../../contract/types.ts';
import { type ArmView, isUnderWay } from '../link/arm-store.ts';
import type { Commands } from '../link/commands.ts';
import { ownerName } from '../link/event-sentences.ts';
import { clockWords, paceWords } from './clock-words.ts';
import { button, element, setAttribute, setText } from './element.ts';
import { type IconName, icon } from './icons.ts';
import type { MotionBar } from './motion-bar.ts';
import type { Panel, Shown } from './panel.ts';
import { loopText } from './run-panel.ts';
import { ageText, minutesText } from './value-text.ts';

interface StateLook {
  readonly words: string;
  readonly icon: IconName;
  readonly tone: 'run' | 'warn' | 'fault' | 'quiet';
}

const LOOKS: Record<RobotStateName, StateLook> = {
  ready: { words: 'Ready', icon: 'done', tone: 'quiet' },
  running: { words: 'Running', icon: 'play', tone: 'run' },
  stopping: { words: 'Stopping', icon: 'loop', tone: 'run' },
  paused: { words: 'Paused', icon: 'pause', tone: 'warn' },
  error: { words: 'Error', icon: 'fault', tone: 'fault' },
  collision: { words: 'Collision', icon: 'fault', tone: 'fault' },
  disabled: { words: 'Emergency stop', icon: 'fault', tone: 'fault' },
  backdriving: { words: 'Moved by hand', icon: 'hand', tone: 'run' },
  updating: { words: 'Updating', icon: 'loop', tone: 'warn' },
  shutting_down: { words: 'Shutting down', icon: 'warn', tone: 'warn' },
};
const UNKNOWN: StateLook = { words: 'Unknown', icon: 'pause', tone: 'warn' };

const DRIVERS: Readonly<Record<string, string>> = {
  rapier: 'simulated',
  fast: 'simulated',
  servo: 'real arm',
  mirrored: 'real arm and its shadow',
  upstream: 'real arm',
};

/** How fast the twin's clock runs: measured where the twin tells, else as the server names it. */
function pace({ sim, clock }: ArmView): string {
  if (sim) return `, ${clockWords(sim.clock)}`;
  return clock === null ? '' : `, ${paceWords(clock)}`;
}

/** Says what the picture is fed by; a simulated arm never passes for a real one. */
export function linkText({ view, age_ms }: Shown): string {
  if (view.link === 'signed-out') return 'Signed out';
  if (view.link === 'connecting') return 'Connecting';
  if (view.link === 'stale') return `No data for ${ageText(age_ms)}, reconnecting`;
  const rate = view.rate_hz > 0 ? `Live, ${view.rate_hz} Hz` : 'Live, at rest';
  if (view.driver === null) return rate;
  return `${rate}  ·  ${DRIVERS[view.driver] ?? view.driver}${pace(view)}`;
}

/** What the state pill says. */
export function stateLook(view: ArmView): StateLook {
  if (view.link !== 'live' || !view.snapshot) return UNKNOWN;
  return LOOKS[view.snapshot.control.state];
}

function subtitle(view: ArmView): string {
  if (!view.snapshot) return '';
  const { run_mode, state } = view.snapshot.control;
  if (view.link === 'stale') return `last seen ${LOOKS[state].words.toLowerCase()}`;
  const mode = { automatic: 'Automatic · ', teach: 'Teach · ', not_running: '' }[run_mode];
  const loop = loopText(view.snapshot);
  return mode ? mode + loop.charAt(0).toLowerCase() + loop.slice(1) : loop;
}

function lockWords(view: ArmView): readonly [string, string] {
  const { lock } = view;
  if (!lock) return ['Lock', 'unknown'];
  if (view.link !== 'live') return [ownerName(lock), 'last known'];
  if (lock.status === 'unlocked') return ['Free', 'taken on first move'];
  const left_s = view.sim?.lockLeft_s ?? null;
  const left = left_s === null ? '' : `, ${minutesText(left_s)} left`;
  if (lock.owner !== 'you') return [`Held by ${ownerName(lock)}`, `you are watching${left}`];
  return ['You', (view.lockTakenHere ? 'kept by this page' : 'taken elsewhere') + left];
}

function lockButton(commands: Commands) {
  let held = false;
  const who = element('span', { class: 'lock-who' });
  const more = element('span', { class: 'sub' });
  const chip = button(
    { class: 'lock' },
    () => void (held ? commands.releaseLock() : commands.takeLock()),
    element('span', { class: 'lock-line' }, icon('lock'), who),
    more,
  );
  return {
    element: chip,
    update(view: ArmView): void {
      const [owner, words] = lockWords(view);
      held = view.lock?.owner === 'you' && view.lockTakenHere;
      setText(who, owner.charAt(0).toUpperCase() + owner.slice(1));
      setText(more, words);
      const teach = isUnderWay(view.snapshot) && view.snapshot?.control.run_mode === 'teach';
      const foreign = view.lock?.status === 'locked' && view.lock.owner !== 'you';
      setAttribute(chip, 'disabled', view.link !== 'live' || foreign || (held && teach));
      setAttribute(chip, 'title', held ? 'Release the lock' : 'Take the lock');
    },
  };
}

/** The bar, with the motion buttons at its end. */
export function createTopBar(commands: Commands, motion: MotionBar): Panel {
  const name = element('h1');
  const link = element('span', { class: 'sub' });
  const dot = element('span', { class: 'link-dot' });
  const pillWords = element('span');
  const pill = element('div', { class: 'pill', role: 'status' }, icon('done'), pillWords);
  const path = element('span', { class: 'path-name' });
  const pathMore = element('span', { class: 'sub' });
  const lock = lockButton(commands);
  const bar = element(
    'header',
    { class: 'top' },
    element('div', { class: 'robot' }, name, element('div', { class: 'link-line' }, dot, link)),
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
      setText(link, linkText(shown));
      setAttribute(dot, 'data-link', view.link);
      setText(pillWords, look.words);
      if (pill.dataset['tone'] !== look.tone || pill.dataset['icon'] !== look.icon) {
        pill.dataset['tone'] = look.tone;
        pill.dataset['icon'] = look.icon;
        pill.firstChild?.replaceWith(icon(look.icon));
      }
      setText(path, view.snapshot?.control.toolpath_name || 'No toolpath');
      setText(pathMore, subtitle(view));
      lock.update(view);
      motion.update(shown);
    },
  };
}
