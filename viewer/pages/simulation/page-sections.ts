/** The sections of the Simulation page, each with its panels; which are open is kept. */

import { element } from '../../ui/element.ts';
import { icon } from '../../ui/icon.ts';
import { preferences } from '../../ui/preferences.ts';
import type { SimulationPanel } from './simulation-panel.ts';

/** Sections of what only a simulated arm has. */
const SIMULATED: readonly string[] = [
  ...['Cell', 'Clock', 'Obstacles', 'Snapshots', 'Recording', 'Reset'],
];

/** The sections; of a real arm without those of a simulated one, which a note says. */
export function sectionsOf(controls: readonly SimulationPanel[]): SimulationPanel & {
  readonly elements: readonly HTMLElement[];
} {
  const text =
    'A real arm: cell, clock, obstacles, snapshots, recording and reset are of simulated arms.';
  const note = element('p', { class: 'simulation-note', hidden: true }, text);
  const sections = controls.map(sectionOf);
  return {
    element: note,
    elements: [note, ...sections],
    update({ sim }) {
      const isReal = sim !== null && sim.obstacles === null;
      note.hidden = !isReal;
      for (const [i, { element: panel }] of controls.entries()) {
        const name = panel.getAttribute('aria-label') ?? '';
        sections[i]!.hidden = isReal && SIMULATED.includes(name);
      }
    },
  };
}

/** A panel that folds away under its name. */
function sectionOf({ element: panel }: SimulationPanel): HTMLElement {
  const name = panel.getAttribute('aria-label') ?? '';
  const open = preferences.read().openSections.includes(name);
  const summary = element('summary', {}, icon('chevron'), name);
  const details = element('details', { class: 'simulation-section', open }, summary, panel);
  details.addEventListener('toggle', () => {
    const others = preferences.read().openSections.filter((each) => each !== name);
    preferences.update({ openSections: details.open ? [...others, name] : others });
  });
  return details;
}
