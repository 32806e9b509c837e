import { useSignal, useSignalEffect } from '@preact/signals';
import type { RefObject } from 'preact';
import { useMemo } from 'preact/hooks';
import { LibraryListing } from '../../toolpath/library-listing.ts';
import { NewerPanel } from '../../toolpath/newer-panel.tsx';
import { Button } from '../../ui/buttons.tsx';
import { Icon } from '../../ui/drawn-icon.tsx';
import { LibrarySection } from './library-section.tsx';
import type { PathsPanelProps } from './paths-context.ts';
import { ProgramActions } from './program-actions.tsx';
import { ProgramBody } from './program-body.tsx';

interface ProgramPanelProps extends PathsPanelProps {
  readonly search: RefObject<HTMLInputElement | null>;
}

/**
 * The left column: the open toolpath, the arm's toolpaths, search, the program and its actions.
 */
export function ProgramPanel({ context, search }: ProgramPanelProps) {
  const { store, robot, library } = context;
  const listing = useMemo(() => new LibraryListing(robot, (head) => library.read(head)), []);
  // One field searches what is shown.
  const { query } = listing;
  const isListing = useSignal(true);
  const origin = store.shown.origin.value;
  useSignalEffect(() => {
    isListing.value = store.shown.origin.value === null;
    query.value = '';
  });
  function toggleList(): void {
    isListing.value = !isListing.value || !store.view().opened;
    query.value = '';
  }
  const searched = isListing.value ? 'Find toolpath' : 'Find step, waypoint or error';
  return (
    <section class="program" aria-label="Toolpath">
      <Button class="program-title" aria-expanded={isListing.value} onClick={toggleList}>
        <span class="program-name">{isListing.value || !origin ? 'Toolpaths' : origin.name}</span>
        <Icon name="chevron" />
      </Button>
      <NewerPanel {...context} wayBack="Replaces what is open; Undo brings yours back" />
      <label class="program-search">
        <Icon name="search" />
        <input
          ref={search}
          type="search"
          class="field"
          spellcheck={false}
          placeholder={searched}
          aria-label={searched}
          value={query}
          onInput={({ currentTarget }) => {
            query.value = currentTarget.value;
          }}
        />
      </label>
      <LibrarySection context={context} listing={listing} hidden={!isListing.value} />
      <ProgramBody context={context} query={query} hidden={isListing.value} />
      <ProgramActions context={context} />
    </section>
  );
}
