/** Two paths side by side: their durations, and the steps that differ. */

import { element } from '../../ui/element.ts';
import { decimal } from '../../ui/value-text.ts';
import type { ToolpathView } from '../toolpath-view.ts';
import { type ComparedStep, compareSteps, differs } from './comparison.ts';

/** Maximum number of differing steps shown. */
const STEPS_MAX = 60;

function seconds(time_s: number | null): string {
  return time_s === null ? '–' : decimal(time_s, 2);
}

function signed(change_s: number): string {
  return `${change_s >= 0 ? '+' : ''}${decimal(change_s, 2)} s`;
}

function stepRow({ text, own_s, other_s }: ComparedStep): HTMLElement {
  const cells = [text, seconds(own_s), seconds(other_s)];
  return element('tr', {}, ...cells.map((cell) => element('td', {}, cell)));
}

/** Durations and differing steps of two toolpaths, or what is wrong with the other one. */
export function summary(own: ToolpathView, other: ToolpathView): HTMLElement[] {
  if (other.problems.length > 0) {
    const [first] = other.problems;
    return [element('p', { role: 'alert' }, `${first!.path} ${first!.problem}`.trimStart())];
  }
  if (!own.opened || !own.path || !other.opened || !other.path) return [];
  // Of what is shown, so that the figures add up.
  const [own_s, other_s] = [own.path.duration_s, other.path.duration_s];
  const change_s = Number(decimal(other_s, 2)) - Number(decimal(own_s, 2));
  const steps = compareSteps(
    { toolpath: own.opened.toolpath, path: own.path },
    { toolpath: other.opened.toolpath, path: other.path },
  ).filter(differs);
  const times = `${seconds(own_s)} s here, ${seconds(other_s)} s there`;
  const many = steps.length === 1 ? '1 step differs.' : `${steps.length} steps differ.`;
  const text = steps.length === 0 ? 'All steps are equal.' : many;
  const head = ['Step', 'here, s', 'there, s'].map((name) => element('th', { scope: 'col' }, name));
  const table = element(
    'table',
    { class: 'compared' },
    element('thead', {}, element('tr', {}, ...head)),
    element('tbody', {}, ...steps.slice(0, STEPS_MAX).map(stepRow)),
  );
  return [
    element('p', {}, `${times} (${signed(change_s)}). ${text}`),
    ...(steps.length > 0 ? [table] : []),
  ];
}
