/**
 * The list of the arm's toolpaths, for opening, loading and comparing: search, order and details,
 * with only the visible rows in the document, so that thousands stay smooth. Duration and result
 * of a check are found out for visible rows; what is checked stands below the list.
 */

import { useComputed, useSignal } from '@preact/signals';
import type { TargetedKeyboardEvent } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ToolpathHead } from '../../contract/types.generated.ts';
import { Button } from '../ui/buttons.tsx';
import { Choice, type Options } from '../ui/fields.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { dateText } from '../ui/value-text.ts';
import type { LibraryListing } from './library-listing.ts';
import { ORDERS } from './library-order.ts';

const ROW_PX = 34;
/** Rows above and below the visible ones. */
const MARGIN_ROWS = 6;

interface LibraryListProps {
  readonly of: LibraryListing;
  /** Id of the toolpath that is marked. */
  readonly current: number | null;
  readonly choose: (head: ToolpathHead) => void;
  /** Opens the menu of a row; absent without one. */
  readonly menu?: ((head: ToolpathHead, opener: HTMLElement) => void) | undefined;
}

interface LibraryRowProps extends LibraryListProps {
  readonly head: ToolpathHead;
  readonly index: number;
}

function LibraryRow({ of: listing, head, index, current, choose, menu }: LibraryRowProps) {
  const { id, name, hash } = head;
  const saved = listing.savedAt(id);
  const details = listing.details.of(hash);
  const [about = '', size = ''] = listing.about(head);
  const checked = details?.checkedAgainst ?? [];
  return (
    // biome-ignore lint/a11y/useSemanticElements: its place in the list is not that in the document
    <div
      role="listitem"
      class="library-row"
      aria-setsize={listing.found.value.length}
      aria-posinset={index + 1}
      style={{ top: `${index * ROW_PX}px` }}
    >
      <Button
        class="library-entry"
        data-id={id}
        title={name + (saved ? `\nlast saved ${dateText(saved)}` : '')}
        aria-current={id === current ? 'true' : undefined}
        onClick={() => choose(head)}
      >
        {name}
      </Button>
      <span
        class="library-sub"
        data-tone={details && details.errors > 0 ? 'fault' : undefined}
        title={checked.length > 0 ? `Checked against ${checked.join(', ')}` : undefined}
      >
        {about}
        <span class="library-size">{size}</span>
      </span>
      {menu && (
        <IconButton
          icon="more"
          label="More"
          aria-haspopup="menu"
          onClick={(event) => menu(head, event.currentTarget)}
        />
      )}
    </div>
  );
}

/** The choice of the order; one that this arm does not have is in the list with the reason. */
function OrderChoice({ of: listing }: Pick<LibraryListProps, 'of'>) {
  const modified = listing.modified.value;
  const isUnknown = typeof modified === 'string';
  const options: Options = ORDERS.map(([value, text]) =>
    value === 'modified' && isUnknown ? [value, `Last saved: ${modified}`, true] : [value, text],
  );
  return (
    <Choice
      label="Order"
      options={options}
      value={listing.order.value}
      set={(order) => listing.chooseOrder(order)}
    />
  );
}

/** The list of the arm's toolpaths. */
export function LibraryList(props: LibraryListProps) {
  const { of: listing } = props;
  const found = listing.found.value;
  const box = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  /** What of the list can be seen (px). It keeps its rows while it is hidden. */
  const seen = useSignal({ top: 0, height: 0 });
  const first = useComputed(() => Math.max(Math.floor(seen.value.top / ROW_PX) - MARGIN_ROWS, 0));
  const last = useComputed(() => {
    const { top, height } = seen.value;
    return height === 0 ? 0 : Math.ceil((top + height) / ROW_PX) + MARGIN_ROWS;
  });
  const visible = found.slice(first.value, last.value);

  function look(): void {
    const { scrollTop: top, clientHeight: height } = box.current!;
    if (height > 0) seen.value = { top, height };
  }
  useLayoutEffect(() => {
    const observer = new ResizeObserver(look);
    observer.observe(box.current!);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    box.current!.scrollTop = 0;
    look();
  }, [listing.query.value]);
  useLayoutEffect(() => {
    // Nobody waits for what is hidden.
    if (box.current!.clientHeight > 0) listing.details.wish(visible);
  }, [found, first.value, last.value]);

  /** Arrow keys move the focus from row to row, Home and End to the ends. */
  function onKey(event: TargetedKeyboardEvent<HTMLDivElement>): void {
    const id = (event.target as HTMLElement).dataset['id'];
    const at = found.findIndex((head) => `${head.id}` === id);
    const end = found.length - 1;
    const goals: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      Home: 0,
      End: end,
    };
    const goal = goals[event.key];
    if (at < 0 || goal === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const next = Math.min(Math.max(goal, 0), end);
    const top = next * ROW_PX;
    const { currentTarget: view } = event;
    if (top < view.scrollTop) view.scrollTop = top;
    else if (top + ROW_PX > view.scrollTop + view.clientHeight) {
      view.scrollTop = top + ROW_PX - view.clientHeight;
    }
    look();
    // Once its row is drawn.
    queueMicrotask(() => {
      list.current!.querySelector<HTMLElement>(`[data-id="${found[next]!.id}"]`)?.focus();
    });
  }

  return (
    <div class="library-box">
      {listing.toolpaths.value.length > 1 && <OrderChoice of={listing} />}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the rows have the focus */}
      <div ref={box} class="library-view" onScroll={look} onKeyDown={onKey}>
        {/* biome-ignore lint/a11y/useSemanticElements: rows have no place in a list by themselves */}
        <div
          ref={list}
          class="library-list"
          role="list"
          style={{ height: `${found.length * ROW_PX}px` }}
        >
          {visible.map((head, i) => (
            <LibraryRow key={head.id} {...props} head={head} index={first.value + i} />
          ))}
        </div>
      </div>
      <p class="sub library-checked">{listing.checkedText}</p>
    </div>
  );
}
