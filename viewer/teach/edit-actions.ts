/**
 * Edit actions of the Teach page, shared by buttons and keys, and opening of files for editing. No
 * action moves the arm.
 * A file of format 2 opens unchanged. The server migrates an older file and reports breaking
 * changes. §4.3, §9.
 */

import type { ArmClient } from '../../contract/client.ts';
import type { Joints } from '../../contract/types.ts';
import type { ArmCalls } from '../link/arm-calls.ts';
import type { ArmStore } from '../link/arm-store.ts';
import { failureNotice } from '../link/commands.ts';
import type { NewerVersion } from '../toolpath/newer-version.ts';
import type { RemoteToolpathLibrary } from '../toolpath/toolpath-library.ts';
import type { ToolpathStore } from '../toolpath/toolpath-store.ts';
import type { ToolpathEditor } from './editor.ts';
import type { EditContext, NewAction } from './new-actions.ts';
import { addWaypoint, moveBy, removeAt } from './toolpath-edit.ts';

const LATEST = 2;

interface Json {
  readonly [name: string]: unknown;
}

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The toolpath in a text if it has an older format; otherwise null. */
export function olderToolpath(text: string): Json | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isRecord(value)) return null;
  const held = value['toolpath'];
  const toolpath = isRecord(held) && !('timeline' in value) ? held : value;
  const { metadata } = toolpath;
  if (!isRecord(metadata) || !('timeline' in toolpath)) return null;
  return metadata['version'] === LATEST ? null : toolpath;
}

export interface OpenFileParts {
  readonly store: ToolpathStore;
  readonly editor: ToolpathEditor;
  readonly arm: ArmStore;
  readonly calls: ArmCalls;
}

/** Opens the text of a file for editing. */
async function openToolpathText(parts: OpenFileParts, name: string, text: string): Promise<void> {
  const { store, editor, arm, calls } = parts;
  const origin = { name, id: null };
  const old = olderToolpath(text);
  if (!old) {
    store.open(origin, text);
    return;
  }
  type Body = Parameters<ArmClient['migrateToolpath']>[0];
  const body = { toolpath: old } as Json as Partial<Body> as Body;
  const outcome = await calls.call((client) => client.migrateToolpath(body));
  arm.set({ notice: outcome.ok ? null : failureNotice(outcome.error) });
  if (!outcome.ok) return;
  const { toolpath, breaking_changes } = outcome.value;
  editor.open(origin, toolpath.toolpath, breaking_changes);
}

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

export interface EditActionsParts extends OpenFileParts {
  readonly store: ToolpathStore;
  readonly editor: ToolpathEditor;
  readonly library: RemoteToolpathLibrary;
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
    openText: (name, text) => void openToolpathText(parts, name, text),
  };
}
