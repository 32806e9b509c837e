import { ToolButton } from '../ui/tool-button.tsx';
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
      <ToolButton
        icon="undo"
        label="Undo (Ctrl Z)"
        disabled={!isEdited || !editor.canUndo}
        onClick={() => editor.undo()}
      />
      <ToolButton
        icon="redo"
        label="Redo (Ctrl Shift Z)"
        disabled={!isEdited || !editor.canRedo}
        onClick={() => editor.redo()}
      />
    </>
  );
}
