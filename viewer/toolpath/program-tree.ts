/**
 * The program as an ARIA tree: actions with their times, branches with the taken one marked,
 * findings at their rows. The selection is shared with timeline and scene.
 */
import { element, setAttribute } from '../ui/element.ts';
import { type IconName, icon } from '../ui/icon.ts';
import { decimal } from '../ui/value-text.ts';
import { findingIcon } from './finding.ts';
import { moveIcon } from './move-icon.ts';
import { type ProgramRow, programRows } from './program-rows.ts';
import { type RowTime, rowTimes } from './row-times.ts';
import type { ToolpathPanel } from './toolpath-panel.ts';
import type { ToolpathStore } from './toolpath-store.ts';
import type { ToolpathView } from './toolpath-view.ts';

const ICONS: Partial<Record<ProgramRow['kind'], IconName>> = {
  home: 'home',
  output: 'step',
  wait: 'clock',
  if: 'branch',
  grid: 'grid',
  call: 'routine',
  routine: 'routine',
  restart: 'loop',
};

interface DrawnRow {
  readonly row: ProgramRow;
  readonly element: HTMLElement;
  readonly parents: readonly string[];
}

/** Whether the path takes the branch of a row. */
function isTaken({ branch }: ProgramRow, { path }: ToolpathView): boolean {
  return branch !== null && (path?.choices[branch.of] ?? -1) === branch.number;
}

function rowIcon(row: ProgramRow, taken: boolean): SVGSVGElement {
  if (row.branch) return icon(taken ? 'done' : 'chevron');
  return moveIcon(row.kind) ?? icon(ICONS[row.kind] ?? 'step');
}

function timeText(row: ProgramRow, time: RowTime | undefined): string {
  if (!time || row.kind === 'output' || row.kind === 'restart') return '';
  const time_s = row.opens || row.kind === 'call' ? time.total_s : time.once_s;
  return time_s > 0 || row.kind === 'home' ? `${decimal(time_s, 1)} s` : '';
}

/** Each row with its ancestors. */
function withParents(rows: readonly ProgramRow[]): { row: ProgramRow; parents: string[] }[] {
  const open: ProgramRow[] = [];
  return rows.map((row) => {
    open.length = Math.min(open.length, row.depth);
    const parents = open.map(({ at }) => at);
    open[row.depth] = row;
    return { row, parents };
  });
}

class ProgramTree implements ToolpathPanel {
  readonly element = element('div', { class: 'tree', role: 'tree', 'aria-label': 'Program' });
  private readonly store: ToolpathStore;
  private rows: DrawnRow[] = [];
  private closed = new Set<string>();
  private query = '';

  constructor(store: ToolpathStore) {
    this.store = store;
    this.element.addEventListener('keydown', (event) => this.key(event));
  }

  /** Shows only rows that contain the query. */
  find(query: string): void {
    this.query = query.trim().toLowerCase();
    this.hide();
  }

  update(view: ToolpathView, before: ToolpathView | null): void {
    if (view.path !== before?.path || view.opened !== before?.opened) this.draw(view);
    if (view.selected !== before?.selected || view.path !== before?.path) this.mark(view);
    if (view.running !== before?.running || view.opened !== before?.opened)
      this.light(view.running);
  }

  private draw(view: ToolpathView): void {
    const { opened, path } = view;
    const rows = opened ? programRows(opened.toolpath) : [];
    const times = path ? rowTimes(path) : new Map<string, RowTime>();
    for (const row of rows) {
      if (!row.branch) continue;
      if (isTaken(row, view)) this.closed.delete(row.at);
      else this.closed.add(row.at);
    }
    this.rows = withParents(rows).map(({ row, parents }) => ({
      row,
      parents,
      element: this.drawRow(row, view, timeText(row, times.get(row.at))),
    }));
    this.element.replaceChildren(...this.rows.map((one) => one.element));
    this.hide();
  }

  /** Lights the row that the arm runs, and scrolls to it. */
  private light(running: string | null): void {
    for (const { row, element: drawn } of this.rows) {
      const lit = row.at === running && row.branch === null;
      setAttribute(drawn, 'data-running', lit);
      setAttribute(drawn, 'aria-current', lit ? 'step' : undefined);
      if (lit) this.reveal(drawn);
    }
  }

