import { useComputed } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { problemNotice } from '../../link/failure-notice.ts';
import { LibraryList } from '../../toolpath/library-list.tsx';
import { LibraryListing } from '../../toolpath/library-listing.ts';
import { LibrarySearch } from '../../toolpath/library-search.tsx';
import { Button } from '../../ui/buttons.tsx';
import { Icon } from '../../ui/drawn-icon.tsx';
import { FileButton } from '../../ui/file-button.tsx';
import type { TeachProps } from './teach-context.ts';

const EMPTY = 'No toolpath is open. Create one, or open one from the arm or from a file.';
const FILES = 'A toolpath, or an export of the arm’s editor (.act); format 1 is migrated';

/** The toolpaths on the arm with a search, and buttons to start without one of them. */
export function LibrarySection({ context, hidden }: TeachProps & { readonly hidden: boolean }) {
  const { store, arm, robot, library, editor, actions } = context;
  const listing = useMemo(() => new LibraryListing(robot, (head) => library.read(head)), []);
  const current = useComputed(() => store.shown.origin.value?.id ?? null).value;
  const count = listing.toolpaths.value.length;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is laid out otherwise
    <div class="library" role="group" aria-label="Toolpaths" hidden={hidden}>
      <div class="program-begin">
        <Button class="primary" onClick={() => editor.openNew()}>
          New toolpath
        </Button>
        <FileButton title={FILES} onText={actions.openText} onProblem={problemNotice(arm)}>
          <Icon name="send" />
          Open a file
        </FileButton>
      </div>
      <p class="empty" hidden={store.shown.opened.value !== null}>
        {EMPTY}
      </p>
      <LibrarySearch of={listing} label="Find toolpath" hidden={count < 2} />
      {count > 0 && (
        <LibraryList of={listing} current={current} choose={(head) => void library.open(head)} />
      )}
      <p class="empty" role="status" hidden={count === 0 || listing.found.value.length > 0}>
        No results.
      </p>
    </div>
  );
}
