/** The menu of what can be added to the toolpath, after the selected step. */
import { button, element, setAttribute } from '../panels/element.ts';
import { icon } from '../panels/icons.ts';
import { type Desk, NEW_ACTIONS, type NewAction } from './new-actions.ts';

/** A button with its menu; `add` is told what was chosen. */
export function createAddMenu(desk: () => Desk | null, add: (row: NewAction) => void): HTMLElement {
  const opener = button(
    {
      class: 'plain',
      'aria-label': 'Add a step',
      'aria-haspopup': 'menu',
      'aria-expanded': 'false',
    },
    () => show(menu.hidden === true),
    'Add',
    icon('chevron'),
  );
  const items = NEW_ACTIONS.map((row) => ({
    row,
    item: button({ role: 'menuitem', class: 'menu-item' }, () => choose(row), row.words),
  }));
  const menu = element(
    'div',
    { class: 'menu', role: 'menu', 'aria-label': 'Add a step', hidden: true },
    ...items.map(({ item }) => item),
  );
  const box = element('div', { class: 'add-menu' }, opener, menu);

  function show(open: boolean): void {
    menu.hidden = !open;
    setAttribute(opener, 'aria-expanded', String(open));
    const now = desk();
    for (const { row, item } of items) {
      const lacks = now ? row.lacks(now) : 'Open a toolpath first';
      setAttribute(item, 'disabled', lacks !== '');
      setAttribute(item, 'title', lacks || undefined);
    }
    if (open) items.find(({ item }) => !item.disabled)?.item.focus();
  }
  function choose(row: NewAction): void {
    show(false);
    opener.focus();
    add(row);
  }
  menu.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Escape') {
      show(false);
      opener.focus();
    } else if (step) {
      const free = items.map(({ item }) => item).filter((item) => !item.disabled);
      const at = free.indexOf(document.activeElement as HTMLButtonElement);
      free[(at + step + free.length) % free.length]?.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });
  box.addEventListener('focusout', (event) => {
    if (!menu.hidden && !box.contains(event.relatedTarget as Node | null)) show(false);
  });
  return box;
}
