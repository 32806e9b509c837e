import { useComputed, useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { problemNotice } from '../../link/failure-notice.ts';
import { createLibraryActions } from '../../toolpath/library-actions.ts';
import { LibraryList } from '../../toolpath/library-list.tsx';
import type { LibraryListing } from '../../toolpath/library-listing.ts';
import {
  type DeletedToolpath,
  LibraryMenu,
  type OpenedMenu,
} from '../../toolpath/library-menu.tsx';
import { SAMPLES } from '../../toolpath/samples.ts';
import { UndoLine } from '../../toolpath/undo-line.tsx';
import { Button } from '../../ui/buttons.tsx';
import { Icon } from '../../ui/drawn-icon.tsx';
import { Empty } from '../../ui/empty.tsx';
import { FileButton } from '../../ui/file-button.tsx';
import { canDrop } from '../../ui/user-file.ts';
import type { PathsPanelProps } from './paths-context.ts';

const EMPTY = 'No toolpaths yet. Drop a JSON file anywhere, open one, or look at a sample.';
const EMPTY_TOUCHED = 'No toolpaths yet. Open a JSON file, or look at a sample.';
const READING = 'The toolpaths on the arm are being read…';
const SIGNED_OUT = 'Sign in to see the toolpaths on the arm. Files need no sign-in.';

interface LibrarySectionProps extends PathsPanelProps {
  readonly listing: LibraryListing;
  readonly hidden: boolean;
}

/** The arm's toolpaths, and what can be opened in their place. */
export function LibrarySection({ context, listing, hidden }: LibrarySectionProps) {
  const { store, arm, robot, library } = context;
  const isOut = useComputed(() => robot.value.link === 'signed-out').value;
  const isListed = useComputed(() => robot.value.isListed).value;
  const userId = useComputed(() => robot.value.user_id).value;
  const current = useComputed(() => store.shown.origin.value?.id ?? null).value;
  const empty = useMemo(() => (canDrop() ? EMPTY : EMPTY_TOUCHED), []);
  const actions = useMemo(() => createLibraryActions(context), []);
  const menu = useSignal<OpenedMenu | null>(null);
  const deleted = useSignal<DeletedToolpath | null>(null);
  const isEmpty = listing.toolpaths.value.length === 0;

  function openMenu(head: OpenedMenu['head'], opener: HTMLElement): void {
    menu.value = menu.value?.opener === opener ? null : { head, opener };
  }
  async function openSample(name: string, url: URL): Promise<void> {
    const reply = await fetch(url).catch(() => null);
    if (reply?.ok) store.open({ name, id: null }, await reply.text());
    else arm.set({ notice: { text: 'The sample could not be loaded. Try again.', code: '' } });
  }
  function sentence(): string {
    if (isOut) return SIGNED_OUT;
    if (listing.found.value.length > 0) return '';
    if (!isEmpty) return 'No results.';
    return isListed ? empty : READING;
  }
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: what is read out with its first control
    <div class="library" aria-label="Toolpaths" hidden={hidden}>
      {!isEmpty && (
        <LibraryList
          of={listing}
          current={current}
          choose={(head) => void library.open(head)}
          menu={openMenu}
        />
      )}
      <LibraryMenu
        opened={menu}
        actions={actions}
        userId={userId}
        onDeleted={(what) => {
          deleted.value = what;
        }}
      />
      <UndoLine deleted={deleted} restore={actions.restore} />
      <Empty>{sentence()}</Empty>
      <div class="library-samples" hidden={isOut || !isListed || !isEmpty}>
        {SAMPLES.map(({ name, url }) => (
          <Button key={name} onClick={() => openSample(name, url)}>
            Open “{name}”
          </Button>
        ))}
      </div>
      {isOut && (
        <Button class="primary" onClick={context.signIn}>
          Sign in
        </Button>
      )}
      <FileButton
        onText={(name, text) => store.open({ name, id: null }, text)}
        onProblem={problemNotice(arm)}
      >
        <Icon name="send" />
        Open a file
      </FileButton>
    </div>
  );
}
