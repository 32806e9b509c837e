/**
 * What the finder offers: the pages, what the visible buttons of the shown page do, and the arm's
 * toolpaths. The buttons themselves are asked, so that nothing is offered that cannot be pressed.
 */
import type { ToolpathHead } from '../../contract/types.ts';
import type { Named } from './ranking.ts';

export interface FinderEntry extends Named {
  readonly group: 'Page' | 'Command' | 'Toolpath';
  /** What is drawn before the words; null for none. */
  readonly icon: Element | null;
  /** A key that does the same. */
  readonly key: string;
  /** Of a switch: whether it is on. */
  readonly on: boolean | null;
  act(): void;
}

const BUTTONS =
  'button:is(.tool, .plain, .primary, .chip, .lock, .rail-entry:not(.rail-find)):enabled';
/** Buttons that say nothing without what lies around them. */
const ROWS = 'li, [role="listitem"], .choice, form, dialog, [role="alert"]';

/** Words and key of a button's name, which may end with its key in brackets. */
function nameOf(button: HTMLElement): { readonly words: string; readonly key: string } {
  const copy = button.cloneNode(true) as HTMLElement;
  const keys = [...copy.querySelectorAll('kbd')];
  for (const each of [...keys, ...copy.querySelectorAll('.sub')]) each.remove();
  // The lock's words say how it stands; its title says what a press does.
  const own = button.matches('.lock') ? button.title : copy.textContent.trim();
  const name = button.getAttribute('aria-label') ?? own;
  const [, words = name, key = ''] = /^(.*) \(([^()]+)\)$/.exec(name) ?? [];
  return { words, key: key || (keys[0]?.textContent ?? '') };
}

function entryOf(button: HTMLElement): FinderEntry {
  const { words, key } = nameOf(button);
  const pressed = button.getAttribute('aria-pressed');
  return {
    words,
    key,
    group: button.dataset['page'] === undefined ? 'Command' : 'Page',
    icon: button.querySelector('.icon')?.cloneNode(true) as Element | null,
    on: pressed === null ? null : pressed === 'true',
    act: () => button.click(),
  };
}

/** The entries as they are now in `app`. */
export function finderEntries(
  app: HTMLElement,
  toolpaths: readonly ToolpathHead[],
  open: (head: ToolpathHead) => void,
): readonly FinderEntry[] {
  const buttons = [...app.querySelectorAll<HTMLElement>(BUTTONS)].filter(
    (button) => button.checkVisibility() && !button.closest(ROWS),
  );
  const named = buttons.map(entryOf).filter(({ words }) => words !== '');
  const pages = named.filter(({ group }) => group === 'Page');
  const commands = named.filter(({ group }) => group === 'Command');
  const paths = toolpaths.map((head): FinderEntry => {
    const bare = { group: 'Toolpath', icon: null, key: '', on: null } as const;
    return { ...bare, words: head.name, act: () => open(head) };
  });
  return [...pages, ...commands, ...paths];
}
