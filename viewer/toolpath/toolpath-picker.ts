/** Picks a toolpath from a file or from the arm. */

import type { ToolpathHead } from '../../contract/types.generated.ts';
import type { ArmStore } from '../link/arm-store.ts';
import { button, element, setAttribute, setText } from '../ui/element.ts';
import { isListChanged, LibraryList } from './library-list.ts';

const CHOOSE_TEXT = 'Choose a toolpath';
const SEARCH = 'Find another toolpath';

/** The list from which the other toolpath is chosen, folded until its button is pressed. */
export function createPicker(parts: {
  readonly arm: ArmStore;
  readonly read: (head: ToolpathHead) => Promise<string | null>;
  readonly choose: (head: ToolpathHead) => void;
  /** Opens a file in place of a toolpath of the arm; absent without that offer. */
  readonly openFile?: () => void;
  /** The button that folds the list; absent for a new one. */
  readonly toggle?: HTMLButtonElement;
  /** What its button says while nothing is chosen. */
  readonly text?: string;
}) {
  const { arm, text = CHOOSE_TEXT, openFile } = parts;
  const attributes = { class: 'plain', 'aria-expanded': 'false' };
  const toggle = parts.toggle ?? button(attributes, () => undefined, text);
  toggle.addEventListener('click', () => fold());
  const search = element('input', {
    ...{ type: 'search', class: 'field', spellcheck: 'false' },
    ...{ placeholder: SEARCH, 'aria-label': SEARCH },
  });
  const choose = (head: ToolpathHead): void => {
    fold(true);
    toggle.focus();
    parts.choose(head);
  };
  const list = new LibraryList({ read: parts.read, choose });
  const file = openFile ? [button({ class: 'plain' }, openFile, 'A file')] : [];
  const attributesOfBox = { class: 'compare-picker', hidden: true };
  const box = element('div', attributesOfBox, search, list.element, ...file);
  const show = (): void => void list.show(arm.view(), search.value, null);
  function fold(folded = !box.hidden): void {
    setAttribute(box, 'hidden', folded);
    setAttribute(toggle, 'aria-expanded', String(!folded));
    if (folded) return;
    show();
    search.focus();
  }
  search.addEventListener('input', show);
  search.addEventListener('keydown', ({ key }) => {
    if (key === 'ArrowDown') box.querySelector<HTMLElement>('.library-entry')?.focus();
  });
  box.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    fold(true);
    toggle.focus();
  });
  arm.subscribe((view, before) => {
    if (isListChanged(view, before) && !box.hidden) show();
  });
  return {
    toggle,
    box,
    open: () => fold(false),
    setName: (name: string | null) => setText(toggle, name ?? text),
  };
}
