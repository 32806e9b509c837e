/**
 * Opening a file to edit it. Format 2 is opened as it is; an older one is brought to it by the arm
 * itself, which says what may now behave differently. Spec 4.3, 9.
 */
import type { ArmClient } from '../../contract/client.ts';
import type { ArmCalls } from '../link/arm-calls.ts';
import type { ArmStore } from '../link/arm-store.ts';
import { noticeOf } from '../link/commands.ts';
import type { ToolpathStore } from '../toolpath/toolpath-store.ts';
import type { Editor } from './editor.ts';

const LATEST = 2;

interface Json {
  readonly [name: string]: unknown;
}

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The toolpath of an older format in a text; null where it is of the latest, or none at all. */
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

export interface OpeningParts {
  readonly store: ToolpathStore;
  readonly editor: Editor;
  readonly arm: ArmStore;
  readonly calls: ArmCalls;
}

/** Opens the text of a file. */
export async function openText(parts: OpeningParts, name: string, text: string): Promise<void> {
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
  arm.set({ notice: outcome.ok ? null : noticeOf(outcome.error) });
  if (!outcome.ok) return;
  const { toolpath, breaking_changes } = outcome.value;
  editor.open(origin, toolpath.toolpath, breaking_changes);
}
