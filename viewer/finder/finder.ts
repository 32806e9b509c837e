/**
 * The finder (Ctrl K): type a few letters of a page, a command or a toolpath, press Enter. A dialog
 * with a combo box over a list, whole by keyboard. It comes in a chunk of its own when first asked
 * for.
 */
import type { ToolpathHead } from '../../contract/types.ts';
import { loadStyles } from '../pages/page.ts';
import { element, setAttribute, setText } from '../panels/element.ts';
import { icon } from '../panels/icons.ts';
import { type FinderEntry, finderEntries } from './entries.ts';
import { ranked } from './ranking.ts';

const STYLES = [new URL('../styles/finder.css', import.meta.url)];
/** So many rows are drawn at most: more are found by typing on. */
const ROWS_MAX = 60;
const PAGE_ROWS = 8;
const LIST_ID = 'finder-list';

export interface FinderParts {
  readonly app: HTMLElement;
  readonly toolpaths: () => readonly ToolpathHead[];
  /** Opens a toolpath of the arm. */
  readonly open: (head: ToolpathHead) => void;
}

export interface Finder {
  /** Opens it, or closes it again. */
  flip(): void;
}

const BUTTON_CHANGES = {
  ...{ subtree: true, childList: true },
  attributeFilter: ['disabled', 'hidden', 'title', 'aria-label', 'aria-pressed'],
};

function isOfButton({ target }: MutationRecord): boolean {
  return target instanceof Element && target.closest('button') !== null;
}

/** Whether two lists read alike. */
function isAlike(some: readonly FinderEntry[], others: readonly FinderEntry[]): boolean {
  const read = ({ words, key, on }: FinderEntry) => `${words} ${key} ${on}`;
  return some.length === others.length && some.every((one, i) => read(one) === read(others[i]!));
}

class FinderDialog implements Finder {
  private readonly parts: FinderParts;
  private readonly input = element('input', {
    ...{ type: 'text', class: 'finder-input', role: 'combobox', autocomplete: 'off' },
    ...{ 'aria-controls': LIST_ID, 'aria-expanded': 'true', 'aria-autocomplete': 'list' },
    ...{ spellcheck: 'false', placeholder: 'Find a page, a command, a toolpath' },
    'aria-label': 'Find a page, a command, a toolpath',
  });
  private readonly list = element('div', {
    ...{ class: 'finder-list', role: 'listbox', id: LIST_ID },
    'aria-label': 'Found',
  });
  private readonly nothing = element('p', { class: 'finder-none', role: 'status' });
  private readonly dialog: HTMLDialogElement;
  private entries: readonly FinderEntry[] = [];
  private shown: readonly FinderEntry[] = [];
  private at = 0;
  private readonly changes = new MutationObserver((records) => {
    if (records.some(isOfButton)) this.refresh();
  });

  constructor(parts: FinderParts) {
    this.parts = parts;
    const field = element('div', { class: 'finder-field' }, icon('search'), this.input);
    field.append(element('kbd', {}, 'Esc'));
    this.dialog = element(
      'dialog',
      { class: 'finder', 'aria-label': 'Find' },
      field,
      this.list,
      this.nothing,
    );
    this.input.addEventListener('input', () => this.search());
    this.dialog.addEventListener('keydown', (event) => this.press(event));
    this.dialog.addEventListener('click', (event) => this.click(event));
    this.dialog.addEventListener('close', () => this.changes.disconnect());
    parts.app.append(this.dialog);
  }

  flip(): void {
    if (this.dialog.open) {
      this.close();
      return;
    }
    this.entries = this.offered();
    this.input.value = '';
    this.search();
    this.dialog.showModal();
    this.changes.observe(this.parts.app, BUTTON_CHANGES);
  }

  private offered(): readonly FinderEntry[] {
    const { app, toolpaths, open } = this.parts;
    return finderEntries(app, toolpaths(), open);
  }

  /** The arm goes on meanwhile: what can be pressed now is not what could be when it opened. */
  private refresh(): void {
    const entries = this.offered();
    if (isAlike(entries, this.entries)) return;
    const chosen = this.shown[this.at]?.words;
    this.entries = entries;
    this.search();
    this.choose(this.shown.findIndex(({ words }) => words === chosen));
  }

  /** The field lets go at once: left to the browser, it takes keys unseen until the next frame. */
  private close(): void {
    this.input.blur();
    this.dialog.close();
  }

  private search(): void {
    this.shown = ranked(this.entries, this.input.value).slice(0, ROWS_MAX);
    this.list.replaceChildren(...this.shown.map((entry, i) => this.row(entry, i)));
    setAttribute(this.list, 'hidden', this.shown.length === 0);
    setText(this.nothing, this.shown.length === 0 ? 'Nothing is called that.' : '');
    this.choose(0);
  }

  private row({ words, group, key, on, icon: picture }: FinderEntry, index: number): HTMLElement {
    const label = { class: 'finder-row', role: 'option', id: `${LIST_ID}-${index}` };
    const row = element('div', label, picture ?? element('span', { class: 'icon' }));
    row.append(element('span', { class: 'finder-words' }, words));
    if (on !== null) row.append(element('span', { class: 'sub' }, on ? 'on' : 'off'));
    if (key) row.append(element('kbd', {}, key));
    row.append(element('span', { class: 'finder-group' }, group));
    return row;
  }

  private choose(index: number): void {
    this.at = Math.min(Math.max(index, 0), Math.max(this.shown.length - 1, 0));
    const rows = [...this.list.children];
    for (const [i, row] of rows.entries()) {
      setAttribute(row, 'aria-selected', String(i === this.at));
    }
    const chosen = rows[this.at];
    setAttribute(this.input, 'aria-activedescendant', chosen?.id);
    chosen?.scrollIntoView({ block: 'nearest' });
  }

  private press(event: KeyboardEvent): void {
    // Keys of the page behind it are not meant.
    event.stopPropagation();
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: PAGE_ROWS,
      PageUp: -PAGE_ROWS,
    };
    const step = steps[event.key];
    const again = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k';
    if (again || event.key === 'Escape') this.close();
    else if (step !== undefined) this.choose(this.at + step);
    else if (event.key === 'Enter') this.run(this.at);
    else return;
    event.preventDefault();
  }

  private click({ target }: MouseEvent): void {
    if (target === this.dialog) this.close();
    const row = target instanceof Element ? target.closest('.finder-row') : null;
    if (row) this.run([...this.list.children].indexOf(row));
  }

  private run(index: number): void {
    const entry = this.shown[index];
    if (!entry) return;
    this.close();
    entry.act();
  }
}

/** The finder over everything in `app`. */
export async function createFinder(parts: FinderParts): Promise<Finder> {
  await loadStyles(STYLES);
  return new FinderDialog(parts);
}
