import type { Snapshot } from '../../contract/types.generated.ts';
import { type ArmView, isMotionActive } from './arm-view.ts';

/** When run, loop and pause started, as far as this page has seen it. */
type StartTimes = Partial<
  Pick<ArmView, 'runStarted_ms' | 'loopStarted_ms' | 'runStartedAt' | 'pausedSince_ms'>
>;

const AT_REST = {
  runStarted_ms: null,
  loopStarted_ms: null,
  runStartedAt: null,
  pausedSince_ms: null,
} as const;

/** Start times after a view and the snapshot that follows it. A pause takes no time of a loop. */
export function startTimes(
  view: Pick<ArmView, 'snapshot' | 'loopStarted_ms' | 'pausedSince_ms'>,
  now: Snapshot,
  now_ms: number,
): StartTimes {
  const { snapshot: old, loopStarted_ms, pausedSince_ms } = view;
  if (!isMotionActive(now)) return AT_REST;
  if (old !== null && !isMotionActive(old)) {
    return { ...AT_REST, runStarted_ms: now_ms, loopStarted_ms: now_ms, runStartedAt: new Date() };
  }
  const isPaused = now.control.state === 'paused';
  const isLooped = old !== null && old.control.loop_count !== now.control.loop_count;
  const pause: StartTimes = { pausedSince_ms: isPaused ? (pausedSince_ms ?? now_ms) : null };
  if (isLooped) return { ...pause, loopStarted_ms: now_ms };
  if (isPaused || pausedSince_ms === null || loopStarted_ms === null) return pause;
  return { ...pause, loopStarted_ms: loopStarted_ms + now_ms - pausedSince_ms };
}
