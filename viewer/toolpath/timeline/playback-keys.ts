/** The keys of the playback. */

import { toggleLayer } from '../layer-bar.ts';
import type { ToolpathStore } from '../toolpath-store.ts';
import { setLoopEnd } from './loop-handles.ts';
import { changeRate, moveByFrames, pauseAt, stepBy, togglePlay } from './playback.ts';

const ACTIONS: Readonly<Record<string, (store: ToolpathStore) => void>> = {
  ' ': togglePlay,
  arrowleft: (store) => moveByFrames(store, -1),
  arrowright: (store) => moveByFrames(store, 1),
  'shift+arrowleft': (store) => stepBy(store, -1),
  'shift+arrowright': (store) => stepBy(store, 1),
  home: (store) => pauseAt(store, 0),
  end: (store) => pauseAt(store, Number.POSITIVE_INFINITY),
  '[': (store) => changeRate(store, -1),
  ']': (store) => changeRate(store, 1),
  a: (store) => setLoopEnd(store, 'from_s', store.view().cursor_s),
  b: (store) => setLoopEnd(store, 'to_s', store.view().cursor_s),
  x: (store) => store.setLoopRange(null),
  e: (store) => store.showNextFinding(),
  g: (store) => toggleLayer(store, 'ghost'),
  z: (store) => toggleLayer(store, 'zones'),
  escape: (store) => store.set({ selected: null, finding: null }),
};

/** Runs the action of a key press; `search` focuses the search field on `/`. */
export function pressKey(store: ToolpathStore, event: KeyboardEvent, search: () => void): void {
  const { target } = event;
  const typing = target instanceof Element && target.matches('input, select');
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const presses = target instanceof Element && target.matches('button');
  if (presses && event.key === ' ') return;
  const action = ACTIONS[(event.shiftKey ? 'shift+' : '') + event.key.toLowerCase()];
  if (event.key === '/') search();
  else if (!action) return;
  action?.(store);
  event.preventDefault();
}
