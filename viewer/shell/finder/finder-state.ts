import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { FinderEntry } from './finder-entries.ts';
import { rankEntries } from './ranking.ts';

/** Largest number of rows shown. */
const ROWS_MAX = 60;

/** Whether two lists show the same rows. */
function areEqual(a: readonly FinderEntry[], b: readonly FinderEntry[]): boolean {
  const text = ({ label, key, on }: FinderEntry) => `${label} ${key} ${on}`;
  return a.length === b.length && a.every((entry, i) => text(entry) === text(b[i]!));
}

/** What the finder has found, and which row is selected. */
export class FinderState {
  private readonly entries = signal<readonly FinderEntry[]>([]);
  private readonly wanted = signal(0);
  readonly query = signal('');
  /** The rows, best match first. */
  readonly shown: ReadonlySignal<readonly FinderEntry[]> = computed(() =>
    rankEntries(this.entries.value, this.query.value).slice(0, ROWS_MAX),
  );
  /** Index of the selected row; 0 where there is none. */
  readonly selected: ReadonlySignal<number> = computed(() =>
    Math.max(0, Math.min(this.wanted.value, this.shown.value.length - 1)),
  );

  /** Begins anew with entries. */
  start(entries: readonly FinderEntry[]): void {
    this.entries.value = entries;
    this.search('');
  }

  search(query: string): void {
    this.query.value = query;
    this.wanted.value = 0;
  }

  /** Selects a row; behind the ends, the one at the end. */
  select(index: number): void {
    this.wanted.value = Math.max(0, Math.min(index, this.shown.value.length - 1));
  }

  /** Takes entries that may have changed; the row of the same label stays selected. */
  refresh(entries: readonly FinderEntry[]): void {
    if (areEqual(entries, this.entries.value)) return;
    const label = this.shown.value[this.selected.value]?.label;
    this.entries.value = entries;
    this.select(this.shown.value.findIndex((entry) => entry.label === label));
  }
}
