/** The toolpaths of the arm through the API: open, save and load into the robot. */

import type { ArmClient } from '../../contract/client.ts';
import type { Toolpath, ToolpathHead } from '../../contract/types.generated.ts';
import type { ArmCalls } from '../link/arm-calls.ts';
import type { ArmStore } from '../link/arm-store.ts';
import type { Notice } from '../link/arm-view.ts';
import { isPassing } from '../link/call-failure.ts';
import type { Commands } from '../link/commands.ts';
import { failureNotice } from '../link/failure-notice.ts';
import { saveFile } from '../ui/user-file.ts';
import { downloadPage } from './download-page.ts';
import { followArm } from './follow-arm.ts';
import { baseOf, type NewerVersion, noteSavedHere, VersionWatch } from './newer-version.ts';
import type { ToolpathStore } from './toolpath-store.ts';
import type { ToolpathOrigin } from './toolpath-view.ts';

/** A saved toolpath and its id on the arm. */
export interface SavedToolpath {
  readonly origin: ToolpathOrigin;
  readonly toolpath: Toolpath;
}

export interface ToolpathLibraryParts {
  readonly store: ToolpathStore;
  readonly arm: ArmStore;
  readonly calls: ArmCalls;
  readonly commands: Commands;
}
/** Pause before the arm is asked again for what a link names. */
const RETRY_MS = 1000;

const NOT_COMPARED: Notice = {
  text: 'Nothing is saved: the arm did not say whether someone else changed this toolpath.',
  code: '',
};

/** The toolpaths of the arm that `calls` reach, for which the store builds. */
export class ToolpathLibrary {
  private readonly parts: ToolpathLibraryParts;
  private latestOpen = 0;

  readonly versions: VersionWatch;

  constructor(parts: ToolpathLibraryParts) {
    followArm(parts.store, parts.arm);
    this.parts = parts;
    this.versions = new VersionWatch(parts);
  }

  async open({ id }: ToolpathHead): Promise<void> {
    const number = ++this.latestOpen;
    const outcome = await this.callOrNotify((client) => client.getToolpath({ toolpath_id: id }));
    // Only the last chosen toolpath opens.
    if (outcome && number === this.latestOpen) this.openSaved(outcome.toolpath);
  }

  private openSaved(saved: ToolpathHead & { readonly toolpath: Toolpath }): void {
    const { id, name, toolpath } = saved;
    this.parts.store.open({ name, id, base: baseOf(saved) }, JSON.stringify(toolpath));
  }

  /** Opens the text of a file; what is still on its way from the arm does not open. */
  openFile(name: string, text: string): void {
    this.forgetOpening();
    this.parts.store.open({ name, id: null }, text);
  }

  /** What is still on its way does not open. */
  forgetOpening(): void {
    this.latestOpen += 1;
  }

  /** Opens a toolpath by its id, as a link names it; says so where it is gone. */
  async openById(id: number): Promise<void> {
    const number = ++this.latestOpen;
    const { arm } = this.parts;
    const outcome = await this.readOf(id, () => number !== this.latestOpen);
    if (number !== this.latestOpen) return;
    if (outcome.ok) {
      this.openSaved(outcome.value.toolpath);
      return;
    }
    const text = `Toolpath ${id} of this link is deleted or not yours. Choose another.`;
    const { error } = outcome;
    const isGone = error.kind === 'refused' && !isPassing(error);
    arm.set({ notice: isGone ? { text, code: '' } : failureNotice(error) });
  }

  /** Reads what a link names, also where the robot responds only after a while. */
  private async readOf(id: number, isOver: () => boolean) {
    const { arm, calls } = this.parts;
    const text = `Toolpath ${id} of this link opens as soon as the robot responds.`;
    const waiting: Notice = { text, code: '' };
    const read = () => calls.call((client) => client.getToolpath({ toolpath_id: id }));
    let outcome = await read();
    while (!outcome.ok && outcome.error.kind === 'unreachable' && !isOver()) {
      if (arm.view().notice !== waiting) arm.set({ notice: waiting });
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      if (!isOver()) outcome = await read();
    }
    if (arm.view().notice === waiting) arm.set({ notice: null });
    return outcome;
  }

