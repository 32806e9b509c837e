/** Moves the cursor on while the preview plays, at the display's rate. */
import { advanced } from './loop-range.ts';
import type { ToolpathStore } from './toolpath-store.ts';

/** A longer gap between frames is a pause of the page. */
const GAP_MAX_MS = 250;

/** Plays whatever `store` says is playing; nothing runs while it does not. */
export function createPlayback(store: ToolpathStore): void {
  let last_ms = 0;
  let running = false;

  function frame(now_ms: number): void {
    const { playing, way, cursor_s, rate, looping, range } = store.view();
    running = playing && way !== null;
    if (!running || !way) return;
    const by_s = (Math.min(now_ms - last_ms, GAP_MAX_MS) / 1000) * rate;
    last_ms = now_ms;
    const next = advanced(cursor_s, by_s, { whole_s: way.duration_s, looping, range });
    store.seek(next.cursor_s);
    if (next.ended) store.set({ playing: false });
    requestAnimationFrame(frame);
  }

  store.subscribe(({ playing }) => {
    if (!playing || running) return;
    running = true;
    last_ms = performance.now();
    requestAnimationFrame(frame);
  });
}
