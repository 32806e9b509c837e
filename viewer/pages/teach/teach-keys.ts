/** The keys of the Teach page. */

import { pressKey } from '../../toolpath/timeline/playback-keys.ts';
import type { ToolpathEditor } from '../../toolpath/toolpath-editor.ts';
import type { ToolpathStore } from '../../toolpath/toolpath-store.ts';
import type { EditActions } from './edit-actions.ts';
import type { Gizmo } from './gizmo.ts';

/** What the keyboard shortcuts act on. Only Shift M moves the arm; its button says so. */
interface TeachKeysParts {
  readonly store: ToolpathStore;
  readonly editor: ToolpathEditor;
  readonly actions: EditActions;
  /** Moves the arm to the ghost, if allowed. */
  readonly moveHere: () => void;
  readonly gizmo: Pick<Gizmo, 'escape'>;
}

type KeyAction = (parts: TeachKeysParts) => void;

const KEY_ACTIONS: Readonly<Record<string, KeyAction>> = {
  'ctrl+z': ({ editor }) => editor.undo(),
  'ctrl+shift+z': ({ editor }) => editor.redo(),
  'ctrl+y': ({ editor }) => editor.redo(),
  'alt+arrowup': ({ actions }) => actions.move(-1),
  'alt+arrowdown': ({ actions }) => actions.move(1),
  'ctrl+s': ({ actions }) => void actions.save(),
  w: ({ actions }) => actions.addWaypoint(),
  'shift+w': ({ actions }) => actions.addArmPose(),
  'shift+m': ({ moveHere }) => moveHere(),
  delete: ({ actions }) => actions.remove(),
  backspace: ({ actions }) => actions.remove(),
};

/** Whether keys go into a text field. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element && target.matches('input:not([type=checkbox]), select, textarea')
  );
}

/** Name of a key press; Ctrl and the command key are equal. */
function nameOf({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): string {
  const parts = [ctrlKey || metaKey ? 'ctrl+' : '', altKey ? 'alt+' : '', shiftKey ? 'shift+' : ''];
  return parts.join('') + key.toLowerCase();
}

/** Runs the action of a key press. */
export function pressTeachKey(parts: TeachKeysParts, event: KeyboardEvent): void {
  if (event.key === 'Escape' && parts.gizmo.escape()) return;
  const name = nameOf(event);
  const saves = name === 'ctrl+s';
  if (isTyping(event.target) && !saves) return;
  const action = KEY_ACTIONS[name];
  if (action) {
    action(parts);
    event.preventDefault();
  } else if (name !== 'g' && name !== '/') pressKey(parts.store, event, () => undefined);
}
