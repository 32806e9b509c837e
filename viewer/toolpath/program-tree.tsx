/**
 * The program as an ARIA tree: actions with their times, branches with the taken one marked,
 * findings at their rows. The selection is shared with timeline and scene.
 */
import { type ReadonlySignal, useComputed, useSignal } from '@preact/signals';
import type { TargetedKeyboardEvent } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from '../ui/drawn-icon.tsx';
import type { StrokeName } from '../ui/icon.ts';
import { FindingIcon } from './finding-icon.tsx';
import { isMove, MoveIcon } from './move-icon.tsx';
import type { RowKind } from './program-rows.ts';
import type { ToolpathStore } from './toolpath-store.ts';
import { type Folds, foldedRows, isRowShown, type TreeRow, treeRows } from './tree-rows.ts';

const ICONS: Partial<Record<RowKind, StrokeName>> = {
  home: 'home',
  output: 'step',
  wait: 'clock',
  if: 'branch',
  grid: 'grid',
  call: 'routine',
  routine: 'routine',
  restart: 'loop',
};

function RowIcon({ of: { branch, isTaken, kind } }: { readonly of: TreeRow }) {
  if (branch) return <Icon name={isTaken ? 'done' : 'chevron'} />;
  return isMove(kind) ? <MoveIcon kind={kind} /> : <Icon name={ICONS[kind] ?? 'step'} />;
}

/** Scrolls only the column, until a row is visible. */
function reveal(row: HTMLElement): void {
  // After the other panels: reading a position lays out the page.
  queueMicrotask(() => {
    const column = row.parentElement?.parentElement;
    if (!column || row.hidden || !row.isConnected) return;
    const [columnBox, rowBox] = [column.getBoundingClientRect(), row.getBoundingClientRect()];
    const below_px = rowBox.bottom - columnBox.bottom;
    if (rowBox.top < columnBox.top) column.scrollTop -= columnBox.top - rowBox.top;
    else if (below_px > 0) column.scrollTop += below_px;
  });
}

interface TreeItemProps {
  readonly of: TreeRow;
  readonly store: ToolpathStore;
  /** Pointer of the row that the Tab key reaches. */
  readonly entry: ReadonlySignal<string | undefined>;
  readonly isShown: boolean;
  readonly isFolded: boolean;
  readonly onPress: () => void;
}

function TreeItem({ of: row, store, entry, isShown, isFolded, onPress }: TreeItemProps) {
  const { at, kind, text, detail, depth, branch, finding } = row;
  const { selected, running } = store.shown;
  const isSelected = useComputed(() => selected.value === at).value;
  const isRunning = useComputed(() => running.value === at).value && branch === null;
  const isEntry = useComputed(() => entry.value === at).value;
  const item = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (isSelected || isRunning) reveal(item.current!);
  }, [isSelected, isRunning, row]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree has the keys
    <div
      ref={item}
      class={`row row-${kind}`}
      role="treeitem"
      tabIndex={isEntry ? 0 : -1}
      aria-level={depth + 1}
      aria-selected={isSelected}
      aria-expanded={row.opens ? !isFolded : undefined}
      aria-current={isRunning ? 'step' : undefined}
      data-at={at}
      data-finding={finding?.kind}
      data-taken={branch ? row.isTaken : undefined}
      data-running={isRunning ? '' : undefined}
      hidden={!isShown}
      title={row.title}
      style={{ '--depth': `${depth}` }}
      onClick={onPress}
    >
      <RowIcon of={row} />
      <span class="row-words">
        <span class="row-text">{text}</span>
        <span class="row-aside">{detail}</span>
      </span>
      {finding ? <FindingIcon of={finding} /> : <span class="row-time">{row.time}</span>}
    </div>
  );
}

interface ProgramTreeProps {
  readonly store: ToolpathStore;
  /** Only rows that contain it are shown; empty for all that are not folded. */
  readonly query: ReadonlySignal<string>;
}

/** The tree of the open toolpath. */
export function ProgramTree({ store, query }: ProgramTreeProps) {
  const { opened, path, selected } = store.shown;
  const folds = useSignal<Folds>(new Map());
  const rows = useComputed(() => treeRows({ opened: opened.value, path: path.value }));
  const folded = useComputed(() => foldedRows(rows.value, folds.value, path.value)).value;
  const entry = useComputed(() => {
    const own = rows.value.find(({ at }) => at === selected.value);
    return (own ?? rows.value[0])?.at;
  });
  const isShown = (row: TreeRow) => isRowShown(row, query.value, folded);

  function press({ at, finding, branch }: TreeRow): void {
    if (finding) store.chooseFinding(finding);
    else store.select(at);
    if (branch) store.chooseBranch(branch.of, branch.number);
  }

  function fold({ at }: TreeRow, isFolded: boolean): void {
    folds.value = new Map(folds.value).set(at, { isFolded, path: path.value });
  }

  function onKey(event: TargetedKeyboardEvent<HTMLDivElement>): void {
    const items = [...event.currentTarget.children] as HTMLElement[];
    const shown = rows.value.filter(isShown);
    const row = rows.value[items.indexOf(document.activeElement as HTMLElement)];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      const goal = (row ? shown.indexOf(row) : -1) + step;
      const next = shown[Math.min(Math.max(goal, 0), shown.length - 1)];
      if (next) items[rows.value.indexOf(next)]!.focus();
      if (next && !next.branch) store.select(next.at);
    } else if (event.key === 'Enter' && row) press(row);
    else if (event.key === 'ArrowLeft' && row?.opens) fold(row, true);
    else if (event.key === 'ArrowRight' && row?.opens) fold(row, false);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <div class="tree" role="tree" aria-label="Program" onKeyDown={onKey}>
      {rows.value.map((row) => (
        <TreeItem
          key={row.at}
          of={row}
          store={store}
          entry={entry}
          isShown={isShown(row)}
          isFolded={folded.has(row.at)}
          onPress={() => press(row)}
        />
      ))}
    </div>
  );
}
