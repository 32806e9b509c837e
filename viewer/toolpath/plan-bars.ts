/** What floats over the scene of the Toolpaths page: layers, and how the path is coloured. */
import { button, element, setAttribute } from '../panels/element.ts';
import { moveIcon } from './move-icons.ts';
import type { PlanPanel } from './plan-panel.ts';
import type { PlanLayers, ToolpathStore } from './toolpath-store.ts';

const LAYERS: readonly (readonly [keyof PlanLayers, string])[] = [
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
export function flipLayer(store: ToolpathStore, layer: keyof PlanLayers): void {
  const { layers } = store.view();
  store.set({ layers: { ...layers, [layer]: !layers[layer] } });
}

/** The chips of the layers, without those that a page has not. */
export function createLayerBar(
  store: ToolpathStore,
  without: readonly (keyof PlanLayers)[] = [],
): PlanPanel {
  const shown = LAYERS.filter(([layer]) => !without.includes(layer));
  const chips = shown.map(([layer, words]) =>
    button({ class: 'chip' }, () => flipLayer(store, layer), words),
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

/** The choice between type and speed, with what the colours mean. */
export function createColouringBar(store: ToolpathStore): PlanPanel {
  const type = button({ class: 'chip' }, () => store.set({ colouring: 'type' }), 'Type');
  const speed = button({ class: 'chip' }, () => store.set({ colouring: 'speed' }), 'Speed');
  const kinds = KINDS.map(([kind, words]) =>
    element('span', { class: 'legend' }, moveIcon(kind)!, words),
  );
  const most = element('span');
  const ramp = element('span', { class: 'legend' }, '0', element('i', { class: 'ramp' }), most);
  const note = element('span', { class: 'sub' }, 'one dot per 100 ms');
  const choice = { class: 'choice', role: 'group', 'aria-label': 'Colour by' };
  const bar = { class: 'glass colouring' };
  const whole = element('div', bar, element('div', choice, type, speed), ...kinds, ramp, note);
  return {
    element: whole,
    update({ colouring, way, opened }, before) {
      setAttribute(whole, 'hidden', opened === null);
      setAttribute(type, 'aria-pressed', String(colouring === 'type'));
      setAttribute(speed, 'aria-pressed', String(colouring === 'speed'));
      for (const kind of kinds) setAttribute(kind, 'hidden', colouring !== 'type');
      setAttribute(ramp, 'hidden', colouring !== 'speed');
      if (way === before?.way && before) return;
      const fastest = way?.track.speeds.reduce((a, b) => Math.max(a, b), 0) ?? 0;
      most.textContent = `${Math.round(fastest * 1000)} mm/s`;
    },
  };
}
