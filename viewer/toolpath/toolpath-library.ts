/**
 * Operations on the arm's toolpaths through the API: open, save and load into the robot; and
 * downloads.
 */
import type { ArmClient } from '../../contract/client.ts';
import { type ExportDocument, embedDocument } from '../../contract/export-document.ts';
import type { Toolpath, ToolpathHead } from '../../contract/types.ts';
import { hashToolpath } from '../../physics/toolpath/hash.ts';
import { type ArmCalls, isPassing } from '../link/arm-calls.ts';
import type { ArmStore, ArmView, Notice } from '../link/arm-store.ts';
import { type Commands, failureNotice } from '../link/commands.ts';
import { element } from '../panels/element.ts';
import {
  baseOf,
  type NewerVersion,
  noteSavedHere,
  type VersionWatch,
  watchVersions,
} from './newer-version.ts';
import type { ToolpathOrigin, ToolpathStore, ToolpathView } from './toolpath-store.ts';

/** A saved toolpath and its id on the arm. */
export interface SavedToolpath {
  readonly origin: ToolpathOrigin;
  readonly toolpath: Toolpath;
}

export interface RemoteToolpathLibrary {
  open(head: ToolpathHead): Promise<void>;
  /** Opens a toolpath by its id, as a link names it; says so where it is gone. */
  openById(id: number): Promise<void>;
  /** Opens the text of a file; what is still on its way from the arm does not open. */
  openFile(name: string, text: string): void;
  /** What is still on its way does not open. */
  forgetOpening(): void;
  /** The text of a toolpath on the arm; on refusal shows a notice and returns null. */
  read(head: ToolpathHead): Promise<string | null>;
  /**
   * Updates the open toolpath on the arm, or creates a new one from a file; returns null if nothing
   * was saved. One save at a time: while one is on its way the view is `saving`, and a request for
   * another is ignored. A version of someone else is replaced only when it is the one in `over`,
   * which was shown to the user; a deleted one is created again.
   */
  save(over?: NewerVersion): Promise<SavedToolpath | null>;
  readonly versions: VersionWatch;
  /** Loads the open toolpath into the robot; acquires the lock. False if that was refused. */
  loadIntoRobot(): Promise<boolean>;
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

const HTTP_NOT_FOUND = 404;
/** Pause before the arm is asked again for what a link names. */
const RETRY_MS = 1000;

/** Why the server did not send the page of an export, and what to do. */
function exportProblem(response: Response | null): string {
  if (response?.status === HTTP_NOT_FOUND) {
    return 'Export failed: the server does not provide export.html. Rebuild the viewer.';
  }
  const cause = response && !response.ok ? `refused (HTTP ${response.status})` : 'did not respond';
  return `Export failed: the server ${cause}. Check the connection, then try again.`;
}

/** Downloads a single-file page that shows a document offline; a failure becomes a notice. */
export async function downloadPage(
  arm: ArmStore,
  file: string,
  document: ExportDocument,
): Promise<void> {
  const response = await fetch('export.html').catch(() => null);
  // A connection may also be lost in the middle of the page.
  const template = response?.ok ? await response.text().catch(() => null) : null;
  if (!response || template === null) {
    const text = exportProblem(response);
    arm.set({ notice: { text, code: '' } });
    return;
  }
  const version = response.headers.get('X-Armtwin')?.split(';')[0] ?? '';
  const made_by = document.made_by.replace('armtwin', `armtwin ${version}`.trim());
  const page = embedDocument(template, { ...document, made_by });
  saveAs(`${file}.html`, page, 'text/html');
}

const NOT_COMPARED: Notice = {
  text: 'Nothing is saved: the arm did not say whether someone else changed this toolpath.',
  code: '',
};

class ArmLibrary implements RemoteToolpathLibrary {
  private readonly parts: ToolpathLibraryParts;
  private latestOpen = 0;

  readonly versions: VersionWatch;

