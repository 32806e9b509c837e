/**
 * The list of the arm's toolpaths, for opening, loading and comparing: search, order and details,
 * with only the visible rows in the document, so that thousands stay smooth. Duration and result
 * of a check are found out for visible rows; what is checked stands below the list.
 */

import type { ToolpathHead } from '../../contract/types.generated.ts';
import { bodyCount, cellText } from '../../physics/cell/clearance/checked-against.ts';
import type { ArmView } from '../link/arm-view.ts';
import { button, element, setAttribute, setText } from '../ui/element.ts';
import { icon } from '../ui/icon.ts';
import { preferences } from '../ui/preferences.ts';
import { dateText, decimal, minutesText } from '../ui/value-text.ts';
import { builtArm, isSameArm } from './follow-arm.ts';
import { arrange, type Modified, modifiedIn, ORDERS, type ToolpathOrder } from './library-order.ts';
import { DetailsReader, type ToolpathDetails } from './toolpath-details.ts';

const ROW_PX = 34;
/** Rows above and below the visible ones. */
const MARGIN_ROWS = 6;
const BYTES_PER_KB = 1000;

/** From here on a duration is given in minutes and seconds (s). */
const MINUTES_FROM_S = 100;

/** Errors of a toolpath or else its duration, and its size, which gives way to a long name. */
export function detailsTexts(details: ToolpathDetails): readonly string[] {
  const { duration_s, isOpenEnded, errors, bytes } = details;
  if (errors > 0) return [`${errors} error${errors === 1 ? '' : 's'}`];
  const isLong = duration_s >= MINUTES_FROM_S;
  const duration = isLong ? `${minutesText(duration_s)} min` : `${decimal(duration_s, 1)} s`;
  return [`${isOpenEnded ? 'from ' : ''}${duration}`, ` · ${decimal(bytes / BYTES_PER_KB, 1)} kB`];
}

/** What the toolpaths of a list are checked against. */
export function checkedText({ sim }: Pick<ArmView, 'sim'>): string {
  const { cell } = builtArm({ sim });
  const around = cell ? `${cellText(bodyCount(cell))}, as described` : 'no cell (none is known)';
  return `Checked against the floor, themselves, their zones, ${around}.`;
}

export interface LibraryListParts {
  /** Reads the text of a toolpath; null if that was refused. */
  readonly read: (head: ToolpathHead) => Promise<string | null>;
  readonly choose: (head: ToolpathHead) => void;
  /** Opens the menu of a row; absent without one. */
  readonly menu?: (head: ToolpathHead, opener: HTMLElement) => void;
}

/** The list of the arm's toolpaths, at first empty. */
export class LibraryList {
  readonly element: HTMLElement;
  private readonly parts: LibraryListParts;
  private readonly details: DetailsReader;
  private readonly rows = element('div', { class: 'library-list', role: 'list' });
  private readonly view: HTMLElement;
  private readonly order: HTMLSelectElement;
  private readonly checked = element('p', { class: 'sub library-checked' });
  private heads: readonly ToolpathHead[] = [];
  private query = '';
  private found: readonly ToolpathHead[] = [];
  private current: number | null = null;
  private modified: Modified = '';

  constructor(parts: LibraryListParts) {
    this.parts = parts;
    this.details = new DetailsReader(parts.read, () => this.render());
    const options = ORDERS.map(([value, text]) => element('option', { value }, text));
    this.order = element('select', { class: 'field', 'aria-label': 'Order' }, ...options);
    this.order.value = preferences.read().toolpathOrder;
    this.order.addEventListener('change', () => {
      preferences.update({ toolpathOrder: this.order.value });
      this.arrange();
    });
    this.view = element('div', { class: 'library-view' }, this.rows);
    this.view.addEventListener('scroll', () => this.render());
    this.view.addEventListener('keydown', (event) => this.key(event));
    new ResizeObserver(() => this.render()).observe(this.view);
    this.element = element('div', { class: 'library-box' }, this.order, this.view, this.checked);
  }

  /** Shows toolpaths; `current` is marked. Returns how many fit the search. */
  show(
    view: Pick<ArmView, 'toolpaths' | 'sim' | 'driver'>,
    query: string,
    current: number | null,
  ): number {
    if (query !== this.query) this.view.scrollTop = 0;
    [this.heads, this.query, this.current] = [view.toolpaths, query, current];
    this.modified = modifiedIn(view);
    this.details.setArm(builtArm(view));
    setText(this.checked, checkedText(view));
    this.arrange();
    return this.found.length;
  }

  private arrange(): void {
    this.offerModified();
    const order = (this.order.value || 'added') as ToolpathOrder;
    const { query, modified } = this;
    this.found = arrange(this.heads, { query, order, modified }, this.details.of);
    setAttribute(this.order, 'hidden', this.heads.length < 2);
    this.rows.style.height = `${this.found.length * ROW_PX}px`;
    this.render();
  }