  private drawRow(row: ProgramRow, view: ToolpathView, time: string): HTMLElement {
    const found = view.opened?.findings.find(({ at }) => at === row.at);
    const taken = isTaken(row, view);
    const drawn = element(
      'div',
      {
        class: `row row-${row.kind}`,
        role: 'treeitem',
        tabindex: '-1',
        'aria-level': `${row.depth + 1}`,
        'aria-selected': 'false',
        'aria-expanded': row.opens ? String(!this.closed.has(row.at)) : undefined,
        'data-at': row.at,
        'data-finding': found?.kind,
        'data-taken': row.branch ? String(taken) : undefined,
      },
      rowIcon(row, taken),
      element(
        'span',
        { class: 'row-words' },
        element('span', { class: 'row-text' }, row.text),
        element('span', { class: 'row-aside' }, row.detail),
      ),
      found ? findingIcon(found.kind) : element('span', { class: 'row-time' }, time),
    );
    drawn.style.setProperty('--depth', String(row.depth));
    drawn.title = found ? `${found.message} (${found.code})` : `${row.text} ${row.detail}`.trim();
    drawn.addEventListener('click', () => this.press(row));
    return drawn;
  }

  private press(row: ProgramRow): void {
    const { opened } = this.store.view();
    const found = opened?.findings.find(({ at }) => at === row.at);
    if (found) this.store.chooseFinding(found);
    else this.store.select(row.at);
    if (row.branch) this.store.chooseBranch(row.branch.of, row.branch.number);
  }

  private mark({ selected }: ToolpathView): void {
    for (const { row, element: drawn } of this.rows) {
      const own = row.at === selected;
      setAttribute(drawn, 'aria-selected', String(own));
      setAttribute(drawn, 'tabindex', own ? '0' : '-1');
      if (own) this.reveal(drawn);
    }
    if (!this.rows.some(({ row }) => row.at === selected)) {
      this.rows[0]?.element.setAttribute('tabindex', '0');
    }
  }

  /** Scrolls only the column, until a row is visible. */
  private reveal(row: HTMLElement): void {
    // After the other panels: reading a position lays out the page.
    queueMicrotask(() => {
      const column = this.element.parentElement;
      if (!column || row.hidden || !row.isConnected) return;
      const [columnBox, rowBox] = [column.getBoundingClientRect(), row.getBoundingClientRect()];
      const below_px = rowBox.bottom - columnBox.bottom;
      if (rowBox.top < columnBox.top) column.scrollTop -= columnBox.top - rowBox.top;
      else if (below_px > 0) column.scrollTop += below_px;
    });
  }

  private hide(): void {
    for (const { row, parents, element: drawn } of this.rows) {
      const folded = parents.some((parent) => this.closed.has(parent));
      const text = `${row.text} ${row.detail} ${drawn.title}`.toLowerCase();
      drawn.hidden = this.query ? !text.includes(this.query) : folded;
      if (row.opens) setAttribute(drawn, 'aria-expanded', String(!this.closed.has(row.at)));
    }
  }

  private key(event: KeyboardEvent): void {
    const shown = this.rows.filter((one) => !one.element.hidden);
    const at = shown.findIndex((one) => one.element === document.activeElement);
    const row = shown[at]?.row;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      const next = shown[Math.min(Math.max(at + step, 0), shown.length - 1)];
      next?.element.focus();
      if (next && !next.row.branch) this.store.select(next.row.at);
    } else if (event.key === 'Enter' && row) this.press(row);
    else if (event.key === 'ArrowLeft' && row?.opens) this.closed.add(row.at);
    else if (event.key === 'ArrowRight' && row?.opens) this.closed.delete(row.at);
    else return;
    this.hide();
    event.preventDefault();
    event.stopPropagation();
  }
}

/** Creates the tree of the open toolpath. */
export function createProgramTree(store: ToolpathStore): ProgramTree {
  return new ProgramTree(store);
}
