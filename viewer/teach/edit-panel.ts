/**
 * The left column of the Teach page: which toolpath is edited, its program, what can be done to the
 * selected step, undo, and the way back to the arm.
 */
import type { ToolpathHead } from '../../contract/types.ts';
import type { ArmStore } from '../link/arm-store.ts';
import { button, element, setAttribute, setText } from '../panels/element.ts';
import { type IconName, icon } from '../panels/icons.ts';
import { filePicker } from '../panels/user-file.ts';
import type { Library } from '../toolpath/library.ts';
import type { PlanPanel } from '../toolpath/plan-panel.ts';
import { createProgramTree } from '../toolpath/program-tree.ts';
import type { ToolpathStore, ToolpathView } from '../toolpath/toolpath-store.ts';
import { createAddMenu } from './add-menu.ts';
import type { EditActs } from './edit-acts.ts';
import type { Editor } from './editor.ts';

const EMPTY = 'No toolpath is open. Begin a new one, or open one of the arm or a file.';

export interface EditPanelParts {
  readonly store: ToolpathStore;
  readonly editor: Editor;
  readonly acts: EditActs;
  readonly arm: ArmStore;
  readonly library: Library;
  /** The forms of the selected step, which stand under the program. */
  readonly forms: HTMLElement;
}

function fileButton({ acts, arm }: EditPanelParts): HTMLElement {
  const input = filePicker({
    take: acts.openText,
    refuse: (text) => arm.set({ notice: { text, code: '' } }),
  });
  const title = 'Format 2, or format 1, which the arm brings to format 2';
  const open = button({ class: 'plain', title }, () => input.click(), icon('send'), 'Open a file');
  return element('span', {}, input, open);
}

/** The toolpaths of the arm, and the ways to begin without one of them. */
function openingList(parts: EditPanelParts) {
  const { store, arm, library, editor } = parts;
  const list = element('div', { class: 'library-list', role: 'list' });
  const fresh = button({ class: 'primary' }, () => editor.openNew(), 'New toolpath');
  const begin = element('div', { class: 'program-begin' }, fresh, fileButton(parts));
  const sentence = element('p', { class: 'empty' }, EMPTY);
  const box = element(
    'div',
    { class: 'library', role: 'group', 'aria-label': 'Toolpaths' },
    begin,
    sentence,
    list,
  );
  function entry(head: ToolpathHead): HTMLElement {
    const open = button({ class: 'library-entry' }, () => void library.open(head), head.name);
    setAttribute(open, 'aria-current', head.id === store.view().origin?.id && 'true');
    return element('div', { role: 'listitem' }, open);
  }
  return {
    element: box,
    show(): void {
      sentence.hidden = store.view().opened !== null;
      list.replaceChildren(...arm.view().toolpaths.map(entry));
    },
  };
}

/** What can be done to the selected step, and undo. */
function editBar({ editor, acts, store }: EditPanelParts) {
  const tool = (name: IconName, label: string, act: () => void) =>
    button({ class: 'tool', 'aria-label': label, title: label }, act, icon(name));
  const up = tool('up', 'Move the step up (Alt ↑)', () => acts.move(-1));
  const down = tool('down', 'Move the step down (Alt ↓)', () => acts.move(1));
  const remove = tool('remove', 'Remove the step (Delete)', () => acts.remove());
  const undo = tool('undo', 'Undo (Ctrl Z)', () => editor.undo());
  const redo = tool('redo', 'Do again (Ctrl Shift Z)', () => editor.redo());
  const add = createAddMenu(acts.desk, acts.add);
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

/** Ways to add a pose and to bring the toolpath to the arm. */
function finishBar({ editor, acts, store, arm }: EditPanelParts) {
  const here = button({ class: 'plain wide' }, acts.addWaypoint, icon('hand'), 'Add waypoint');
  here.append(element('kbd', {}, 'W'));
  const save = button({ class: 'plain' }, () => void acts.save(), icon('save'), 'Save');
  const use = button({ class: 'plain' }, () => void acts.use(), icon('play'), 'Use');
  return {
    element: element('footer', { class: 'program-actions' }, here, save, use),
    show(): void {
      const { opened, problems, busy } = store.view();
      const { link, snapshot } = arm.view();
      const live = link === 'live';
      const faulty = problems.length > 0 || opened?.findings.some(({ kind }) => kind === 'error');
      const ready = snapshot?.control.state === 'ready';
      setAttribute(here, 'disabled', !opened);
      setAttribute(save, 'disabled', !live || !opened || problems.length > 0);
      setAttribute(save, 'data-unsaved', editor.unsaved);
      setAttribute(save, 'title', editor.unsaved ? 'The arm has not got these edits' : 'Saved');
      setAttribute(use, 'disabled', !live || !opened || faulty || busy || !ready);
      setAttribute(use, 'title', faulty ? 'Its errors stand in the way' : undefined);
    },
  };
}

/** The name of the toolpath, to be typed over. */
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

/** The column. */
export function createEditPanel(parts: EditPanelParts): PlanPanel {
  const { store, editor, arm } = parts;
  const tree = createProgramTree(store);
  const list = openingList(parts);
  const bar = editBar(parts);
  const finish = finishBar(parts);
  const name = nameField(parts);
  let listing = true;
  const title = button({ class: 'program-title', 'aria-expanded': 'true' }, flip, 'Toolpaths');
  title.append(icon('chevron'));
  const program = element('div', { class: 'program-body' }, tree.element);
  const forms = element('div', { class: 'program-forms' }, parts.forms);

  function flip(): void {
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
    const same = view.toolpaths === before.toolpaths && view.link === before.link;
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
