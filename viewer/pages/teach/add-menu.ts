import { button, element, setAttribute } from '../../ui/element.ts';
import { icon } from '../../ui/icon.ts';
import { type EditContext, NEW_ACTIONS, type NewAction } from './new-actions.ts';

/** Button with a menu of what can be added after the selected step; calls `add` with the choice. */
export function createAddMenu(
  desk: () => EditContext | null,
  add: (row: NewAction) => void,
): HTMLElement {
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
    item: button({ role: 'menuitem', class: 'menu-item' }, () => choose(row), row.label),
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
      const missing = now ? row.missing(now) : 'Open a toolpath first';
      setAttribute(item, 'disabled', missing !== '');
      setAttribute(item, 'title', missing || undefined);
    }
    if (!open) return;
    items.find(({ item }) => !item.disabled)?.item.focus();
    // On a phone the motion row would cover its lower half.
    menu.scrollIntoView({ block: 'nearest' });
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
