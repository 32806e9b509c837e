/**
 * The entries of the finder: pages, enabled visible buttons of the shown page, and toolpaths of
 * the arm.
 */

import type { ToolpathHead } from '../../../contract/types.generated.ts';
import type { Searchable } from './ranking.ts';

export interface FinderEntry extends Searchable {
  readonly group: 'Page' | 'Command' | 'Toolpath';
  /** Icon before the label: its class and its stroke; null for none. */
  readonly icon: { readonly name: string; readonly path: string } | null;
  /** Keyboard shortcut; may be empty. */
  readonly key: string;
  /** State of a switch; null for other entries. */
  readonly on: boolean | null;
  run(): void;
}

const BUTTONS =
  'button:is(.tool, .plain, .primary, .chip, .lock, .rail-entry):enabled' +
  ':not(.rail-find, .rail-help)';
/** Containers whose buttons are not clear without their context. */
const EXCLUDED = 'li, [role="listitem"], .choice, form, dialog, [role="alert"]';

/** Label and shortcut of a button, whose name may end with its key in brackets. */
function nameOf(button: HTMLElement): { readonly label: string; readonly key: string } {
  const copy = button.cloneNode(true) as HTMLElement;
  const keys = [...copy.querySelectorAll('kbd')];
  for (const each of [...keys, ...copy.querySelectorAll('.sub')]) each.remove();
  // The text of the lock button is its state; its title is its action.
  const own = button.matches('.lock') ? button.title : copy.textContent.trim();
  const name = button.getAttribute('aria-label') ?? own;
  const [, label = name, key = ''] = /^(.*) \(([^()]+)\)$/.exec(name) ?? [];
  return { label, key: key || (keys[0]?.textContent ?? '') };
}

function iconOf(button: HTMLElement): FinderEntry['icon'] {
  const [, name] = button.querySelector('.icon')?.classList ?? [];
  const path = button.querySelector('.icon path')?.getAttribute('d');
  return name && path ? { name, path } : null;
}

function entryOf(button: HTMLElement): FinderEntry {
  const { label, key } = nameOf(button);
  const pressed = button.getAttribute('aria-pressed');
  return {
    label,
    key,
    group: button.dataset['page'] === undefined ? 'Command' : 'Page',
    icon: iconOf(button),
    on: pressed === null ? null : pressed === 'true',
    run: () => button.click(),
  };
}

/** The current entries of `app`. */
export function finderEntries(
  app: HTMLElement,
  toolpaths: readonly ToolpathHead[],
  open: (head: ToolpathHead) => void,
): readonly FinderEntry[] {
  const buttons = [...app.querySelectorAll<HTMLElement>(BUTTONS)].filter(
    (button) => button.checkVisibility() && !button.closest(EXCLUDED),
  );
  const named = buttons.map(entryOf).filter(({ label }) => label !== '');
  const pages = named.filter(({ group }) => group === 'Page');
  const commands = named.filter(({ group }) => group === 'Command');
  const paths = toolpaths.map((head): FinderEntry => {
    const common = { group: 'Toolpath', icon: null, key: '', on: null } as const;
    return { ...common, label: head.name, run: () => open(head) };
  });
  return [...pages, ...commands, ...paths];
}
