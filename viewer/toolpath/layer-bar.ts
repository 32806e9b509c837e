/** Bars over the scene of the Toolpaths page: layers, and colouring of the path. */
import { button, element, setAttribute } from '../panels/element.ts';
import type { ToolpathPanel } from './toolpath-panel.ts';
import { moveIcon } from './toolpath-panel.ts';
import type { ToolpathLayerVisibility, ToolpathStore } from './toolpath-store.ts';

const LAYERS: readonly (readonly [keyof ToolpathLayerVisibility, string])[] = [
  ['path', 'Path'],
  ['waypoints', 'Waypoints'],
  ['zones', 'Zones'],
  ['ghost', 'Ghost'],
];
const KINDS = [
  ['joint', 'Joint'],
  ['linear', 'Linear'],
  ['spline', 'Spline'],
] as const;

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

/** Choice between colouring by type and by speed, with a legend. */
export function createColouringBar(store: ToolpathStore): ToolpathPanel {
  const type = button({ class: 'chip' }, () => store.set({ colouring: 'type' }), 'Type');
  const speed = button({ class: 'chip' }, () => store.set({ colouring: 'speed' }), 'Speed');
  const kinds = KINDS.map(([kind, label]) =>
    element('span', { class: 'legend' }, moveIcon(kind)!, label),
  );
  const most = element('span');
  const ramp = element('span', { class: 'legend' }, '0', element('i', { class: 'ramp' }), most);
  const note = element('span', { class: 'sub' }, 'one dot per 100 ms');
  const choice = { class: 'choice', role: 'group', 'aria-label': 'Colour by' };
  const bar = { class: 'glass colouring' };
  const whole = element('div', bar, element('div', choice, type, speed), ...kinds, ramp, note);
  return {
    element: whole,
    update({ colouring, path, opened }, before) {
      setAttribute(whole, 'hidden', opened === null);
      setAttribute(type, 'aria-pressed', String(colouring === 'type'));
      setAttribute(speed, 'aria-pressed', String(colouring === 'speed'));
      for (const kind of kinds) setAttribute(kind, 'hidden', colouring !== 'type');
      setAttribute(ramp, 'hidden', colouring !== 'speed');
      if (path === before?.path && before) return;
      const fastest = path?.samples.speeds.reduce((a, b) => Math.max(a, b), 0) ?? 0;
      most.textContent = `${Math.round(fastest * 1000)} mm/s`;
    },
  };
}