  constructor(parts: ToolpathLibraryParts) {
    this.parts = parts;
    this.versions = watchVersions(parts);
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

  openFile(name: string, text: string): void {
    this.forgetOpening();
    this.parts.store.open({ name, id: null }, text);
  }

  forgetOpening(): void {
    this.latestOpen += 1;
  }

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

  async read({ id }: ToolpathHead): Promise<string | null> {
    const outcome = await this.parts.calls.call((client) =>
      client.getToolpath({ toolpath_id: id }),
    );
    // The list reads in the background: a success leaves the notice of something else.
    if (outcome.ok) return JSON.stringify(outcome.value.toolpath.toolpath);
    this.parts.arm.set({ notice: failureNotice(outcome.error) });
    return null;
  }

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
    saveAs(`${origin.name}.json`, text, 'application/json');
  }

  async exportPage(): Promise<void> {
    const { origin, opened, profile } = this.parts.store.view();
    if (!origin || !opened) return;
    const text = JSON.stringify(opened.toolpath);
    const about = { kind: 'toolpath', name: origin.name, made_by: 'armtwin', text } as const;
    await downloadPage(this.parts.arm, origin.name, profile ? { ...about, profile } : about);
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

/** Why the toolpath of a view cannot be loaded into the robot; empty if it can. */
function loadProblem({ opened, busy, problems, replay }: ToolpathView): string {
  if (replay !== null) return 'A replay shows a run: open its toolpath first';
  if (busy) return 'The toolpath is being checked';
  const faulty = opened?.findings.some(({ kind }) => kind === 'error') ?? true;
  return faulty || problems.length > 0 ? 'Fix the errors of the toolpath first' : '';
}

/**
 * Publishes the open toolpath of a page as the shown one, so that the motion buttons run what is on
 * the screen. Call the result with whether the page is shown.
 */
export function publishShownToolpath({
  store,
  arm,
  library,
  unsaved,
}: Pick<ToolpathLibraryParts, 'store' | 'arm'> & {
  readonly library: RemoteToolpathLibrary;
  readonly unsaved: () => boolean;
}): (isShown: boolean) => void {
  let shown = false;
  let hashed: { readonly toolpath: Toolpath; readonly hash: string } | null = null;
  function publish(): void {
    const view = store.view();
    if (!shown || !view.origin || !view.opened) {
      if (arm.view().shown) arm.set({ shown: null });
      return;
    }
    const { toolpath } = view.opened;
    if (hashed?.toolpath !== toolpath) hashed = { toolpath, hash: hashToolpath(toolpath) };
    const next = {
      name: view.origin.name,
      hash: hashed.hash,
      toolpath,
      unsaved: unsaved(),
      problem: loadProblem(view),
      isReplay: view.replay !== null,
      load: () => library.loadIntoRobot(),
    };
    const last = arm.view().shown;
    const same = (key: 'name' | 'hash' | 'unsaved' | 'problem') => last?.[key] === next[key];
    if (!(same('name') && same('hash') && same('unsaved') && same('problem'))) {
      arm.set({ shown: next });
    }
  }
  arm.subscribe(() => {
    const { snapshot, sim } = arm.view();
    const runs = shown && hashed !== null && hashed.hash === snapshot?.control.toolpath_hash;
    const running = (runs && sim?.status?.activity?.step?.at) || null;
    if (running !== store.view().running) store.set({ running });
  });
  store.subscribe((view, before) => {
    const changed = view.opened !== before.opened || view.origin !== before.origin;
    if (changed || view.busy !== before.busy || view.problems !== before.problems) publish();
  });
  return (isShown) => {
    shown = isShown;
    publish();
  };
}

/** Builds the toolpaths of a store for the arm, as far as this user may read what it is. */
export function followArm(store: ToolpathStore, arm: ArmStore): void {
  const follow = ({ sim }: ArmView) =>
    store.setArm({ profile: sim?.profile ?? null, jointRange: sim?.jointRange ?? null });
  follow(arm.view());
  arm.subscribe((view, { sim }) => {
    const isSame = view.sim?.profile === sim?.profile && view.sim?.jointRange === sim?.jointRange;
    if (!isSame) follow(view);
  });
}

/** Creates the library of the arm that `calls` reach, for which the store builds. */
export function createToolpathLibrary(parts: ToolpathLibraryParts): RemoteToolpathLibrary {
  followArm(parts.store, parts.arm);
  return new ArmLibrary(parts);
}
