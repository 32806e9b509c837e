/**
 * The editor of the definition: a form beside the JSON text, with undo over both. The server
 * validates and plans the text shortly after the last key. A list below links every finding to its
 * line.
 */
import { untracked, useSignalEffect } from '@preact/signals';
import type { TargetedKeyboardEvent } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { Button } from '../../ui/buttons.tsx';
import { Icon } from '../../ui/drawn-icon.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { DefinitionForm } from './definition-form.tsx';
import type { DraftHistory } from './draft-history.ts';
import { EditorFindings } from './editor-findings.tsx';
import { EditorState } from './editor-state.ts';
import { JsonEditor } from './json-editor.tsx';
import type { WorkflowProps } from './workflow-props.ts';
import { isChanged, isEdited, type WorkflowState } from './workflow-state.ts';

interface EditorProps extends WorkflowProps {
  readonly history: DraftHistory;
}

const STEPS = [
  ['undo', 'Undo', 'canUndo'],
  ['redo', 'Redo', 'canRedo'],
] as const;

function summary({ checks, draft }: WorkflowState): string {
  const { checked, errors, warnings } = checks.value;
  const count = errors.length;
  if (draft.value.text === '') return 'Write a definition, or open one.';
  if (!checked) return 'Checking';
  if (count > 0) return count === 1 ? '1 error.' : `${count} errors.`;
  if (warnings.length === 0) return 'The definition is valid.';
  return warnings.length === 1 ? 'Valid, 1 warning.' : `Valid, ${warnings.length} warnings.`;
}

/** Undo, redo and save. */
function EditorButtons({ state, actions, history }: EditorProps) {
  const draft = state.draft.value;
  return (
    <div class="form-actions">
      {STEPS.map(([way, label, can]) => (
        <IconButton
          key={way}
          icon={way}
          label={label}
          class="plain square"
          disabled={!history[can].value}
          onClick={() => history.step(way)}
        />
      ))}
      <Button
        disabled={state.busy.value || draft.text === '' || !isChanged(draft)}
        onClick={() => actions.save()}
      >
        <Icon name="save" />
        Save
      </Button>
    </div>
  );
}

/** Checks and plans the text again when another view of the same definition is left for the editor. */
function useCheckOnEntry({ state, actions }: WorkflowProps): void {
  const before = useRef(state.draft.peek().document);
  useSignalEffect(() => {
    const isShown = state.mode.value === 'json';
    untracked(() => {
      const { document, text } = state.draft.value;
      if (isShown && text !== '' && document === before.current) void actions.check(text);
      before.current = document;
    });
  });
}

/** The editor. */
export function EditorPanel({ state, actions, history }: EditorProps) {
  const form = useMemo(() => new EditorState(state, history), [state, history]);
  const checks = state.checks.value;
  useCheckOnEntry({ state, actions });
  useEffect(() => {
    addEventListener('beforeunload', (event) => {
      if (isEdited(state.draft.value)) event.preventDefault();
    });
  }, [state]);
  function press(event: TargetedKeyboardEvent<HTMLElement>): void {
    if (!(event.ctrlKey || event.metaKey)) return;
    const key = event.key.toLowerCase();
    const way = key === 'y' || (key === 'z' && event.shiftKey) ? 'redo' : key === 'z' && 'undo';
    if (key !== 's' && !way) return;
    event.preventDefault();
    // An id that is being typed is taken over first.
    if (event.target instanceof HTMLInputElement) {
      event.target.dispatchEvent(new Event('change', { bubbles: true }));
    }
    if (way) history.step(way);
    else void actions.save();
  }
  return (
    <main class="editor" aria-label="Editor" onKeyDown={press}>
      <DefinitionForm form={form} state={state} />
      <JsonEditor form={form} state={state} history={history} />
      <footer class="editor-bar">
        <p id="editor-summary" role="status" data-wrong={checks.errors.length > 0 ? '' : undefined}>
          {summary(state)}
        </p>
        <p class="sub editor-said" role="status">
          {form.said}
        </p>
        <EditorButtons state={state} actions={actions} history={history} />
      </footer>
      <EditorFindings form={form} checks={checks} />
    </main>
  );
}
