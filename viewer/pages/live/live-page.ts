/** The Live page: its places in the frame, which its panels fill once they are loaded. */

import type { ArmView } from '../../link/arm-view.ts';
import { loadFailedNotice } from '../../link/failure-notice.ts';
import type { LivePanels } from '../../shell/frame.tsx';
import { element } from '../../ui/element.ts';
import { NO_PLACE, type Place } from '../../ui/place.ts';
import type { LivePageParts } from './live-state.ts';
import type { LookBack } from './look-back.ts';

/** The moment that is looked at, in seconds of the twin's time, where the page knows that. */
function placeOf({ lookBack, sim }: ArmView): Place {
  return lookBack && sim
    ? { id: null, params: { t: (lookBack.at_ms / 1000).toFixed(2) } }
    : NO_PLACE;
}

/** A place whose content is laid out as if it stood there itself. */
const place = () => element('div', { class: 'mounted' });

/** Creates the page. Its panels are loaded at once, and nothing waits for them. */
export function createLivePage(parts: LivePageParts): LivePanels {
  const { store } = parts;
  const places = {
    // The camera shows the arm beside it.
    readout: element('div', { class: 'readouts' }),
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
    async start(page, now) {
      try {
        const { drawLivePanels } = await import('./live-panels.tsx');
        lookBack = drawLivePanels({ parts, places, page, now });
      } catch {
        store.set({ notice: loadFailedNotice('The Live page') });
      }
    },
  };
}