  /** The text of a toolpath on the arm; on refusal shows a notice and returns null. */
  async read({ id }: ToolpathHead): Promise<string | null> {
    const outcome = await this.parts.calls.call((client) =>
      client.getToolpath({ toolpath_id: id }),
    );
    // The list reads in the background: a success leaves the notice of something else.
    if (outcome.ok) return JSON.stringify(outcome.value.toolpath.toolpath);
    this.parts.arm.set({ notice: failureNotice(outcome.error) });
    return null;
  }

  /** Updates the open toolpath on the arm, or creates a new one from a file; returns null if nothing
   * was saved. One save at a time: while one is on its way the view is `saving`, and a request for
   * another is ignored. A version of someone else is replaced only when it is the one in `over`,
   * which was shown to the user; a deleted one is created again.
   */
  async save(over?: NewerVersion): Promise<SavedToolpath | null> {
    const { store } = this.parts;
    const { origin, opened, saving } = store.view();
    if (!origin || !opened || saving) return null;
    store.set({ saving: true });
    this.versions.setSaving(true);
    try {
      return (await this.isFreeToSave(over)) ? await this.put(origin, opened.toolpath) : null;
    } finally {
      store.set({ saving: false });
      this.versions.setSaving(false);
    }
  }

  /** Whether a save replaces no version that was not shown to the user. */
  private async isFreeToSave(over?: NewerVersion): Promise<boolean> {
    const found = await this.versions.check();
    const known = over !== undefined && this.versions.newer() === over;
    if (found === 'unknown') this.parts.arm.set({ notice: NOT_COMPARED });
    return found === 'same' || (found === 'newer' && known);
  }

  private async put(origin: ToolpathOrigin, toolpath: Toolpath): Promise<SavedToolpath | null> {
    const { store } = this.parts;
    const { name, id } = origin;
    const body = { name, toolpath };
    const isGone = this.versions.newer()?.base === null;
    const outcome = await this.callOrNotify((client) =>
      id === null || isGone
        ? client.createToolpath(body)
        : client.updateToolpath({ toolpath_id: id }, body),
    );
    if (!outcome) return null;
    noteSavedHere(outcome.toolpath.hash);
    const saved = { ...origin, id: outcome.toolpath.id, base: baseOf(outcome.toolpath) };
    // Another toolpath with its own id may be open by now.
    const { origin: now, opened, edited } = store.view();
    const isSame = opened?.toolpath === toolpath;
    if (now === origin) store.set({ origin: saved, edited: edited && !isSame });
    return { origin: saved, toolpath };
  }

  /** Loads the open toolpath into the robot; acquires the lock. False if that was refused. */
  async loadIntoRobot(): Promise<boolean> {
    const { store, commands } = this.parts;
    const { origin, opened } = store.view();
    if (!origin || !opened || !(await commands.acquireLock())) return false;
    const { name } = origin;
    const reply = await this.callOrNotify((client) =>
      client.useUnsavedToolpath({ name, toolpath: opened.toolpath }),
    );
    return reply !== null;
  }

  download(): void {
    const { origin, opened } = this.parts.store.view();
    if (!origin || !opened) return;
    const text = `${JSON.stringify(opened.toolpath, null, 2)}\n`;
    saveFile(`${origin.name}.json`, text, 'application/json');
  }

  /** Downloads a single-file page that shows the open toolpath offline. */
  async exportPage(): Promise<void> {
    const { origin, opened, profile, cell } = this.parts.store.view();
    if (!origin || !opened) return;
    const text = JSON.stringify(opened.toolpath);
    const about = { kind: 'toolpath', name: origin.name, made_by: 'armtwin', text } as const;
    const around = { ...(profile && { profile }), ...(cell && { cell }) };
    await downloadPage(this.parts.arm, origin.name, { ...about, ...around });
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
