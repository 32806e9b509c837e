/** What happened in a recording, and when: a list that takes the cursor there. */
import type { RecordedRemark } from '../../contract/export-document.ts';
import { button, element, setAttribute } from '../panels/element.ts';
import { cursorText } from '../toolpath/timeline-axis.ts';
import type { ToolpathStore } from '../toolpath/toolpath-store.ts';

/** The list; the last remark before the cursor is marked. */
export function createRemarks(
  store: ToolpathStore,
  remarks: readonly RecordedRemark[],
): HTMLElement {
  const rows = remarks.map(({ at_s, kind, words }) => {
    const go = button(
      { class: 'remark', 'data-kind': kind },
      () => {
        store.set({ playing: false });
        store.seek(at_s);
      },
      element('time', {}, cursorText(at_s)),
      element('span', {}, words),
    );
    return { at_s, element: element('li', {}, go) };
  });
  store.subscribe(({ cursor_s }) => {
    const last = rows.findLast(({ at_s }) => at_s <= cursor_s + 1e-9);
    for (const row of rows) {
      setAttribute(row.element, 'aria-current', row === last ? 'true' : undefined);
    }
  });
  const list = element('ol', {}, ...rows.map((row) => row.element));
  return element(
    'section',
    { class: 'program remarks', 'aria-label': 'What happened' },
    element('header', { class: 'section-head' }, element('h2', {}, 'What happened')),
    list,
  );
}
