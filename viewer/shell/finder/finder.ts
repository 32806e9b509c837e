/**
 * The finder (Ctrl K): a dialog that finds pages, commands and toolpaths by a few letters. A combo
 * box with a list box, fully usable by keyboard. Loaded as its own chunk when first opened.
 */
import type { ToolpathHead } from '../../../contract/types.generated.ts';
import { element, setAttribute, setText } from '../../ui/element.ts';
import { icon } from '../../ui/icon.ts';
import { loadStyles } from '../../ui/style-sheets.ts';
import { type FinderEntry, finderEntries } from './finder-entries.ts';
import { rankEntries } from './ranking.ts';

const STYLES = [new URL('../../styles/finder.css', import.meta.url)];
/** Largest number of rows shown. */
const ROWS_MAX = 60;
const PAGE_STEP = 8;
const LIST_ID = 'finder-list';

export interface FinderParts {
  readonly app: HTMLElement;
  readonly toolpaths: () => readonly ToolpathHead[];
  /** Opens a toolpath of the arm. */
  readonly open: (head: ToolpathHead) => void;
}

export interface Finder {
  /** Opens or closes the finder. */
  toggle(): void;
}

const BUTTON_CHANGES = {
  subtree: true,
  childList: true,
  attributeFilter: ['disabled', 'hidden', 'title', 'aria-label', 'aria-pressed'],
};

function concernsButton({ target }: MutationRecord): boolean {
  return target instanceof Element && target.closest('button') !== null;
}

/** Whether two lists show the same rows. */
function areEqual(a: readonly FinderEntry[], b: readonly FinderEntry[]): boolean {
  const text = ({ label, key, on }: FinderEntry) => `${label} ${key} ${on}`;
  return a.length === b.length && a.every((entry, i) => text(entry) === text(b[i]!));
}

class FinderDialog implements Finder {
  private readonly parts: FinderParts;
  private readonly input = element('input', {
    type: 'text',
    class: 'finder-input',
    role: 'combobox',
    autocomplete: 'off',
    'aria-controls': LIST_ID,
    'aria-expanded': 'true',
    'aria-autocomplete': 'list',
    spellcheck: 'false',
    placeholder: 'Find a page, a command, a toolpath',
    'aria-label': 'Find a page, a command, a toolpath',
  });
  private readonly list = element('div', {
    class: 'finder-list',
    role: 'listbox',
    id: LIST_ID,
    'aria-label': 'Results',
  });
  private readonly noMatches = element('p', { class: 'finder-none', role: 'status' });
  private readonly dialog: HTMLDialogElement;
  private entries: readonly FinderEntry[] = [];
  private shown: readonly FinderEntry[] = [];
  private selected = 0;
  private readonly changes = new MutationObserver((records) => {
    if (records.some(concernsButton)) this.refresh();
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
      this.noMatches,
    );
    this.input.addEventListener('input', () => this.search());
    this.dialog.addEventListener('keydown', (event) => this.press(event));
    this.dialog.addEventListener('click', (event) => this.click(event));
    this.dialog.addEventListener('close', () => this.changes.disconnect());
    parts.app.append(this.dialog);
  }

  toggle(): void {
    if (this.dialog.open) {
      this.close();
      return;
    }
    this.entries = this.readEntries();
    this.input.value = '';
    this.search();
    this.dialog.showModal();
    this.changes.observe(this.parts.app, BUTTON_CHANGES);
  }

  private readEntries(): readonly FinderEntry[] {
    const { app, toolpaths, open } = this.parts;
    return finderEntries(app, toolpaths(), open);
  }

  /** Updates the entries: buttons may be enabled or disabled while the finder is open. */
  private refresh(): void {
    const entries = this.readEntries();
    if (areEqual(entries, this.entries)) return;
    const selected = this.shown[this.selected]?.label;
    this.entries = entries;
    this.search();
    this.select(this.shown.findIndex(({ label }) => label === selected));
  }

  /** Blurs the input at once; otherwise the browser sends it keys until the next frame. */
  private close(): void {
    this.input.blur();
    this.dialog.close();
  }

  private search(): void {
    this.shown = rankEntries(this.entries, this.input.value).slice(0, ROWS_MAX);
    this.list.replaceChildren(...this.shown.map((entry, i) => this.row(entry, i)));
    setAttribute(this.list, 'hidden', this.shown.length === 0);
    setText(this.noMatches, this.shown.length === 0 ? 'No matches.' : '');
    this.select(0);
  }

  private row({ label, group, key, on, icon: picture }: FinderEntry, index: number): HTMLElement {
    const attributes = { class: 'finder-row', role: 'option', id: `${LIST_ID}-${index}` };
    const row = element('div', attributes, picture ?? element('span', { class: 'icon' }));
    row.append(element('span', { class: 'finder-text' }, label));
    if (on !== null) row.append(element('span', { class: 'sub' }, on ? 'on' : 'off'));
    if (key) row.append(element('kbd', {}, key));
    row.append(element('span', { class: 'finder-group' }, group));
    return row;
  }

  private select(index: number): void {
    this.selected = Math.min(Math.max(index, 0), Math.max(this.shown.length - 1, 0));
    const rows = [...this.list.children];
    for (const [i, row] of rows.entries()) {
      setAttribute(row, 'aria-selected', String(i === this.selected));
    }
    const selected = rows[this.selected];
    setAttribute(this.input, 'aria-activedescendant', selected?.id);
    selected?.scrollIntoView({ block: 'nearest' });
  }

  private press(event: KeyboardEvent): void {
    // The page's key handlers must not see this event.
    event.stopPropagation();
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: PAGE_STEP,
      PageUp: -PAGE_STEP,
    };
    const step = steps[event.key];
    const toggleKey = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k';
    if (toggleKey || event.key === 'Escape') this.close();
    else if (step !== undefined) this.select(this.selected + step);
    else if (event.key === 'Enter') this.run(this.selected);
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
    entry.run();
  }
}

/** Creates the finder over the buttons in `app`. */
export async function createFinder(parts: FinderParts): Promise<Finder> {
  await loadStyles(STYLES);
  return new FinderDialog(parts);
}
