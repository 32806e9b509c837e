/**
 * Another toolpath beside the open one: its path in the scene, how long each takes, and the steps
 * in which they differ.
 */
import type { ToolpathHead } from '../../contract/types.ts';
import type { ArmStore } from '../link/arm-store.ts';
import { button, element, setAttribute } from '../panels/element.ts';
import { filePicker } from '../panels/user-file.ts';
import { decimal } from '../panels/value-text.ts';
import { type ComparedStep, compareSteps, differs } from './comparison.ts';
import type { Library } from './library.ts';
import type { PlanPanel } from './plan-panel.ts';
import { ToolpathStore, type ToolpathView } from './toolpath-store.ts';
import type { Way } from './way.ts';

const CHOOSE = 'Compare with';
const FILE = 'file';
/** Longer lists of differences help nobody. */
const STEPS_MAX = 60;

export interface CompareParts {
  readonly store: ToolpathStore;
  readonly arm: ArmStore;
  readonly library: Pick<Library, 'read'>;
  /** Draws the way beside the open one; null takes it away. */
  readonly draw: (way: Way | null) => void;
}

function seconds(time_s: number | null): string {
  return time_s === null ? '–' : decimal(time_s, 2);
}

function signed(change_s: number): string {
  return `${change_s >= 0 ? '+' : ''}${decimal(change_s, 2)} s`;
}

function stepRow({ words, own_s, other_s }: ComparedStep): HTMLElement {
  const cells = [words, seconds(own_s), seconds(other_s)];
  return element('tr', {}, ...cells.map((cell) => element('td', {}, cell)));
}

function summary(own: ToolpathView, other: ToolpathView): HTMLElement[] {
  if (other.problems.length > 0) {
    const [first] = other.problems;
    return [element('p', { role: 'alert' }, `${first!.path || '/'} ${first!.problem}`)];
  }
  if (!own.opened || !own.way || !other.opened || !other.way) return [];
  const change_s = other.way.duration_s - own.way.duration_s;
  const steps = compareSteps(
    { toolpath: own.opened.toolpath, way: own.way },
    { toolpath: other.opened.toolpath, way: other.way },
  ).filter(differs);
  const times = `${seconds(own.way.duration_s)} s here, ${seconds(other.way.duration_s)} s there`;
  const words = steps.length === 0 ? 'Every step is the same.' : `${steps.length} steps differ.`;
  const head = ['Step', 'here', 'there'].map((name) => element('th', { scope: 'col' }, name));
  const table = element(
    'table',
    { class: 'compared' },
    element('thead', {}, element('tr', {}, ...head)),
    element('tbody', {}, ...steps.slice(0, STEPS_MAX).map(stepRow)),
  );
  return [
    element('p', {}, `${times} (${signed(change_s)}). ${words}`),
    ...(steps.length > 0 ? [table] : []),
  ];
}

function choices(toolpaths: readonly ToolpathHead[]): HTMLElement[] {
  return [
    element('option', { value: '' }, CHOOSE),
    ...toolpaths.map(({ id, name }) => element('option', { value: `${id}` }, name)),
    element('option', { value: FILE }, 'a file…'),
  ];
}

/** The panel; nothing is compared until another toolpath is chosen. */
export function createComparePanel({ store, arm, library, draw }: CompareParts): PlanPanel {
  /** Made with the first comparison: it has a worker of its own. */
  let other: ToolpathStore | null = null;
  const refuse = (text: string) => arm.set({ notice: { text, code: '' } });
  const file = filePicker({ take: open, refuse });
  const choice = element('select', { class: 'field', 'aria-label': CHOOSE });
  const body = element('div', { class: 'compare-body', role: 'status' });
  const clear = button({ class: 'plain', hidden: true }, stop, 'Stop comparing');

  function show(): void {
    const view = other?.view() ?? null;
    setAttribute(clear, 'hidden', view?.origin === null || view === null);
    body.replaceChildren(...(view ? summary(store.view(), view) : []));
    draw(view?.way ?? null);
  }
  function open(name: string, text: string): void {
    if (!other) {
      other = new ToolpathStore();
      other.subscribe((view, before) => {
        if (view.way !== before.way || view.problems !== before.problems) show();
      });
    }
    other.open({ name, id: null }, text);
  }
  function stop(): void {
    other?.close();
    choice.value = '';
    show();
  }
  choice.addEventListener('change', async () => {
    if (choice.value === '') return stop();
    if (choice.value === FILE) return file.click();
    const head = arm.view().toolpaths.find(({ id }) => `${id}` === choice.value);
    const text = head && (await library.read(head));
    // By now another may be chosen.
    if (head && text && choice.value === `${head.id}`) open(head.name, text);
  });
  arm.subscribe((view, before) => {
    if (view.toolpaths === before.toolpaths) return;
    const chosen = choice.value;
    choice.replaceChildren(...choices(view.toolpaths));
    choice.value = chosen;
  });
  choice.append(...choices(arm.view().toolpaths));
  return {
    element: element(
      'section',
      { class: 'panel compare', 'aria-label': CHOOSE },
      element('header', { class: 'section-head' }, element('h2', {}, CHOOSE), clear),
      choice,
      file,
      body,
    ),
    update(view, before) {
      setAttribute(choice, 'disabled', !view.opened);
      if (view.way !== before?.way) show();
    },
  };
}
