/** The keys of the Teach page. Only Shift M moves the arm, and says so on its button. */
import { pressKey } from '../toolpath/plan-keys.ts';
import type { ToolpathStore } from '../toolpath/toolpath-store.ts';
import type { EditActs } from './edit-acts.ts';
import type { Editor } from './editor.ts';
import type { Gizmo } from './gizmo.ts';

export interface TeachKeysParts {
  readonly store: ToolpathStore;
  readonly editor: Editor;
  readonly acts: EditActs;
  /** Takes the arm to the ghost, where that is allowed. */
  readonly moveHere: () => void;
  readonly gizmo: Pick<Gizmo, 'escape'>;
}

type Act = (parts: TeachKeysParts) => void;

const ACTS: Readonly<Record<string, Act>> = {
  'ctrl+z': ({ editor }) => editor.undo(),
  'ctrl+shift+z': ({ editor }) => editor.redo(),
  'ctrl+y': ({ editor }) => editor.redo(),
  'alt+arrowup': ({ acts }) => acts.move(-1),
  'alt+arrowdown': ({ acts }) => acts.move(1),
  'ctrl+s': ({ acts }) => void acts.save(),
  w: ({ acts }) => acts.addWaypoint(),
  'shift+w': ({ acts }) => acts.addArmPose(),
  'shift+m': ({ moveHere }) => moveHere(),
  delete: ({ acts }) => acts.remove(),
  backspace: ({ acts }) => acts.remove(),
};

/** Whether keys go into the text of the element that has the focus. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element && target.matches('input:not([type=checkbox]), select, textarea')
  );
}

/** The name of a key press, Ctrl and the command key alike. */
function nameOf({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): string {
  const parts = [ctrlKey || metaKey ? 'ctrl+' : '', altKey ? 'alt+' : '', shiftKey ? 'shift+' : ''];
  return parts.join('') + key.toLowerCase();
}

/** Does what a key says. */
export function pressTeachKey(parts: TeachKeysParts, event: KeyboardEvent): void {
  if (event.key === 'Escape' && parts.gizmo.escape()) return;
  const name = nameOf(event);
  const saves = name === 'ctrl+s';
  if (isTyping(event.target) && !saves) return;
  const act = ACTS[name];
  if (act) {
    act(parts);
    event.preventDefault();
  } else if (name !== 'g' && name !== '/') pressKey(parts.store, event, () => undefined);
}
