/**
 * The entries of the finder: pages, enabled visible buttons of the shown page, and toolpaths of the
 * arm; and the ranking of the entries for a query.
 */
import type { ToolpathHead } from '../../contract/types.ts';

/** What the ranking reads of an entry. */
export interface Searchable {
  readonly label: string;
  readonly group: string;
}

/**
 * Match of a query word: 0 label prefix, 1 word prefix, 2 inside, 3 group prefix, else infinite.
 */
function matchCost({ label, group }: Searchable, part: string): number {
  const at = label.toLowerCase().indexOf(part);
  if (at === 0) return 0;
  if (at > 0) return /[\p{L}\p{N}]/u.test(label[at - 1]!) ? 2 : 1;
  return group.toLowerCase().startsWith(part) ? 3 : Number.POSITIVE_INFINITY;
}

/**
 * The entries that match every word of the query, best match first; ties keep their order. Pure.
 */
export function rankEntries<Entry extends Searchable>(
  entries: readonly Entry[],
  query: string,
): readonly Entry[] {
  const parts = query.toLowerCase().split(/\s+/).filter(Boolean);
  return entries
    .map((entry) => ({ entry, cost: parts.reduce((sum, part) => sum + matchCost(entry, part), 0) }))
    .filter(({ cost }) => Number.isFinite(cost))
    .sort((a, b) => a.cost - b.cost)
    .map(({ entry }) => entry);
}

export interface FinderEntry extends Searchable {
  readonly group: 'Page' | 'Command' | 'Toolpath';
  /** Icon before the label; null for none. */
  readonly icon: Element | null;
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

function entryOf(button: HTMLElement): FinderEntry {
  const { label, key } = nameOf(button);
  const pressed = button.getAttribute('aria-pressed');
  return {
    label,
    key,
    group: button.dataset['page'] === undefined ? 'Command' : 'Page',
    icon: button.querySelector('.icon')?.cloneNode(true) as Element | null,
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
