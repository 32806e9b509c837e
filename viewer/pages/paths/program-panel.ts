/**
 * The left column of the Paths page: the open toolpath, the arm's toolpaths, search, the
 * program and its actions.
 */

import type { ArmCalls } from '../../link/arm-calls.ts';
import type { ArmStore } from '../../link/arm-store.ts';
import type { ArmView } from '../../link/arm-view.ts';
import { problemNotice } from '../../link/failure-notice.ts';
import { loadReason } from '../../shell/motion-reasons.ts';
import { isListChanged, LibraryList } from '../../toolpath/library-list.ts';
import { createLibraryMenu } from '../../toolpath/library-menu.ts';
import type { NewerVersion } from '../../toolpath/newer-version.ts';
import { createProgramTree } from '../../toolpath/program-tree.ts';
import { SAMPLES } from '../../toolpath/samples.ts';
import { setSaving } from '../../toolpath/saving.ts';
import type { ToolpathEditor } from '../../toolpath/toolpath-editor.ts';
import type { ToolpathLibrary } from '../../toolpath/toolpath-library.ts';
import type { ToolpathPanel } from '../../toolpath/toolpath-panel.ts';
import type { ToolpathStore } from '../../toolpath/toolpath-store.ts';
import type { ToolpathView } from '../../toolpath/toolpath-view.ts';
import { button, element, setAttribute, setText } from '../../ui/element.ts';
import { type IconName, icon } from '../../ui/icon.ts';
import { canDrop, fileButton } from '../../ui/user-file.ts';

const EMPTY = 'No toolpaths yet. Drop a JSON file anywhere, open one, or look at a sample.';
const EMPTY_TOUCHED = 'No toolpaths yet. Open a JSON file, or look at a sample.';
const READING = 'The toolpaths on the arm are being read…';
const REPLAYED = 'A replay shows what the arm did. Open its toolpath to see the program.';
const BROKEN = 'This file has no program to show. Correct its errors, then open it again.';
const SIGNED_OUT = 'Sign in to see the toolpaths on the arm. Files need no sign-in.';

/** The edits of what is open, which all pages share. */
export interface ProgramEdits {
  readonly editor: ToolpathEditor;
  /** Saves; over a version of someone else only if it is the one given. */
  readonly save: (over?: NewerVersion) => Promise<void>;
  readonly unsaved: () => boolean;
}

export interface ProgramParts extends ProgramEdits {
  readonly store: ToolpathStore;
  readonly arm: ArmStore;
  readonly calls: ArmCalls;
  readonly library: ToolpathLibrary;
  /** Shows the sign-in dialog. */
  readonly signIn: () => void;
}

function openFileButton({ store, arm }: ProgramParts): HTMLElement {
  const receiver = {
    onText: (name: string, text: string) => store.open({ name, id: null }, text),
    onProblem: problemNotice(arm),
  };
  return fileButton(receiver, undefined, icon('send'), 'Open a file');
}

