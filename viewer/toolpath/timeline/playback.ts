/**
 * Playback of the preview: advances the cursor at the frame rate of the display; play, pause, seek
 * and step, which buttons and keys share. It does not move the arm.
 */

import { computed } from '@preact/signals';
import type { TimeCursor } from '../../ui/time-slider.ts';
import type { ToolpathStore } from '../toolpath-store.ts';
import { advanceCursor } from './loop-range.ts';

/** A longer gap between frames is a pause of the page. */
const GAP_MAX_MS = 250;
/** Playback rates that a user can choose; 1 is real time. */
export const RATES = [0.25, 0.5, 1, 2, 8] as const;

/** Plays whatever `store` says is playing; nothing runs while it does not. */
export function createPlayback(store: ToolpathStore): void {
  let last_ms = 0;
  let running = false;

  function frame(now_ms: number): void {
    const { playing, path, cursor_s, rate, looping, range } = store.view();
    running = playing && path !== null;
    if (!running || !path) return;
    const by_s = (Math.min(now_ms - last_ms, GAP_MAX_MS) / 1000) * rate;
    last_ms = now_ms;
    const next = advanceCursor(cursor_s, by_s, { whole_s: path.duration_s, looping, range });
    store.seek(next.cursor_s);
    if (next.ended) store.set({ playing: false });
    requestAnimationFrame(frame);
  }

  const { playing, path } = store.shown;
  computed(() => playing.value && path.value !== null).subscribe((isPlaying) => {
    if (!isPlaying || running) return;
    running = true;
    last_ms = performance.now();
    requestAnimationFrame(frame);
  });
}

/** Plays or pauses; at the end of the path it plays from the start. */
export function togglePlay(store: ToolpathStore): void {
  const { playing, path, cursor_s } = store.view();
  if (path && !playing && cursor_s >= path.duration_s) store.seek(0);
  store.set({ playing: path !== null && !playing });
}

/** Pauses and moves the cursor to a time (s). */
export function pauseAt(store: ToolpathStore, time_s: number): void {
  store.set({ playing: false });
  store.seek(time_s);
}

/** Moves the cursor to the start of the segment before or after it. */
export function stepBy(store: ToolpathStore, direction: 1 | -1): void {
  const { path, cursor_s } = store.view();
  const starts = path?.segments.map(({ start_s }) => start_s) ?? [];
  const next =
    direction > 0
      ? (starts.find((start_s) => start_s > cursor_s + 1e-6) ?? path?.duration_s)
      : starts.findLast((start_s) => start_s < cursor_s - 1e-6);
  pauseAt(store, next ?? 0);
}

/** The cursor of a path, for the keys of time. */
export function pathCursor(store: ToolpathStore): TimeCursor {
  return {
    moveBy: (by_s) => pauseAt(store, store.view().cursor_s + by_s),
    stepBy: (direction) => stepBy(store, direction),
    toStart: () => pauseAt(store, 0),
    toEnd: () => pauseAt(store, Number.POSITIVE_INFINITY),
  };
}

export function changeRate(store: ToolpathStore, by: 1 | -1): void {
  const at = (RATES as readonly number[]).indexOf(store.view().rate);
  store.set({ rate: RATES[Math.min(Math.max(at + by, 0), RATES.length - 1)]! });
}
