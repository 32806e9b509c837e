/** What the page does with the arm's toolpaths over the API: open, save, use; and download. */
import type { ArmClient } from '../../contract/client.ts';
import { embedDocument } from '../../contract/export-document.ts';
import type { Toolpath, ToolpathHead } from '../../contract/types.ts';
import type { ArmCalls } from '../link/arm-calls.ts';
import type { ArmStore } from '../link/arm-store.ts';
import { type Commands, noticeOf } from '../link/commands.ts';
import { element } from '../panels/element.ts';
import type { ToolpathStore } from './toolpath-store.ts';

/** What the arm has taken, and under which number. */
export interface Saved {
  readonly id: number;
  readonly toolpath: Toolpath;
}

export interface Library {
  open(head: ToolpathHead): Promise<void>;
  /** The text of a toolpath on the arm; null after its refusal has become a notice. */
  read(head: ToolpathHead): Promise<string | null>;
  /**
   * Changes the toolpath on the arm that is open, or makes a new one of a file; null where nothing
   * was saved. One at a time: what is asked during another is not done.
   */
  save(): Promise<Saved | null>;
  /** Loads what is open into the robot; takes the lock. */
  use(): Promise<void>;
  download(): void;
  /** Downloads a page of one file that shows what is open, from disk and without a network. */
  exportPage(): Promise<void>;
}

export interface LibraryParts {
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

class ArmLibrary implements Library {
  private readonly parts: LibraryParts;
  private asked = 0;
  private saving = false;

  constructor(parts: LibraryParts) {
    this.parts = parts;
  }

  async open(head: ToolpathHead): Promise<void> {
    const number = ++this.asked;
    const text = await this.read(head);
    // The one that was chosen last is the one that is meant.
    if (text && number === this.asked)
      this.parts.store.open({ name: head.name, id: head.id }, text);
  }

  async read({ id }: ToolpathHead): Promise<string | null> {
    const outcome = await this.ask((client) => client.getToolpath({ toolpath_id: id }));
    return outcome && JSON.stringify(outcome.toolpath.toolpath);
  }

  async save(): Promise<Saved | null> {
    const { store } = this.parts;
    const { origin, opened } = store.view();
    if (!origin || !opened || this.saving) return null;
    this.saving = true;
    const body = { name: origin.name, toolpath: opened.toolpath };
    const outcome = await this.ask((client) =>
      origin.id === null
        ? client.createToolpath(body)
        : client.updateToolpath({ toolpath_id: origin.id }, body),
    );
    this.saving = false;
    if (!outcome) return null;
    const { id } = outcome.toolpath;
    // By now another may be open, which has a number of its own.
    if (store.view().origin === origin) store.set({ origin: { ...origin, id } });
    return { id, toolpath: opened.toolpath };
  }

  async use(): Promise<void> {
    const { store, commands } = this.parts;
    const { origin, opened } = store.view();
    if (!origin || !opened || !(await commands.takeLock())) return;
    const { name } = origin;
    await this.ask((client) => client.useUnsavedToolpath({ name, toolpath: opened.toolpath }));
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
      const words = 'The page to export into cannot be had from the server. Build it anew.';
      this.parts.arm.set({ notice: { text: words, code: '' } });
      return;
    }
    const text = JSON.stringify(opened.toolpath);
    const version = response.headers.get('X-Armtwin')?.split(';')[0] ?? '';
    const made_by = `armtwin ${version}`.trim();
    const shown = { kind: 'toolpath', name: origin.name, made_by, text } as const;
    saveAs(`${origin.name}.html`, embedDocument(await response.text(), shown), 'text/html');
  }

  /** The reply of a call, or null after its refusal has become a notice. */
  private async ask<Reply>(act: (client: ArmClient) => Promise<Reply>): Promise<Reply | null> {
    const outcome = await this.parts.calls.call(act);
    this.parts.arm.set({ notice: outcome.ok ? null : noticeOf(outcome.error) });
    return outcome.ok ? outcome.value : null;
  }
}

/** The arm's toolpaths behind `calls`. */
export function createLibrary(parts: LibraryParts): Library {
  return new ArmLibrary(parts);
}
