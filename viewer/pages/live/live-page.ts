/** The Live page: its places in the frame, which its panels fill once they are loaded. */

import type { ArmView } from '../../link/arm-view.ts';
import { loadFailedNotice } from '../../link/failure-notice.ts';
import type { LivePanels } from '../../shell/frame.tsx';
import { element } from '../../ui/element.ts';
import { NO_PLACE, type Place } from '../../ui/place.ts';
import type { drawLivePanels } from './live-panels.tsx';
import type { LivePageParts } from './live-state.ts';

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
  // The camera shows the arm beside it.
  const readout = element('div', { class: 'readouts' });
  const [lookBack, plots, tabs, inspector] = [place(), place(), place(), place()];
  let drawn: ReturnType<typeof drawLivePanels> | null = null;
  async function load(page: HTMLElement): Promise<void> {
    try {
      const { drawLivePanels } = await import('./live-panels.tsx');
      drawn = drawLivePanels(parts, { page, readout, lookBack, plots, tabs, inspector });
    } catch {
      store.set({ notice: loadFailedNotice('The Live page') });
    }
  }
  return {
    readout: {
      element: readout,
      move(shown) {
        if (drawn) drawn.moves.value = shown;
      },
      update(shown) {
        if (drawn) drawn.texts.value = shown;
      },
    },
    lookBack,
    place: () => placeOf(store.view()),
    look(at_s) {
      const isKnown = drawn?.plots.lookBack.knows(1000 * at_s) ?? false;
      if (isKnown) drawn?.plots.lookBack.look(1000 * at_s);
      return isKnown;
    },
    plots: { element: plots, update: ({ view }) => drawn?.plots.draw(view) },
    inspector: [{ element: inspector, update: () => undefined }],
    createTabs(page) {
      void load(page);
      return tabs;
    },
  };
}
