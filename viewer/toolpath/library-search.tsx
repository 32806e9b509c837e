import type { TargetedKeyboardEvent } from 'preact';
import type { LibraryListing } from './library-listing.ts';

interface LibrarySearchProps {
  readonly of: LibraryListing;
  readonly label: string;
  readonly hidden?: boolean;
}

/** The field that searches a list beside it; the down arrow goes to its first row. */
export function LibrarySearch({ of: { query }, label, hidden = false }: LibrarySearchProps) {
  function onKey({ key, currentTarget }: TargetedKeyboardEvent<HTMLInputElement>): void {
    if (key !== 'ArrowDown') return;
    currentTarget.parentElement!.querySelector<HTMLElement>('.library-entry')?.focus();
  }
  return (
    <input
      type="search"
      class="field"
      spellcheck={false}
      placeholder={label}
      aria-label={label}
      hidden={hidden}
      value={query}
      onInput={({ currentTarget }) => {
        query.value = currentTarget.value;
      }}
      onKeyDown={onKey}
    />
  );
}
