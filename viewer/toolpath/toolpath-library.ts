/**
 * Operations on the arm's toolpaths through the API: open, save and load into the robot; and
 * downloads.
 */
import type { ArmClient } from '../../contract/client.ts';
import { embedDocument } from '../../contract/export-document.ts';
import type { Toolpath, ToolpathHead } from '../../contract/types.ts';
import type { ArmCalls } from '../link/arm-calls.ts';
import type { ArmStore } from '../link/arm-store.ts';
import { type Commands, failureNotice } from '../link/commands.ts';
import { element } from '../panels/element.ts';
import type { ToolpathStore } from './toolpath-store.ts';

/** A saved toolpath and its id on the arm. */
export interface SavedToolpath {
  readonly id: number;
  readonly toolpath: Toolpath;
}

export interface RemoteToolpathLibrary {
  open(head: ToolpathHead): Promise<void>;
  /** The text of a toolpath on the arm; on refusal shows a notice and returns null. */
  read(head: ToolpathHead): Promise<string | null>;
  /**
   * Updates the open toolpath on the arm, or creates a new one from a file; returns null if nothing
   * was saved. One save at a time: a request during another is ignored.
   */
  save(): Promise<SavedToolpath | null>;
  /** Loads the open toolpath into the robot; acquires the lock. */
  loadIntoRobot(): Promise<void>;
  download(): void;
  /** Downloads a single-file page that shows the open toolpath offline. */
  exportPage(): Promise<void>;
}

export interface ToolpathLibraryParts {
  readonly store: ToolpathStore;
  readonly arm: ArmStore;
  readonly calls: ArmCalls;
  readonly commands: Commands;
}

function saveAs(name: string, text: string, type: string): void {
  const href = URL.createObjectURL(new Blob([text], { type }));
  element('a', { href, download: name }).click();
  URL.revokeObjectURL(href);
}

class ArmLibrary implements RemoteToolpathLibrary {
  private readonly parts: ToolpathLibraryParts;
  private latestOpen = 0;
  private saving = false;

  constructor(parts: ToolpathLibraryParts) {
    this.parts = parts;
  }

  async open(head: ToolpathHead): Promise<void> {
    const number = ++this.latestOpen;
    const text = await this.read(head);
    // Only the last chosen toolpath opens.
    if (text && number === this.latestOpen)
      this.parts.store.open({ name: head.name, id: head.id }, text);
  }

  async read({ id }: ToolpathHead): Promise<string | null> {
    const outcome = await this.callOrNotify((client) => client.getToolpath({ toolpath_id: id }));
    return outcome && JSON.stringify(outcome.toolpath.toolpath);
  }

  async save(): Promise<SavedToolpath | null> {
    const { store } = this.parts;
    const { origin, opened } = store.view();
    if (!origin || !opened || this.saving) return null;
    this.saving = true;
    const body = { name: origin.name, toolpath: opened.toolpath };
    const outcome = await this.callOrNotify((client) =>
      origin.id === null
        ? client.createToolpath(body)
        : client.updateToolpath({ toolpath_id: origin.id }, body),
    );
    this.saving = false;
    if (!outcome) return null;
    const { id } = outcome.toolpath;
    // Another toolpath with its own id may be open by now.
    if (store.view().origin === origin) store.set({ origin: { ...origin, id } });
    return { id, toolpath: opened.toolpath };
  }

  async loadIntoRobot(): Promise<void> {
    const { store, commands } = this.parts;
    const { origin, opened } = store.view();
    if (!origin || !opened || !(await commands.acquireLock())) return;
    const { name } = origin;
    await this.callOrNotify((client) =>
      client.useUnsavedToolpath({ name, toolpath: opened.toolpath }),
    );
  }

  download(): void {
    const { origin, opened } = this.parts.store.view();
    if (!origin || !opened) return;
    const text = `${JSON.stringify(opened.toolpath, null, 2)}\n`;
    saveAs(`${origin.name}.json`, text, 'application/json');
  }

  async exportPage(): Promise<void> {
    const { origin, opened } = this.parts.store.view();
    if (!origin || !opened) return;
    const response = await fetch('export.html').catch(() => null);
    if (!response?.ok) {
      const text = 'Export failed: the server does not provide export.html. Rebuild the viewer.';
      this.parts.arm.set({ notice: { text, code: '' } });
      return;
    }
    const text = JSON.stringify(opened.toolpath);
    const version = response.headers.get('X-Armtwin')?.split(';')[0] ?? '';
    const made_by = `armtwin ${version}`.trim();
    const shown = { kind: 'toolpath', name: origin.name, made_by, text } as const;
    saveAs(`${origin.name}.html`, embedDocument(await response.text(), shown), 'text/html');
  }

  /** Returns the reply of a call; on refusal shows a notice and returns null. */
  private async callOrNotify<Reply>(
    call: (client: ArmClient) => Promise<Reply>,
  ): Promise<Reply | null> {
    const outcome = await this.parts.calls.call(call);
    this.parts.arm.set({ notice: outcome.ok ? null : failureNotice(outcome.error) });
    return outcome.ok ? outcome.value : null;
  }
}

/** Creates the library for the arm that `calls` reach. */
export function createToolpathLibrary(parts: ToolpathLibraryParts): RemoteToolpathLibrary {
  return new ArmLibrary(parts);
}