/** Counts as text: "1 error", "2 warnings". */
function findingCountText({ opened, problems }: ToolpathView): string {
  const findings = opened?.findings ?? [];
  const errors = findings.filter(({ kind }) => kind === 'error').length + problems.length;
  const count = errors || findings.length;
  const noun = errors ? 'error' : 'warning';
  return count === 0 ? '' : `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function libraryList(parts: ProgramParts) {
  const { store, arm, library, signIn } = parts;
  const menu = createLibraryMenu(parts);
  const list = new LibraryList({
    read: (head) => library.read(head),
    choose: (head) => void library.open(head),
    menu: (head, opener) => menu.open(head, opener),
  });
  const sentence = element('p', { class: 'empty' });
  const empty = canDrop() ? EMPTY : EMPTY_TOUCHED;
  const enter = button({ class: 'primary' }, signIn, 'Sign in');
  const samples = element(
    'div',
    { class: 'library-samples' },
    ...SAMPLES.map(({ name, url }) =>
      button({ class: 'plain' }, () => void openSample(name, url), `Open “${name}”`),
    ),
  );
  async function openSample(name: string, url: URL): Promise<void> {
    const reply = await fetch(url).catch(() => null);
    if (reply?.ok) store.open({ name, id: null }, await reply.text());
    else arm.set({ notice: { text: 'The sample could not be loaded. Try again.', code: '' } });
  }
  const box = element(
    'div',
    { class: 'library', 'aria-label': 'Toolpaths' },
    list.element,
    ...menu.elements,
    sentence,
    samples,
    enter,
    openFileButton(parts),
  );
  return {
    element: box,
    show(query: string): void {
      const { link, sim, driver, isListed, ...view } = arm.view();
      const out = link === 'signed-out';
      const toolpaths = out ? [] : view.toolpaths;
      const found = list.show({ toolpaths, sim, driver }, query, store.view().origin?.id ?? null);
      setAttribute(list.element, 'hidden', found === 0 && toolpaths.length === 0);
      setAttribute(enter, 'hidden', !out);
      setAttribute(samples, 'hidden', out || !isListed || toolpaths.length > 0);
      const none = toolpaths.length > 0 ? 'No results.' : isListed ? empty : READING;
      setText(sentence, out ? SIGNED_OUT : found === 0 ? none : '');
    },
  };
}

/** Why there is nothing to load, save or download; empty if there is. */
function contentReason({ opened, replay }: ToolpathView): string {
  if (replay !== null) return 'A replay is no toolpath: open its toolpath first';
  return opened ? '' : 'Open a toolpath first';
}

/** Why the open toolpath cannot be loaded into the robot; empty if it can. */
function loadingReason(shown: ToolpathView, view: ArmView): string {
  const faulty = shown.opened?.findings.some(({ kind }) => kind === 'error') ?? false;
  return contentReason(shown) || (faulty ? 'Fix the errors first' : loadReason(view));
}

function savingReason(shown: ToolpathView, { link }: ArmView): string {
  const offline = link === 'live' ? '' : 'There is no connection to the robot';
  return contentReason(shown) || (link === 'signed-out' ? 'Sign in first' : offline);
}

/** Disables a button for a reason, which is its title then. */
function disable(target: HTMLElement, reason: string, title?: string): void {
  setAttribute(target, 'disabled', reason !== '');
  setAttribute(target, 'title', reason || title);
}

function actions({ library, arm, store, save: saveToArm }: ProgramParts) {
  const load = button({ class: 'plain' }, () => void library.loadIntoRobot(), 'Load');
  const save = button({ class: 'plain' }, () => void saveToArm(), icon('send'), element('span'));
  const keep = button(
    { class: 'plain square', 'aria-label': 'Download', title: 'Download' },
    () => library.download(),
    icon('save'),
  );
  const share = button(
    { class: 'plain square', 'aria-label': 'Export as a page', title: 'Export as a page' },
    () => void library.exportPage(),
    icon('page'),
  );
  const bar = element('footer', { class: 'program-actions' }, load, save, keep, share);
  return {
    element: bar,
    update(): void {
      const shown = store.view();
      const view = arm.view();
      const none = contentReason(shown);
      disable(load, loadingReason(shown, view));
      disable(save, savingReason(shown, view));
      setSaving(save, 'Save to arm', shown.saving);
      disable(keep, none, 'Download');
      disable(share, none, 'Export as a page');
    },
  };
}

/** Undo and redo, and the way back to the version on the arm. */
function editTools({ store, editor, library, unsaved }: ProgramParts) {
  const tool = (name: IconName, label: string, action: () => void) =>
    button({ class: 'tool', 'aria-label': label, title: label }, action, icon(name));
  const undo = tool('undo', 'Undo (Ctrl Z)', () => editor.undo());
  const redo = tool('redo', 'Redo (Ctrl Shift Z)', () => editor.redo());
  function openSaved(): void {
    const id = store.view().origin?.id ?? null;
    if (id !== null) void library.openById(id);
  }
  const title = 'Opens it as it is on the arm; Undo brings these edits back';
  const saved = button({ class: 'plain small', title }, openSaved, 'Open the saved version');
  function show(): void {
    const { origin, replay } = store.view();
    const isReplay = replay !== null;
    setAttribute(undo, 'disabled', isReplay || !editor.canUndo);
    setAttribute(redo, 'disabled', isReplay || !editor.canRedo);
    setAttribute(saved, 'hidden', (origin?.id ?? null) === null || !unsaved());
  }
  editor.subscribe(show);
  return { elements: [undo, redo], saved, show };
}

/** The program tree and the number of findings. */
function programBody(parts: ProgramParts) {
  const { store } = parts;
  const tree = createProgramTree(store);
  const tools = editTools(parts);
  const count = button({ class: 'program-count' }, () => store.showNextFinding());
  const title = element('h2', {}, 'Program');
  const head = element('header', { class: 'section-head' }, title, count, ...tools.elements);
  const none = element('p', { class: 'empty' });
  return {
    element: element('div', { class: 'program-body' }, head, tools.saved, none, tree.element),
    find: (query: string) => tree.find(query),
    update(view: ToolpathView, before: ToolpathView | null): void {
      tree.update(view, before);
      tools.show();
      const isBroken = view.problems.length > 0 && !view.opened;
      setText(none, view.replay === null ? (isBroken ? BROKEN : '') : REPLAYED);
      const text = findingCountText(view);
      setAttribute(count, 'hidden', text === '');
      setAttribute(count, 'data-tone', text.includes('error') ? 'fault' : 'warn');
      if (count.textContent !== text) count.replaceChildren(icon('warn'), text);
    },
  };
}

/** Creates the column; `arm` determines what can be listed, loaded and saved. */
export function createProgramPanel(parts: ProgramParts): ToolpathPanel {
  const { store, arm } = parts;
  const name = element('span', { class: 'program-name' });
  const title = button(
    { class: 'program-title', 'aria-expanded': 'true' },
    toggleList,
    name,
    icon('chevron'),
  );
  const search = element('input', { type: 'search', class: 'field', spellcheck: 'false' });
  const list = libraryList(parts);
  const program = programBody(parts);
  const bar = actions(parts);
  let listing = true;

  function toggleList(): void {
    listing = !listing || !store.view().opened;
    search.value = '';
    show();
  }
  function show(): void {
    const { origin, busy } = store.view();
    setText(name, listing || !origin ? 'Toolpaths' : origin.name);
    setAttribute(title, 'aria-expanded', String(listing));
    setAttribute(list.element, 'hidden', !listing);
    setAttribute(program.element, 'hidden', listing);
    const text = listing ? 'Find toolpath' : 'Find step, waypoint or error';
    setAttribute(search, 'placeholder', text);
    setAttribute(search, 'aria-label', text);
    setAttribute(program.element, 'aria-busy', busy ? 'true' : undefined);
    if (listing) list.show(search.value.trim().toLowerCase());
    else program.find(search.value);
    bar.update();
  }
  search.addEventListener('input', show);
  arm.subscribe((view, before) => {
    if (isListChanged(view, before) || view.link !== before.link) show();
    if (loadReason(view) !== loadReason(before)) bar.update();
  });
  return {
    element: element(
      'section',
      { class: 'program', 'aria-label': 'Toolpath' },
      title,
      element('label', { class: 'program-search' }, icon('search'), search),
      list.element,
      program.element,
      bar.element,
    ),
    update(view, before) {
      if (view.origin !== before?.origin) {
        listing = view.origin === null;
        search.value = '';
      }
      program.update(view, before);
      if (view.origin !== before?.origin || view.opened !== before?.opened) show();
    },
  };
}
