/** The bar over the scene that switches the layers of the open toolpath. */

import { button, element, setAttribute } from '../ui/element.ts';
import type { ToolpathPanel } from './toolpath-panel.ts';
import type { ToolpathStore } from './toolpath-store.ts';
import type { ToolpathLayerVisibility } from './toolpath-view.ts';

const LAYERS: readonly (readonly [keyof ToolpathLayerVisibility, string])[] = [
  ['path', 'Path'],
  ['waypoints', 'Waypoints'],
  ['zones', 'Zones'],
  ['ghost', 'Ghost'],
];

/** Shows or hides a layer. */
export function toggleLayer(store: ToolpathStore, layer: keyof ToolpathLayerVisibility): void {
  const { layers } = store.view();
  store.set({ layers: { ...layers, [layer]: !layers[layer] } });
}

/** Chips of the layers, except those that a page does not have. */
export function createLayerBar(
  store: ToolpathStore,
  without: readonly (keyof ToolpathLayerVisibility)[] = [],
): ToolpathPanel {
  const shown = LAYERS.filter(([layer]) => !without.includes(layer));
  const chips = shown.map(([layer, label]) =>
    button({ class: 'chip' }, () => toggleLayer(store, layer), label),
  );
  const label = { role: 'group', 'aria-label': 'Layers' };
  return {
    element: element('div', { class: 'glass plan-layers', ...label }, ...chips),
    update({ layers }) {
      for (const [i, [layer]] of shown.entries()) {
        setAttribute(chips[i]!, 'aria-pressed', String(layers[layer]));
      }
    },
  };
}
