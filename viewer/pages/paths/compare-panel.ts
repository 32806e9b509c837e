/**
 * Compares another toolpath with the open one: both paths in the scene, their durations, and the
 * steps that differ.
 */

import type { ToolpathHead } from '../../../contract/types.generated.ts';
import type { ArmStore } from '../../link/arm-store.ts';
import { problemNotice } from '../../link/failure-notice.ts';
import { followArm } from '../../toolpath/follow-arm.ts';
import { summary } from '../../toolpath/runs/comparison-summary.ts';
import type { TimedPath } from '../../toolpath/timed-path.ts';
import type { ToolpathLibrary } from '../../toolpath/toolpath-library.ts';
import type { ToolpathPanel } from '../../toolpath/toolpath-panel.ts';
import { createPicker } from '../../toolpath/toolpath-picker.ts';
import { ToolpathStore } from '../../toolpath/toolpath-store.ts';
import { button, element, setAttribute } from '../../ui/element.ts';
import { filePicker } from '../../ui/user-file.ts';

const CHOOSE = 'Compare with';

export interface CompareParts {
  readonly store: ToolpathStore;
  readonly arm: ArmStore;
  readonly library: Pick<ToolpathLibrary, 'read'>;
  /** Draws the path beside the open one; null removes it. */
  readonly draw: (path: TimedPath | null) => void;
}

/** Creates the panel; nothing is compared until the user chooses another toolpath. */
export function createComparePanel({ store, arm, library, draw }: CompareParts): ToolpathPanel {
  /** Created with the first comparison, because it has its own worker. */
  let other: ToolpathStore | null = null;
  const file = filePicker({ onText: open, onProblem: problemNotice(arm) });
  // The user may choose another one while it is read.
  let chosen: number | null = null;
  const picker = createPicker({
    arm,
    read: (head) => library.read(head),
    choose: (head) => void choose(head),
    openFile: () => file.click(),
  });
  const body = element('div', { class: 'compare-body', role: 'status' });
  const clear = button({ class: 'plain', hidden: true }, stop, 'Stop comparing');
  function show(): void {
    const view = other?.view() ?? null;
    setAttribute(clear, 'hidden', view?.origin === null || view === null);
    body.replaceChildren(...(view ? summary(store.view(), view) : []));
    // Otherwise what is drawn belongs to the replay of a run.
    if (view?.origin) draw(view.path);
  }
  function open(name: string, text: string): void {
    if (!other) {
      other = new ToolpathStore();
      followArm(other, arm);
      other.subscribe((view, before) => {
        if (view.path !== before.path || view.problems !== before.problems) show();
      });
    }
    other.open({ name, id: null }, text);
    picker.setName(name);
  }
  function stop(): void {
    other?.close();
    chosen = null;
    picker.setName(null);
    show();
    draw(null);
  }
  async function choose(head: ToolpathHead): Promise<void> {
    chosen = head.id;
    const text = await library.read(head);
    if (text && chosen === head.id) open(head.name, text);
  }
  return {
    element: element(
      'section',
      { class: 'panel compare', 'aria-label': CHOOSE },
      element('header', { class: 'section-head' }, element('h2', {}, CHOOSE), clear),
      picker.toggle,
      picker.box,
      file,
      body,
    ),
    update(view, before) {
      setAttribute(picker.toggle, 'disabled', !view.opened);
      if (view.path !== before?.path) show();
    },
  };
}