  /** An order that this arm does not have is in the list with the reason. */
  private offerModified(): void {
    const { modified } = this;
    const option = this.order.querySelector<HTMLOptionElement>('[value="modified"]')!;
    const unknown = typeof modified === 'string';
    setText(option, unknown ? `Last saved: ${modified}` : 'Last saved first');
    setAttribute(option, 'disabled', unknown);
    const wanted = preferences.read().toolpathOrder;
    this.order.value = unknown && wanted === 'modified' ? 'added' : wanted;
  }

  /** What is shown of a row beside its name: the time of its save in that order. */
  private about({ id, hash }: ToolpathHead): readonly string[] {
    const { modified, order } = this;
    const time = typeof modified === 'string' ? undefined : modified.get(id);
    const details = this.details.of(hash);
    if (order.value !== 'modified') return details ? detailsTexts(details) : [];
    if (time === undefined) return ['not known'];
    // Of today the time, else the day: both do not fit beside a name.
    const [day, minute] = dateText(time).split(' ');
    return [day === dateText(new Date().toISOString()).split(' ')[0] ? minute! : day!];
  }

  /** Puts the visible rows into the document. */
  private render(): void {
    const { scrollTop, clientHeight } = this.view;
    if (clientHeight === 0) return;
    const first = Math.max(Math.floor(scrollTop / ROW_PX) - MARGIN_ROWS, 0);
    const last = Math.ceil((scrollTop + clientHeight) / ROW_PX) + MARGIN_ROWS;
    const visible = this.found.slice(first, last);
    const focused = this.rows.querySelector<HTMLElement>(':focus')?.dataset['id'];
    this.rows.replaceChildren(...visible.map((head, i) => this.row(head, first + i)));
    if (focused) this.rows.querySelector<HTMLElement>(`[data-id="${focused}"]`)?.focus();
    this.details.wish(visible);
  }

  private row(head: ToolpathHead, index: number): HTMLElement {
    const { choose, menu } = this.parts;
    const id = `${head.id}`;
    const open = button({ class: 'library-entry', 'data-id': id }, () => choose(head), head.name);
    const saved = typeof this.modified === 'string' ? undefined : this.modified.get(head.id);
    setAttribute(open, 'title', head.name + (saved ? `\nlast saved ${dateText(saved)}` : ''));
    setAttribute(open, 'aria-current', head.id === this.current ? 'true' : undefined);
    const details = this.details.of(head.hash);
    const [about = '', size = ''] = this.about(head);
    const sizePart = element('span', { class: 'library-size' }, size);
    const sub = element('span', { class: 'library-sub' }, about, sizePart);
    setAttribute(sub, 'data-tone', details && details.errors > 0 ? 'fault' : undefined);
    const checked = details?.checkedAgainst ?? [];
    const against = `Checked against ${checked.join(', ')}`;
    setAttribute(sub, 'title', checked.length > 0 ? against : undefined);
    const more = menu
      ? button(
          { class: 'tool', 'aria-label': 'More', title: 'More', 'aria-haspopup': 'menu' },
          () => menu(head, more!),
        )
      : null;
    more?.append(icon('more'));
    const place = { 'aria-setsize': `${this.found.length}`, 'aria-posinset': `${index + 1}` };
    const attributes = { role: 'listitem', class: 'library-row', ...place };
    const row = element('div', attributes, open, sub, ...(more ? [more] : []));
    row.style.top = `${index * ROW_PX}px`;
    return row;
  }

  /** Arrow keys move the focus from row to row, Home and End to the ends. */
  private key(event: KeyboardEvent): void {
    const id = (event.target as HTMLElement).dataset['id'];
    const at = this.found.findIndex((head) => `${head.id}` === id);
    const last = this.found.length - 1;
    const goals: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      Home: 0,
      End: last,
    };
    const goal = goals[event.key];
    if (at < 0 || goal === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const next = Math.min(Math.max(goal, 0), last);
    const top = next * ROW_PX;
    const { scrollTop, clientHeight } = this.view;
    if (top < scrollTop) this.view.scrollTop = top;
    else if (top + ROW_PX > scrollTop + clientHeight) {
      this.view.scrollTop = top + ROW_PX - clientHeight;
    }
    this.render();
    this.rows.querySelector<HTMLElement>(`[data-id="${this.found[next]!.id}"]`)?.focus();
  }
}

/** Whether a list shows something else in another view. */
export function isListChanged(view: ArmView, before: ArmView): boolean {
  const isSame = view.toolpaths === before.toolpaths && view.sim?.modified === before.sim?.modified;
  return !isSame || !isSameArm(view, before);
}
