/** Picks a toolpath of the arm, or a file. */
import { type ReadonlySignal, type Signal, useSignal } from '@preact/signals';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { ToolpathHead } from '../../contract/types.generated.ts';
import { Button } from '../ui/buttons.tsx';
import { FileButton } from '../ui/file-button.tsx';
import type { FileReceiver } from '../ui/user-file.ts';
import { LibraryList } from './library-list.tsx';
import { LibraryListing, type ListedArm } from './library-listing.ts';
import { LibrarySearch } from './library-search.tsx';

interface ChoiceOfToolpath {
  readonly arm: ReadonlySignal<ListedArm>;
  /** Reads the text of a toolpath; null if that was refused. */
  readonly read: (head: ToolpathHead) => Promise<string | null>;
  readonly choose: (head: ToolpathHead) => void;
  /** Receives a file in place of a toolpath of the arm; absent without that offer. */
  readonly file?: FileReceiver;
}

interface PickerBoxProps extends ChoiceOfToolpath {
  readonly isOpen: Signal<boolean>;
  /** Focuses what opened it. */
  readonly focusOpener: () => void;
}

/** The list from which a toolpath is chosen, hidden until it is opened. */
export function PickerBox({ arm, read, choose, file, isOpen, focusOpener }: PickerBoxProps) {
  const listing = useMemo(() => new LibraryListing(arm, read), []);
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (isOpen.value) box.current!.querySelector('input')!.focus();
  }, [isOpen.value]);
  function close(): void {
    isOpen.value = false;
    focusOpener();
  }
  function onKey(event: KeyboardEvent): void {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    close();
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what is in it has the focus
    <div ref={box} class="compare-picker" hidden={!isOpen.value} onKeyDown={onKey}>
      <LibrarySearch of={listing} label="Find another toolpath" />
      <LibraryList
        of={listing}
        current={null}
        choose={(head) => {
          close();
          choose(head);
        }}
      />
      {file && <FileButton {...file}>A file</FileButton>}
    </div>
  );
}

interface ToolpathPickerProps extends ChoiceOfToolpath {
  /** What its button says: what is chosen, or that nothing is. */
  readonly text: string;
  readonly disabled?: boolean;
}

/** A button that unfolds the list from which a toolpath is chosen. */
export function ToolpathPicker({ text, disabled = false, ...choice }: ToolpathPickerProps) {
  const isOpen = useSignal(false);
  const toggle = useRef<HTMLButtonElement>(null);
  return (
    <>
      <Button
        ref={toggle}
        aria-expanded={isOpen.value}
        disabled={disabled}
        onClick={() => {
          isOpen.value = !isOpen.value;
        }}
      >
        {text}
      </Button>
      <PickerBox {...choice} isOpen={isOpen} focusOpener={() => toggle.current!.focus()} />
    </>
  );
}
