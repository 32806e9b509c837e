/**
 * Opens a file for editing. A file of format 2 opens unchanged. The server migrates an older file
 * and reports breaking changes. §4.3, §9.
 */

import type { ArmClient } from '../../../contract/client.ts';
import type { ArmCalls } from '../../link/arm-calls.ts';
import type { ArmStore } from '../../link/arm-store.ts';
import { failureNotice } from '../../link/failure-notice.ts';
import { isRecord, type JsonObject, toolpathObject } from '../../toolpath/toolpath-object.ts';
import type { ToolpathStore } from '../../toolpath/toolpath-store.ts';
import type { ToolpathEditor } from './toolpath-editor.ts';

const LATEST = 2;

/** The toolpath in a text if it has an older format; otherwise null. */
export function olderToolpath(text: string): JsonObject | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const toolpath = toolpathObject(value);
  const metadata = toolpath?.['metadata'];
  if (!toolpath || !isRecord(metadata) || !('timeline' in toolpath)) return null;
  return metadata['version'] === LATEST ? null : toolpath;
}

export interface OpenFileParts {
  readonly store: ToolpathStore;
  readonly editor: ToolpathEditor;
  readonly arm: ArmStore;
  readonly calls: ArmCalls;
}

/** Opens the text of a file for editing. */
export async function openToolpathText(
  parts: OpenFileParts,
  name: string,
  text: string,
): Promise<void> {
  const { store, editor, arm, calls } = parts;
  const origin = { name, id: null };
  const old = olderToolpath(text);
  if (!old) {
    store.open(origin, text);
    return;
  }
  type Body = Parameters<ArmClient['migrateToolpath']>[0];
  const body = { toolpath: old } as JsonObject as Partial<Body> as Body;
  const outcome = await calls.call((client) => client.migrateToolpath(body));
  arm.set({ notice: outcome.ok ? null : failureNotice(outcome.error) });
  if (!outcome.ok) return;
  const { toolpath, breaking_changes } = outcome.value;
  editor.open(origin, toolpath.toolpath, breaking_changes);
}
