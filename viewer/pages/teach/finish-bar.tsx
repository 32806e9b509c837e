import { useComputed } from '@preact/signals';
import { loadReason } from '../../shell/motion-reasons.ts';
import { isUnbegun } from '../../toolpath/toolpath-edit.ts';
import { Button } from '../../ui/buttons.tsx';
import { Icon } from '../../ui/drawn-icon.tsx';
import type { TeachProps } from './teach-context.ts';

/** What the button to save says of what is open. */
function savedText(isUnsaved: boolean, isInMemory: boolean): string {
  if (isUnsaved) return 'These edits are not saved on the arm';
  return isInMemory ? 'Saved in memory: gone when the twin stops' : 'Saved';
}

/** Buttons to add a pose, to save, and to load the toolpath into the robot. */
export function FinishBar({ context }: TeachProps) {
  const { store, editor, actions, robot } = context;
  const opened = store.shown.opened.value;
  const problems = store.shown.problems.value;
  const isSaving = store.shown.saving.value;
  const isLive = useComputed(() => robot.value.link === 'live').value;
  const isInMemory = useComputed(() => robot.value.isInMemory).value;
  const robotReason = useComputed(() => loadReason(robot.value)).value;
  const isFaulty = problems.length > 0 || opened?.findings.some(({ kind }) => kind === 'error');
  const wrong =
    opened && isUnbegun(opened.toolpath) ? 'Add a waypoint first' : 'Fix the errors first';
  const reason = isFaulty ? wrong : robotReason;
  return (
    <footer class="program-actions">
      <Button class="plain wide" disabled={!opened} onClick={() => actions.addWaypoint()}>
        <Icon name="hand" />
        Add waypoint
        <kbd>W</kbd>
      </Button>
      <Button
        disabled={!isLive || !opened || problems.length > 0}
        title={savedText(editor.unsaved, isInMemory)}
        data-unsaved={editor.unsaved ? '' : undefined}
        // It keeps the focus while a save is on its way.
        aria-busy={isSaving ? 'true' : undefined}
        onClick={() => void actions.save()}
      >
        <Icon name="save" />
        <span>{isSaving ? 'Saving…' : 'Save'}</span>
      </Button>
      <Button
        disabled={!opened || store.shown.busy.value || reason !== ''}
        title={reason || undefined}
        onClick={() => void actions.load()}
      >
        Load
      </Button>
    </footer>
  );
}
