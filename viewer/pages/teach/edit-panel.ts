/**
 * The left column of the Teach page: the edited toolpath, its program, actions on the selected
 * step, undo and redo, saving and loading into the robot.
 */

import type { ArmStore } from '../../link/arm-store.ts';
import { problemNotice } from '../../link/failure-notice.ts';
import { loadReason } from '../../shell/motion-reasons.ts';
import { createLibraryList, isListChanged } from '../../toolpath/library-list.tsx';
import { createProgramTree } from '../../toolpath/program-tree.tsx';
import { setSaving } from '../../toolpath/saving.ts';
import { isUnbegun } from '../../toolpath/toolpath-edit.ts';
import type { ToolpathEditor } from '../../toolpath/toolpath-editor.ts';
import type { ToolpathLibrary } from '../../toolpath/toolpath-library.ts';
import type { ToolpathPanel } from '../../toolpath/toolpath-panel.ts';
import type { ToolpathStore } from '../../toolpath/toolpath-store.ts';
import type { ToolpathView } from '../../toolpath/toolpath-view.ts';
import { button, element, setAttribute, setText } from '../../ui/element.ts';
import { type IconName, icon } from '../../ui/icon.ts';
import { fileButton } from '../../ui/user-file.ts';
import { createAddMenu } from './add-menu.ts';
import type { EditActions } from './edit-actions.ts';

const EMPTY = 'No toolpath is open. Create one, or open one from the arm or from a file.';
const SEARCH = 'Find toolpath';

export interface EditPanelParts {
  readonly store: ToolpathStore;
  readonly editor: ToolpathEditor;
  readonly actions: EditActions;
  readonly arm: ArmStore;
  readonly library: ToolpathLibrary;
  /** Forms of the selected step, shown under the program. */
  readonly forms: HTMLElement;
}

function openFileButton({ actions, arm }: EditPanelParts): HTMLElement {
  const receiver = { onText: actions.openText, onProblem: problemNotice(arm) };
  const title = 'A toolpath, or an export of the arm’s editor (.act); format 1 is migrated';
  return fileButton(receiver, title, icon('send'), 'Open a file');
}

/** The toolpaths on the arm with a search, and buttons to start without one of them. */
function openingList(parts: EditPanelParts) {
  const { store, arm, library, editor } = parts;
  const list = createLibraryList({
    read: (head) => library.read(head),
    choose: (head) => void library.open(head),
  });
  const search = element('input', {
    ...{ type: 'search', class: 'field', spellcheck: 'false' },
    ...{ placeholder: SEARCH, 'aria-label': SEARCH },
  });
  const fresh = button({ class: 'primary' }, () => editor.openNew(), 'New toolpath');
  const begin = element('div', { class: 'program-begin' }, fresh, openFileButton(parts));
  const sentence = element('p', { class: 'empty' }, EMPTY);
  const none = element('p', { class: 'empty', role: 'status' }, 'No results.');
  const label = { role: 'group', 'aria-label': 'Toolpaths' };
  const content = [begin, sentence, search, list.element, none];
  const box = element('div', { class: 'library', ...label }, ...content);
  function show(): void {
    const { opened, origin } = store.view();
    const view = arm.view();
    const found = list.show(view, search.value, origin?.id ?? null);
    sentence.hidden = opened !== null;
    setAttribute(search, 'hidden', view.toolpaths.length < 2);
    setAttribute(list.element, 'hidden', view.toolpaths.length === 0);
    setAttribute(none, 'hidden', found > 0 || view.toolpaths.length === 0);
  }
  search.addEventListener('input', show);
  search.addEventListener('keydown', ({ key }) => {
    if (key === 'ArrowDown') box.querySelector<HTMLElement>('.library-entry')?.focus();
  });
  return { element: box, show };
}

/** Actions on the selected step, undo and redo. */
function editBar({ editor, actions, store }: EditPanelParts) {
  const tool = (name: IconName, label: string, action: () => void) =>
    button({ class: 'tool', 'aria-label': label, title: label }, action, icon(name));
  const up = tool('up', 'Move the step up (Alt ↑)', () => actions.move(-1));
  const down = tool('down', 'Move the step down (Alt ↓)', () => actions.move(1));
  const remove = tool('remove', 'Remove the step (Delete)', () => actions.remove());
  const undo = tool('undo', 'Undo (Ctrl Z)', () => editor.undo());
  const redo = tool('redo', 'Redo (Ctrl Shift Z)', () => editor.redo());
  const add = createAddMenu(actions.context, actions.add);
  const label = { role: 'toolbar', 'aria-label': 'Edit' };
  return {
    element: element('div', { class: 'edit-bar', ...label }, add, up, down, remove, undo, redo),
    show(): void {
      const none = store.view().selected === null || store.view().opened === null;
      for (const one of [up, down, remove]) setAttribute(one, 'disabled', none);
      setAttribute(undo, 'disabled', !editor.canUndo);
      setAttribute(redo, 'disabled', !editor.canRedo);
    },
  };
}

