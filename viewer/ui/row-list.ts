import { element, setAttribute } from './element.ts';

/** A list of rows; shows `empty` while there are none. */
export function createRowList(emptyText: string, forAll?: HTMLButtonElement) {
  const list = element('ul', { class: 'simulation-rows' });
  const empty = element('p', { class: 'empty' }, emptyText);
  let shownKey = '';
  if (forAll) setAttribute(forAll, 'disabled', true);
  return {
    elements: [empty, list] as const,
    /** Renders the rows again when `key` has changed. */
    set(key: string, render: () => readonly HTMLElement[]): void {
      if (key === shownKey) return;
      shownKey = key;
      const rows = render();
      list.replaceChildren(...rows);
      empty.hidden = rows.length > 0;
      if (forAll) setAttribute(forAll, 'disabled', rows.length === 0);
    },
  };
}
