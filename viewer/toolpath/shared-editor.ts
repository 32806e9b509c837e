/** The editor that the pages share. */
import type { ArmStore } from '../link/arm-store.ts';
import { ToolpathEditor } from './toolpath-editor.ts';

/**
 * Creates it. Who opens another toolpath over edits that are not saved is told how they come back;
 * a reload or a closed tab that would lose them is asked about.
 */
export function createSharedEditor(arm: ArmStore): ToolpathEditor {
  const editor = new ToolpathEditor();
  editor.onLeft((name) => {
    const text = `“${name}” has edits that are not saved on the arm. Undo brings it back.`;
    arm.set({ notice: { text, code: '' } });
  });
  addEventListener('beforeunload', (event) => {
    if (editor.hasEdits) event.preventDefault();
  });
  return editor;
}