/** What the button to save says of what is open. */
function savedText(isUnsaved: boolean, isInMemory: boolean): string {
  if (isUnsaved) return 'These edits are not saved on the arm';
  return isInMemory ? 'Saved in memory: gone when the twin stops' : 'Saved';
}

/** Buttons to add a pose, to save, and to load the toolpath into the robot. */
function finishBar({ editor, actions, store, arm }: EditPanelParts) {
  const here = button({ class: 'plain wide' }, actions.addWaypoint, icon('hand'), 'Add waypoint');
  here.append(element('kbd', {}, 'W'));
  const save = button({ class: 'plain' }, () => void actions.save(), icon('save'), element('span'));
  const load = button({ class: 'plain' }, () => void actions.load(), 'Load');
  return {
    element: element('footer', { class: 'program-actions' }, here, save, load),
    show(): void {
      const { opened, problems, busy, saving } = store.view();
      const live = arm.view().link === 'live';
      const faulty = problems.length > 0 || opened?.findings.some(({ kind }) => kind === 'error');
      const wrong =
        opened && isUnbegun(opened.toolpath) ? 'Add a waypoint first' : 'Fix the errors first';
      const reason = faulty ? wrong : loadReason(arm.view());
      setAttribute(here, 'disabled', !opened);
      setAttribute(save, 'disabled', !live || !opened || problems.length > 0);
      setSaving(save, 'Save', saving);
      setAttribute(save, 'data-unsaved', editor.unsaved);
      setAttribute(save, 'title', savedText(editor.unsaved, arm.view().isInMemory));
      setAttribute(load, 'disabled', !opened || busy || reason !== '');
      setAttribute(load, 'title', reason || undefined);
    },
  };
}

/** Input for the toolpath's name. */
function nameField({ editor, store }: EditPanelParts) {
  const input = element('input', {
    type: 'text',
    class: 'field program-rename',
    maxlength: '128',
    'aria-label': 'Name of the toolpath',
  });
  input.addEventListener('input', () => editor.rename(input.value, 'name'));
  input.addEventListener('blur', () => {
    editor.settle();
    show();
  });
  function show(): void {
    const { origin } = store.view();
    setAttribute(input, 'hidden', origin === null);
    if (origin && document.activeElement !== input) input.value = origin.name;
  }
  return { element: input, show };
}

/** Creates the column. */
export function createEditPanel(parts: EditPanelParts): ToolpathPanel {
  const { store, editor, arm } = parts;
  const tree = createProgramTree(store);
  const list = openingList(parts);
  const bar = editBar(parts);
  const finish = finishBar(parts);
  const name = nameField(parts);
  let listing = true;
  const title = button(
    { class: 'program-title', 'aria-expanded': 'true' },
    toggleList,
    'Toolpaths',
  );
  title.append(icon('chevron'));
  // It scrolls on small windows, also where nothing in it can be focused.
  const attributes = { role: 'group', tabindex: '0', 'aria-label': 'Program' };
  const program = element('div', { class: 'program-body', ...attributes }, tree.element);
  const forms = element('div', { class: 'program-forms' }, parts.forms);

  function toggleList(): void {
    listing = !listing || !store.view().opened;
    show();
  }
  function show(): void {
    setAttribute(title, 'aria-expanded', String(listing));
    setAttribute(list.element, 'hidden', !listing);
    setAttribute(program, 'hidden', listing);
    setAttribute(forms, 'hidden', listing);
    setAttribute(bar.element, 'hidden', listing);
    if (listing) list.show();
    for (const one of [bar, finish, name]) one.show();
    setText(title.firstChild!, listing || !store.view().opened ? 'Toolpaths' : 'Program');
  }
  editor.subscribe(show);
  arm.subscribe((view, before) => {
    const state = (one: typeof view) => one.snapshot?.control.state;
    const same = !isListChanged(view, before) && view.link === before.link;
    if (!same || state(view) !== state(before)) show();
  });
  const label = { 'aria-label': 'Toolpath' };
  return {
    element: element(
      'section',
      { class: 'program', ...label },
      title,
      name.element,
      list.element,
      bar.element,
      program,
      forms,
      finish.element,
    ),
    update(view: ToolpathView, before) {
      const another = view.origin?.id !== before?.origin?.id;
      if (view.opened && (!before?.opened || another)) listing = false;
      tree.update(view, before);
      show();
    },
  };
}
