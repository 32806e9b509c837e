/** The Live page: the panels that the frame shows first, updated from the live link. */

import type { ToolpathHead } from '../../../contract/types.generated.ts';
import type { ArmCalls } from '../../link/arm-calls.ts';
import type { ArmStore } from '../../link/arm-store.ts';
import type { ArmView } from '../../link/arm-view.ts';
import type { Commands } from '../../link/commands.ts';
import { loadFailedNotice } from '../../link/failure-notice.ts';
import type { LivePanels } from '../../shell/frame.ts';
import type { RunChoice } from '../../shell/run-choice.ts';
import { NO_PLACE, type Place } from '../../ui/place.ts';
import { loadStyles } from '../../ui/style-sheets.ts';
import { createEventsPanel } from './events-panel.ts';
import { createIoPanel } from './io-panel.ts';
import { createJointsPanel } from './joints-panel.ts';
import { createPlotsPanel } from './plots-panel.ts';
import type { CreateToolpathPicker, ToolpathPicker } from './run-options.ts';
import { createRunPanel } from './run-panel.ts';
import { createTabs } from './tabs.ts';
import { createToolReadout } from './tool-readout.ts';

export interface LivePageParts {
  readonly store: ArmStore;
  readonly calls: ArmCalls;
  readonly commands: Commands;
  /** The options of the next run, which the motion buttons use. */
  readonly choice: RunChoice;
}

const PICKER_STYLES = [new URL('../../styles/program.css', import.meta.url)];

/** The list of the arm's toolpaths as Compare has it; null, with a notice, when it cannot load. */
async function openPicker(
  { store, calls }: LivePageParts,
  ...[toggle, choose]: Parameters<CreateToolpathPicker>
): Promise<ToolpathPicker | null> {
  async function read({ id }: ToolpathHead): Promise<string | null> {
    const outcome = await calls.call((client) => client.getToolpath({ toolpath_id: id }));
    return outcome.ok ? JSON.stringify(outcome.value.toolpath.toolpath) : null;
  }
  try {
    const { createPicker } = await import('../../toolpath/toolpath-picker.ts');
    await loadStyles(PICKER_STYLES);
    return createPicker({ arm: store, read, choose, toggle });
  } catch {
    store.set({ notice: loadFailedNotice('The list of toolpaths') });
    return null;
  }
}

/** The moment that is looked at, in seconds of the twin's time, where the page knows that. */
function placeOf({ lookBack, sim }: ArmView): Place {
  return lookBack && sim
    ? { id: null, params: { t: (lookBack.at_ms / 1000).toFixed(2) } }
    : NO_PLACE;
}

/** Creates the panels of the page; the plots record what the store receives. */
export function createLivePage(parts: LivePageParts): LivePanels {
  const { store, commands, choice } = parts;
  const plots = createPlotsPanel(store);
  store.subscribe((view) => plots.record(view));
  return {
    readout: createToolReadout(),
    lookBack: plots.lookBack.element,
    place: () => placeOf(store.view()),
    look(at_s) {
      const isKnown = plots.lookBack.knows(1000 * at_s);
      if (isKnown) plots.lookBack.look(1000 * at_s);
      return isKnown;
    },
    plots,
    inspector: [
      createRunPanel(choice, commands, (toggle, choose) => openPicker(parts, toggle, choose)),
      createJointsPanel(),
      createIoPanel(commands),
      createEventsPanel(),
    ],
    createTabs,
  };
}
