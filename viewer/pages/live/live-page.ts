/** The Live page: its places in the frame, which its panels fill. */

import type { ArmView } from '../../link/arm-view.ts';
import type { LivePanels } from '../../shell/frame.tsx';
import { host } from '../../ui/mount.ts';
import { NO_PLACE, type Place } from '../../ui/place.ts';
import { drawLivePanels } from './live-panels.tsx';
import type { LivePageParts } from './live-state.ts';
import type { LookBack } from './look-back.ts';

/** The moment that is looked at, in seconds of the twin's time, where the page knows that. */
function placeOf({ lookBack, sim }: ArmView): Place {
  return lookBack && sim
    ? { id: null, params: { t: (lookBack.at_ms / 1000).toFixed(2) } }
    : NO_PLACE;
}

/** A place whose content is laid out as if it stood there itself. */
const place = () => host('mounted');

/** Creates the page. Its panels are in the first script: the first picture waits for no second file. */
export function createLivePage(parts: LivePageParts): LivePanels {
  const { store } = parts;
  const places = {
    // The camera shows the arm beside it.
    readout: host('readouts'),
    ...{ lookBack: place(), plots: place(), tabs: place(), inspector: place() },
  };
  let lookBack: LookBack | null = null;
  return {
    places,
    place: () => placeOf(store.view()),
    look(at_s) {
      const isKnown = lookBack?.knows(1000 * at_s) ?? false;
      if (isKnown) lookBack?.look(1000 * at_s);
      return isKnown;
    },
    start(page, now) {
      lookBack = drawLivePanels({ parts, places, page, now });
    },
  };
}
