import { IconButton } from '../ui/icon-button.tsx';
import type { ToolpathEditor } from './toolpath-editor.ts';

interface UndoButtonsProps {
  readonly editor: ToolpathEditor;
  /** Whether what is shown can be edited. */
  readonly isEdited?: boolean;
}

/** Undo and redo of the edited toolpath. */
export function UndoButtons({ editor, isEdited = true }: UndoButtonsProps) {
  return (
    <>
      <IconButton
        icon="undo"
        label="Undo (Ctrl Z)"
        disabled={!isEdited || !editor.canUndo}
        onClick={() => editor.undo()}
      />
      <IconButton
        icon="redo"
        label="Redo (Ctrl Shift Z)"
        disabled={!isEdited || !editor.canRedo}
        onClick={() => editor.redo()}
      />
    </>
  );
}
