import { signal, useSignal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import { NewerPanel } from '../../toolpath/newer-panel.tsx';
import { ProgramTree } from '../../toolpath/program-tree.tsx';
import { Button } from '../../ui/buttons.tsx';
import { Icon } from '../../ui/drawn-icon.tsx';
import { HeldInput } from '../../ui/held-input.tsx';
import { EditBar } from './edit-bar.tsx';
import { FinishBar } from './finish-bar.tsx';
import { LibrarySection } from './library-section.tsx';
import { StepForms } from './step-forms.tsx';
import type { TeachProps } from './teach-context.ts';

/** All rows of the program are shown. */
const NO_QUERY = signal('');

function NameField({ context: { store, editor } }: TeachProps) {
  const origin = store.shown.origin.value;
  return (
    <HeldInput
      class="field program-rename"
      label="Name of the toolpath"
      maxLength={128}
      hidden={origin === null}
      isPrompt
      text={origin?.name ?? ''}
      set={(name) => name !== '' && editor.rename(name, 'name')}
      onBlur={() => editor.settle()}
    />
  );
}

/**
 * The left column of the Teach page: the edited toolpath, its program, actions on the selected
 * step, undo and redo, saving and loading into the robot.
 */
export function EditPanel({ context }: TeachProps) {
  const { store, editor, actions } = context;
  const isListing = useSignal(true);
  const isOpen = store.shown.opened.value !== null;
  useLayoutEffect(() => {
    if (isOpen) isListing.value = false;
  }, [isOpen, editor.document]);
  function toggleList(): void {
    isListing.value = !isListing.value || !isOpen;
  }
  const hidden = isListing.value;
  return (
    <section class="program" aria-label="Toolpath" data-of="teach">
      <Button class="program-title" aria-expanded={isListing.value} onClick={toggleList}>
        {isListing.value || !isOpen ? 'Toolpaths' : 'Program'}
        <Icon name="chevron" />
      </Button>
      <NewerPanel
        {...context}
        save={actions.save}
        wayBack="Replaces what is open; Undo brings yours back"
      />
      <NameField context={context} />
      <LibrarySection context={context} hidden={!isListing.value} />
      <EditBar context={context} hidden={hidden} />
      {/* It scrolls on small windows, also where nothing in it can be focused. */}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is laid out otherwise */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <div class="program-body" role="group" tabIndex={0} aria-label="Program" hidden={hidden}>
        <ProgramTree store={store} query={NO_QUERY} />
      </div>
      <div class="program-forms" hidden={hidden}>
        <StepForms context={context} />
      </div>
      <FinishBar context={context} />
    </section>
  );
}
