import type { ComponentChildren } from 'preact';
import type { Toolpath } from '../../../contract/types.generated.ts';
import type { ToolpathEditor } from '../../toolpath/toolpath-editor.ts';

interface EditFormProps {
  readonly editor: ToolpathEditor;
  /** The fields; each sets the changed toolpath. */
  readonly children: (set: (toolpath: Toolpath) => void) => ComponentChildren;
}

/** Fields that edit the open toolpath. What is typed into one is one step of undo. */
export function EditForm({ editor, children }: EditFormProps) {
  const set = (toolpath: Toolpath) =>
    editor.change((_, selected) => ({ toolpath, selected }), 'field');
  const settle = () => editor.settle();
  return (
    <div class="form-fields" onChange={settle} onFocusOut={settle}>
      {children(set)}
    </div>
  );
}
