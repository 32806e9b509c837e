/** The bar over the scene that selects the colouring of the path, with its legend. */

import { moveIcon } from '../../toolpath/move-icon.ts';
import type { ToolpathPanel } from '../../toolpath/toolpath-panel.ts';
import type { ToolpathStore } from '../../toolpath/toolpath-store.ts';
import { button, element, setAttribute } from '../../ui/element.ts';
import { icon } from '../../ui/icon.ts';

const KINDS = [
  ['joint', 'Joint'],
  ['linear', 'Linear'],
  ['spline', 'Spline'],
] as const;

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
  // A small scene shows the legend on request: it would cover the arm.
  const named = { class: 'chip legend-switch', 'aria-label': 'Legend', 'aria-expanded': 'false' };
  const legend = button(
    named,
    () => {
      const isOpen = whole.toggleAttribute('data-legend');
      setAttribute(legend, 'aria-expanded', String(isOpen));
    },
    icon('help'),
  );
  const parts = [element('div', choice, type, speed), legend, ...kinds, ramp, note];
  const whole = element('div', bar, ...parts);
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
