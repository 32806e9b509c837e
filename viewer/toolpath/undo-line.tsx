import type { Signal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from '../ui/buttons.tsx';
import type { LibraryActions } from './library-actions.ts';
import type { DeletedToolpath } from './library-menu.tsx';

/** How long a deletion can be undone (ms). */
const UNDO_MS = 10_000;
/** A restored toolpath comes into the list within this time (ms). */
const LISTED_MS = 2000;

/** Focuses the row of a toolpath once the list has it, else the first row. */
async function focusRow(box: ParentNode, id: number | undefined): Promise<void> {
  const end_ms = performance.now() + LISTED_MS;
  const row = () => box.querySelector<HTMLElement>(`.library-entry[data-id="${id}"]`);
  while (!row() && performance.now() < end_ms) await new Promise(requestAnimationFrame);
  // The user may have gone on.
  if (document.activeElement !== document.body) return;
  (row() ?? box.querySelector<HTMLElement>('.library-entry'))?.focus();
}

interface UndoLineProps {
  /** What was deleted last; null while there is nothing to undo. */
  readonly deleted: Signal<DeletedToolpath | null>;
  readonly restore: LibraryActions['restore'];
}

/**
 * The line after a deletion. It takes the focus, which the deleted row had, and stays while it has
 * it; the restored row gets it back.
 */
export function UndoLine({ deleted, restore }: UndoLineProps) {
  const line = useRef<HTMLDivElement>(null);
  const isOver = useRef(false);
  const { value: shown } = deleted;
  function hide(): void {
    deleted.value = null;
  }
  useLayoutEffect(() => {
    if (!shown) return;
    const { activeElement } = document;
    const { parentElement: box } = line.current!;
    const isFree = activeElement === document.body || box!.contains(activeElement);
    if (isFree) line.current!.querySelector('button')!.focus();
    isOver.current = false;
    const timer = setTimeout(() => {
      isOver.current = true;
      if (!line.current!.contains(document.activeElement)) hide();
    }, UNDO_MS);
    return () => clearTimeout(timer);
  }, [shown]);
  async function undo(): Promise<void> {
    const { parentElement: box } = line.current!;
    hide();
    if (shown) await focusRow(box!, await restore(shown.name, shown.toolpath));
  }
  return (
    <div
      ref={line}
      class="library-undo"
      role="status"
      hidden={!shown}
      onFocusOut={() => isOver.current && hide()}
    >
      <span class="grow">{shown && `“${shown.name}” is deleted.`}</span>
      <Button class="plain small" onClick={undo}>
        Undo
      </Button>
    </div>
  );
}
