/**
 * What buttons and keys of the Teach page do to the toolpath, in one place for both. Nothing here
 * moves the arm.
 */
import type { Joints } from '../../contract/types.ts';
import type { ArmStore } from '../link/arm-store.ts';
import type { Library } from '../toolpath/library.ts';
import type { ToolpathStore } from '../toolpath/toolpath-store.ts';
import type { Editor } from './editor.ts';
import type { Desk, NewAction } from './new-actions.ts';
import { type OpeningParts, openText } from './opening.ts';
import { addWaypoint, moveBy, removeAt } from './toolpath-edit.ts';

export interface EditActs {
  /** What an addition is made from; null while nothing is open. */
  readonly desk: () => Desk | null;
  readonly add: (row: NewAction) => void;
  /** Adds the taught pose, which is the arm's while the ghost does not stand apart. */
  readonly addWaypoint: () => void;
  /** Adds the pose of the arm, wherever the ghost stands. */
  readonly addArmPose: () => void;
  readonly move: (by: 1 | -1) => void;
  readonly remove: () => void;
  readonly save: () => Promise<void>;
  readonly use: () => Promise<void>;
  readonly openText: (name: string, text: string) => void;
}

export interface EditActsParts extends OpeningParts {
  readonly store: ToolpathStore;
  readonly editor: Editor;
  readonly library: Library;
  readonly arm: ArmStore;
  /** The pose that is taught (rad). */
  readonly taught: () => Joints;
}

/** Joint angles without the noise of telemetry beyond a millionth of a radian. */
function rounded(joints: Joints): Joints {
  return joints.map((angle) => Math.round(angle * 1e6) / 1e6) as Joints;
}

/** The acts on what `editor` holds. */
export function createEditActs(parts: EditActsParts): EditActs {
  const { store, editor, library, arm, taught } = parts;
  function desk(): Desk | null {
    const { toolpath } = editor;
    const { selected } = store.view();
    return toolpath && { toolpath, selected, joints: rounded(taught()) };
  }
  function add(joints: Joints): void {
    if (!editor.toolpath) editor.openNew();
    editor.change((toolpath, selected) =>
      addWaypoint(toolpath, { joints: rounded(joints), selected }),
    );
  }
  return {
    desk,
    add: ({ add: edit }) => editor.change(() => edit(desk()!)),
    addWaypoint: () => add(taught()),
    addArmPose() {
      const joints = arm.view().snapshot?.['servos.telemetry.position'];
      if (joints) add(joints);
    },
    move: (by) =>
      editor.change((toolpath, selected) =>
        selected ? moveBy(toolpath, selected, by) : { toolpath, selected },
      ),
    remove: () =>
      editor.change((toolpath, selected) =>
        selected ? removeAt(toolpath, selected.replace(/\/else$/, '')) : { toolpath, selected },
      ),
    async save() {
      const { document } = editor;
      const saved = await library.save();
      if (saved && document !== null) editor.keep(document, saved);
    },
    use: () => library.use(),
    openText: (name, text) => void openText(parts, name, text),
  };
}
