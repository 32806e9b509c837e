/**
 * What can be changed of the selected step and its waypoint, or of the toolpath where nothing is
 * selected; and what is wrong with it. Every change is an edit that can be undone.
 */
import type { Joints, Toolpath, Waypoint } from '../../contract/types.ts';
import { button, element, setAttribute, setText } from '../panels/element.ts';
import { icon } from '../panels/icons.ts';
import { codeWords } from '../toolpath/finding-words.ts';
import type { PlanPanel } from '../toolpath/plan-panel.ts';
import { programRows, waypointName } from '../toolpath/program-rows.ts';
import type { ToolpathStore, ToolpathView } from '../toolpath/toolpath-store.ts';
import type { Editor } from './editor.ts';
import type { Field } from './field.ts';
import { createFieldList } from './field-view.ts';
import { actionAt, changeWaypoint, waypointsOf } from './toolpath-edit.ts';
import { stepFields, waypointFields, wholeFields } from './toolpath-fields.ts';

export interface StepPanelParts {
  readonly store: ToolpathStore;
  readonly editor: Editor;
  /** The pose that is taught (rad). */
  readonly taught: () => Joints;
}

/** Number of the one waypoint that an action goes to; null where it goes to none or to several. */
function ownWaypoint(toolpath: Toolpath, selected: string | null): number | null {
  const action = actionAt(toolpath, selected);
  const numbers = action ? waypointsOf(action) : [];
  return numbers.length === 1 ? numbers[0]! : null;
}

type FieldsOf = (toolpath: Toolpath, name: string) => readonly Field<Toolpath>[];

/** A list of fields that edits; each field is a gesture of its own. */
function editing(editor: Editor, fieldsOf: FieldsOf) {
  return createFieldList<Toolpath>({
    fieldsOf: (name) => (editor.toolpath ? fieldsOf(editor.toolpath, name) : []),
    take: (toolpath, { words }) =>
      editor.change((_, selected) => ({ toolpath, selected }), `field ${words}`),
    settle: () => editor.settle(),
  });
}

function section(words: string) {
  const title = element('h2', {}, words);
  const end = element('span', { class: 'end' });
  const head = element('header', { class: 'section-head' }, title, end);
  const box = element('section', { class: 'panel', 'aria-label': words }, head);
  return { box, title, end };
}

/** The waypoint of the selected step: its label, and its pose taught anew. */
function waypointSection({ store, editor, taught }: StepPanelParts) {
  const { box, end } = section('Waypoint');
  const fields = editing(editor, (toolpath, name) => waypointFields(toolpath, Number(name)));
  const anew = button({ class: 'plain' }, teachAnew, icon('hand'), 'Set to the ghost');
  function teachAnew(): void {
    const joints = taught();
    editor.change((toolpath, selected) => {
      const index = ownWaypoint(toolpath, selected);
      const set = (waypoint: Waypoint): Waypoint => ({ ...waypoint, joints });
      return {
        toolpath: index === null ? toolpath : changeWaypoint(toolpath, index, set),
        selected,
      };
    });
  }
  box.append(fields.element, anew);
  return {
    element: box,
    show(): void {
      const { opened, selected } = store.view();
      const index = opened ? ownWaypoint(opened.toolpath, selected) : null;
      setAttribute(box, 'hidden', index === null);
      if (!opened || index === null) return;
      setText(end, waypointName(opened.toolpath, index));
      fields.show(`${index}`);
    },
  };
}

function problemRows({ problems, opened, finding }: ToolpathView, store: ToolpathStore): Node[] {
  const wrong = problems.map(({ path, problem }) =>
    element('li', {}, element('code', {}, path || '/'), element('p', {}, problem)),
  );
  const found = (opened?.findings ?? []).map((one) =>
    element(
      'li',
      {},
      button(
        { class: `finding finding-${one.kind}`, 'aria-current': one === finding && 'true' },
        () => store.look(one),
        icon(one.kind === 'error' ? 'warn' : 'fault'),
        element('span', {}, `${codeWords(one.code)}. ${one.message}`),
        element('code', {}, one.code),
      ),
    ),
  );
  return [...wrong, ...found];
}

/** Everything that is wrong, and what bringing it to the latest format may have changed. */
function findingSections(store: ToolpathStore) {
  const wrong = section('Found');
  const list = element('ul', { class: 'problems' });
  wrong.box.append(element('div', { role: 'alert' }, list));
  const notes = section('Brought to format 2');
  const changes = element('ul', { class: 'notes' });
  notes.box.append(changes);
  return {
    elements: [notes.box, wrong.box],
    show(view: ToolpathView): void {
      const rows = problemRows(view, store);
      setAttribute(wrong.box, 'hidden', rows.length === 0);
      list.replaceChildren(...rows);
      const said = view.opened?.notes ?? [];
      setAttribute(notes.box, 'hidden', said.length === 0);
      changes.replaceChildren(...said.map((note) => element('li', {}, note)));
    },
  };
}

/** What the selected row says of itself, as the title of its form. */
function titleOf({ opened, selected }: ToolpathView): string {
  const row = opened && programRows(opened.toolpath).find(({ at }) => at === selected);
  return row ? `${row.words} ${row.aside}`.trim() : 'Toolpath';
}

/** The forms of what is selected. */
export function createStepPanel(parts: StepPanelParts): PlanPanel {
  const { store, editor } = parts;
  const step = section('Step');
  const fields = editing(editor, (toolpath, at) =>
    at === '' ? wholeFields(toolpath) : stepFields(toolpath, at),
  );
  const empty = element('p', { class: 'empty' }, 'Nothing to set.');
  step.box.append(fields.element, empty);
  const waypoint = waypointSection(parts);
  const findings = findingSections(store);
  return {
    element: element('div', {}, ...findings.elements, step.box, waypoint.element),
    update(view, before) {
      const { opened, selected } = view;
      const same = opened?.toolpath === before?.opened?.toolpath && selected === before?.selected;
      if (!same || !before) {
        setAttribute(step.box, 'hidden', opened === null);
        setText(step.title, titleOf(view));
        setAttribute(empty, 'hidden', fields.show(selected ?? '') > 0);
        waypoint.show();
      }
      const judged = [view.problems, opened?.findings, opened?.notes, view.finding];
      const known = [
        before?.problems,
        before?.opened?.findings,
        before?.opened?.notes,
        before?.finding,
      ];
      if (!before || judged.some((value, i) => value !== known[i])) findings.show(view);
    },
  };
}
