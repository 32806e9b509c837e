/** The top bar: robot and link, state, toolpath, lock holder, and the motion buttons. */

import { type ReadonlySignal, useComputed } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { RobotStateName } from '../../contract/types.generated.ts';
import { type ArmView, isMotionActive } from '../link/arm-view.ts';
import type { Commands } from '../link/commands.ts';
import { lockHolderText } from '../link/lock-holder.ts';
import { Button } from '../ui/buttons.tsx';
import { Icon } from '../ui/drawn-icon.tsx';
import type { StrokeName } from '../ui/icon.ts';
import { createPeriod } from '../ui/period.ts';
import { ageText, clockRateText, minutesText, paceText } from '../ui/value-text.ts';
import { moveText } from './motion-actions.ts';
import { type Motion, MotionBar } from './motion-bar.tsx';
import { busyText } from './motion-reasons.ts';
import { loopText } from './run-progress.ts';
import type { Shown } from './shown.ts';
import { useUnchanged } from './use-unchanged.ts';

interface StateLook {
  readonly label: string;
  readonly icon: StrokeName;
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
  if (view.link !== 'live') return [isFree ? 'Free' : lockHolderText(view), 'last known'];
  if (isFree) return ['Free', 'acquired on first move'];
  const left_s = view.sim?.lockLeft_s ?? null;
  // First the time: a narrow bar cuts the end.
  const left = left_s === null ? '' : `${minutesText(left_s)} left, `;
  if (lock.owner !== 'you') return [lockHolderText(view), `${left}you are watching`];
  return ['You', left + (view.lockHeldHere ? 'held here' : 'held elsewhere')];
}

/** Why the lock can be neither acquired nor released; empty if it can. */
function lockReason(view: ArmView, isNeeded: boolean): string {
  const busy = busyText(view);
  if (busy) return busy;
  return isNeeded ? 'A run in teach mode needs the lock: cancel the run first' : '';
}

/** What the button of the lock says; it can be pressed unless there is a reason against it. */
function lockLook(view: ArmView) {
  const [owner, details] = lockText(view);
  const held = view.lock?.owner === 'you' && view.lockHeldHere;
  const teach = isMotionActive(view.snapshot) && view.snapshot?.control.run_mode === 'teach';
  return {
    owner: owner.charAt(0).toUpperCase() + owner.slice(1),
    details,
    held,
    reason: lockReason(view, held && teach),
  };
}

interface LockButtonProps {
  readonly view: ReadonlySignal<ArmView>;
  readonly commands: Commands;
}

/** Who holds the lock; acquires or releases it. */
function LockButton({ view, commands }: LockButtonProps) {
  const { owner, details, held, reason } = useUnchanged(() => lockLook(view.value));
  return (
    <Button
      class="lock"
      disabled={reason !== ''}
      title={reason || (held ? 'Release the lock' : 'Acquire the lock')}
      onClick={() => void (held ? commands.releaseLock() : commands.acquireLock())}
    >
      <span class="lock-line">
        <Icon name="lock" />
        <span class="lock-who">{owner}</span>
      </span>
      <span class="sub">{details}</span>
    </Button>
  );
}

/** Messages are counted over this time, so that their rate changes no more often. */
const LINK_TEXT_MS = 1000;

/** What is said of the link: its rate at most once in its time, all else at once. */
function createLinkTexts(): (shown: Shown) => readonly [string, string] {
  const isDue = createPeriod(LINK_TEXT_MS);
  let wasLive = false;
  let texts: readonly [string, string] = ['', ''];
  return (shown) => {
    const isLive = shown.view.link === 'live';
    if (isDue(shown.now_ms) || !(isLive && wasLive)) texts = linkTexts(shown);
    wasLive = isLive;
    return texts;
  };
}

/** The name of the robot, and how it is connected. */
function RobotLine({ shown }: { readonly shown: ReadonlySignal<Shown> }) {
  const textsOf = useRef(createLinkTexts());
  const texts = useComputed(() => textsOf.current(shown.value));
  return (
    <div class="robot">
      <h1>{useComputed(() => shown.value.view.name || 'Robot')}</h1>
      <div class="link-line">
        <span class="link-dot" data-link={useComputed(() => shown.value.view.link)} />
        <span class="sub link-rate">{useComputed(() => texts.value[0])}</span>
        <span class="sub link-arm">{useComputed(() => texts.value[1])}</span>
      </div>
    </div>
  );
}

interface TopBarProps {
  readonly shown: ReadonlySignal<Shown>;
  readonly commands: Commands;
  readonly motion: Motion;
}

/** The bar, with the motion buttons at its end. */
export function TopBar({ shown, commands, motion }: TopBarProps) {
  const view = useComputed(() => shown.value.view);
  const look = useComputed(() => stateLook(view.value)).value;
  return (
    <header class="top">
      <RobotLine shown={shown} />
      <div class="pill" role="status" data-tone={look.tone} data-icon={look.icon}>
        <Icon name={look.icon} />
        <span>{look.label}</span>
      </div>
      <div class="path">
        <span class="path-name">{useComputed(() => pathText(view.value))}</span>
        <span class="sub">{useComputed(() => subtitle(view.value))}</span>
      </div>
      <LockButton view={view} commands={commands} />
      <MotionBar motion={motion} view={view} />
    </header>
  );
}
