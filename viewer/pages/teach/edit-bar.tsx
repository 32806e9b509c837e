import { UndoButtons } from '../../toolpath/undo-buttons.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { AddMenu } from './add-menu.tsx';
import type { TeachProps } from './teach-context.ts';

/** Actions on the selected step, undo and redo. */
export function EditBar({ context, hidden }: TeachProps & { readonly hidden: boolean }) {
  const { store, editor, actions } = context;
  const isNone = store.shown.selected.value === null || store.shown.opened.value === null;
  const tools = [
    { icon: 'up', label: 'Move the step up (Alt ↑)', act: () => actions.move(-1) },
    { icon: 'down', label: 'Move the step down (Alt ↓)', act: () => actions.move(1) },
    { icon: 'remove', label: 'Remove the step (Delete)', act: actions.remove },
  ] as const;
  return (
    <div class="edit-bar" role="toolbar" aria-label="Edit" hidden={hidden}>
      <AddMenu context={context} />
      {tools.map(({ icon, label, act }) => (
        <IconButton key={icon} icon={icon} label={label} disabled={isNone} onClick={act} />
      ))}
      <UndoButtons editor={editor} />
    </div>
  );
}
