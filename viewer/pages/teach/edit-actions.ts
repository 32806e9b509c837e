/** Edit actions of the Teach page, shared by buttons and keys. No action moves the arm. */

import type { Joints } from '../../../contract/types.generated.ts';
import type { ArmStore } from '../../link/arm-store.ts';
import type { NewerVersion } from '../../toolpath/newer-version.ts';
import { addWaypoint, moveBy, removeAt } from '../../toolpath/toolpath-edit.ts';
import type { ToolpathEditor } from '../../toolpath/toolpath-editor.ts';
import type { ToolpathLibrary } from '../../toolpath/toolpath-library.ts';
import type { ToolpathStore } from '../../toolpath/toolpath-store.ts';
import type { EditContext, NewAction } from './new-actions.ts';

export interface EditActions {
  /** Context of an addition; null while no toolpath is open. */
  readonly context: () => EditContext | null;
  readonly add: (row: NewAction) => void;
  /** Adds the target pose. It equals the arm's pose while the ghost is attached. */
  readonly addWaypoint: () => void;
  /** Adds the arm's measured pose, wherever the ghost is. */
  readonly addArmPose: () => void;
  readonly move: (by: 1 | -1) => void;
  readonly remove: () => void;
  /** Saves; over a version of someone else only if it is the one given. */
  readonly save: (over?: NewerVersion) => Promise<void>;
  readonly load: () => Promise<boolean>;
  readonly openText: (name: string, text: string) => void;
}

export interface EditActionsParts {
  readonly store: ToolpathStore;
  readonly editor: ToolpathEditor;
  readonly library: ToolpathLibrary;
  readonly arm: ArmStore;
  /** Joint angles of the target pose (rad). */
  readonly targetJoints: () => Joints;
}

/** Joint angles rounded to 1e-6 rad, without the noise of telemetry. */
function rounded(joints: Joints): Joints {
  return joints.map((angle) => Math.round(angle * 1e6) / 1e6) as Joints;
}

/** Creates the actions for the toolpath in `editor`. */
export function createEditActions(parts: EditActionsParts): EditActions {
  const { store, editor, library, arm, targetJoints } = parts;
  function context(): EditContext | null {
    const { toolpath } = editor;
    const { selected } = store.view();
    return toolpath && { toolpath, selected, joints: rounded(targetJoints()) };
  }
  function add(joints: Joints): void {
    if (!editor.toolpath) editor.openNew();
    editor.change((toolpath, selected) =>
      addWaypoint(toolpath, { joints: rounded(joints), selected }),
    );
  }
  return {
    context,
    add: ({ add: edit }) => editor.change(() => edit(context()!)),
    addWaypoint: () => add(targetJoints()),
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
    async save(over) {
      const { document } = editor;
      const saved = await library.save(over);
      if (saved && document !== null) editor.markSaved(document, saved);
    },
    load: () => library.loadIntoRobot(),
    openText: (name, text) => store.open({ name, id: null }, text),
  };
}
