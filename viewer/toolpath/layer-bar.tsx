/** The bar over the scene that switches the layers of the open toolpath. */
import { Chips } from '../ui/chips.tsx';
import type { ToolpathStore } from './toolpath-store.ts';
import type { ToolpathLayerVisibility } from './toolpath-view.ts';

type LayerName = keyof ToolpathLayerVisibility;

const LAYERS: readonly (readonly [LayerName, string])[] = [
  ['path', 'Path'],
  ['waypoints', 'Waypoints'],
  ['zones', 'Zones'],
  ['ghost', 'Ghost'],
];

/** Shows or hides a layer. */
export function toggleLayer(store: ToolpathStore, layer: LayerName): void {
  const { layers } = store.view();
  store.set({ layers: { ...layers, [layer]: !layers[layer] } });
}

interface LayerBarProps {
  readonly store: ToolpathStore;
  /** Layers that a page does not have. */
  readonly without?: readonly LayerName[];
}

/** Chips of the layers. */
export function LayerBar({ store, without = [] }: LayerBarProps) {
  const layers = store.shown.layers.value;
  return (
    <Chips
      class="glass plan-layers"
      label="Layers"
      options={LAYERS.filter(([layer]) => !without.includes(layer))}
      isOn={(layer) => layers[layer]}
      press={(layer) => toggleLayer(store, layer)}
    />
  );
}
