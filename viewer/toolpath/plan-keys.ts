/** The keys of the Toolpaths page. None of them moves the arm. */
import { setLoopEnd } from './loop-handles.ts';
import { flipLayer } from './plan-bars.ts';
import { RATES, stepBy } from './timeline-panel.ts';
import type { ToolpathStore } from './toolpath-store.ts';

/** One frame of the preview. */
const FRAME_S = 0.02;

function changeRate(store: ToolpathStore, by: 1 | -1): void {
  const at = (RATES as readonly number[]).indexOf(store.view().rate);
  store.set({ rate: RATES[Math.min(Math.max(at + by, 0), RATES.length - 1)]! });
}

function flipPlay(store: ToolpathStore): void {
  const { playing, way, cursor_s } = store.view();
  if (way && !playing && cursor_s >= way.duration_s) store.seek(0);
  store.set({ playing: way !== null && !playing });
}

function seek(store: ToolpathStore, time_s: number): void {
  store.set({ playing: false });
  store.seek(time_s);
}

const ACTS: Readonly<Record<string, (store: ToolpathStore) => void>> = {
  ' ': flipPlay,
  arrowleft: (store) => seek(store, store.view().cursor_s - FRAME_S),
  arrowright: (store) => seek(store, store.view().cursor_s + FRAME_S),
  'shift+arrowleft': (store) => stepBy(store, -1),
  'shift+arrowright': (store) => stepBy(store, 1),
  home: (store) => seek(store, 0),
  end: (store) => seek(store, Number.POSITIVE_INFINITY),
  '[': (store) => changeRate(store, -1),
  ']': (store) => changeRate(store, 1),
  a: (store) => setLoopEnd(store, 'from_s', store.view().cursor_s),
  b: (store) => setLoopEnd(store, 'to_s', store.view().cursor_s),
  x: (store) => store.repeat(null),
  e: (store) => store.lookAtNext(),
  g: (store) => flipLayer(store, 'ghost'),
  z: (store) => flipLayer(store, 'zones'),
  escape: (store) => store.set({ selected: null, finding: null }),
};

/** Does what a key says; `search` takes the focus on `/`. */
export function pressKey(store: ToolpathStore, event: KeyboardEvent, search: () => void): void {
  const { target } = event;
  const typing = target instanceof Element && target.matches('input, select');
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const presses = target instanceof Element && target.matches('button');
  if (presses && event.key === ' ') return;
  const act = ACTS[(event.shiftKey ? 'shift+' : '') + event.key.toLowerCase()];
  if (event.key === '/') search();
  else if (!act) return;
  act?.(store);
  event.preventDefault();
}
