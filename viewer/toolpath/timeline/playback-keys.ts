/** The keys of the playback, beside those of time. */

import { keyName, pressTimeKey } from '../../ui/time-slider.ts';
import { toggleLayer } from '../layer-bar.tsx';
import type { ToolpathStore } from '../toolpath-store.ts';
import { setLoopEnd } from './loop-end.ts';
import { changeRate, pathCursor, togglePlay } from './playback.ts';

const ACTIONS: Readonly<Record<string, (store: ToolpathStore) => void>> = {
  ' ': togglePlay,
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
  const action = ACTIONS[keyName(event)];
  if (event.key === '/') search();
  else if (action) action(store);
  else if (!pressTimeKey(pathCursor(store), event)) return;
  event.preventDefault();
}
