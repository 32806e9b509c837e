/**
 * The forms of the selected step and its waypoint, or of the whole toolpath if nothing is selected,
 * and the list of problems. Every change can be undone.
 */

import type { Problem } from '../../../contract/problem.ts';
import type { Joints, Toolpath, Waypoint } from '../../../contract/types.generated.ts';
import { findingIcon } from '../../toolpath/finding.ts';
import { problemText } from '../../toolpath/problem-text.ts';
import { programRows } from '../../toolpath/program-rows.ts';
import { type RemedyActions, remedyParts } from '../../toolpath/remedy-parts.tsx';
import { actionAt, changeWaypoint, isUnbegun, waypointsOf } from '../../toolpath/toolpath-edit.ts';
import type { ToolpathEditor } from '../../toolpath/toolpath-editor.ts';
import type { ToolpathPanel } from '../../toolpath/toolpath-panel.ts';
import type { ToolpathStore } from '../../toolpath/toolpath-store.ts';
import { motionErrorText } from '../../toolpath/toolpath-text.ts';
import type { ToolpathView } from '../../toolpath/toolpath-view.ts';
import { waypointName } from '../../toolpath/waypoint-name.ts';
import { button, element, setAttribute, setText } from '../../ui/element.ts';
import { createFieldList } from '../../ui/field-list.ts';
import type { FormField } from '../../ui/form-field.ts';
import { icon } from '../../ui/icon.ts';
import { stepFields, waypointFields, wholeFields } from './toolpath-fields.ts';

export interface StepPanelParts {
  readonly store: ToolpathStore;
  readonly editor: ToolpathEditor;
  /** Joint angles of the target pose (rad). */
  readonly targetJoints: () => Joints;
  /** Shows the form of the zone of that index. */
  readonly openZone: (index: number) => void;
  /** Draws the path of a remedy beside that of the toolpath; null removes it. */
  readonly draw: RemedyActions['draw'];
}

const BEGIN = 'Move the arm or the ghost and add a waypoint (W). The first one becomes the home.';

/** Index of the waypoint that an action goes to; null if it has none or several. */
function ownWaypoint(toolpath: Toolpath, selected: string | null): number | null {
  const action = actionAt(toolpath, selected);
  const numbers = action ? waypointsOf(action) : [];
  return numbers.length === 1 ? numbers[0]! : null;
}

type FieldsOf = (toolpath: Toolpath, name: string) => readonly FormField<Toolpath>[];

/** A list of fields that edits the toolpath; each field is a gesture of its own. */
function editing(editor: ToolpathEditor, fieldsOf: FieldsOf) {
  return createFieldList<Toolpath>({
    fieldsOf: (name) => (editor.toolpath ? fieldsOf(editor.toolpath, name) : []),
    onChange: (toolpath, { label }) =>
      editor.change((_, selected) => ({ toolpath, selected }), `field ${label}`),
    settle: () => editor.settle(),
  });
}

function section(heading: string) {
  const title = element('h2', {}, heading);
  const end = element('span', { class: 'end' });
  const head = element('header', { class: 'section-head' }, title, end);
  const box = element('section', { class: 'panel', 'aria-label': heading }, head);
  return { box, title, end };
}

/** Waypoint of the selected step: its label, and a button that sets its pose to the ghost's. */
function waypointSection({ store, editor, targetJoints }: StepPanelParts) {
  const { box, end } = section('Waypoint');
  const fields = editing(editor, (toolpath, name) => waypointFields(toolpath, Number(name)));
  const setPose = button({ class: 'plain' }, setToGhost, icon('hand'), 'Set to the ghost');
  function setToGhost(): void {
    const joints = targetJoints();
    editor.change((toolpath, selected) => {
      const index = ownWaypoint(toolpath, selected);
      const set = (waypoint: Waypoint): Waypoint => ({ ...waypoint, joints });
      return {
        toolpath: index === null ? toolpath : changeWaypoint(toolpath, index, set),
        selected,
      };
    });
  }
  box.append(fields.element, setPose);
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

/** A problem that keeps the toolpath from being built; a click leads to what it is at. */
function problemRow(problem: Problem, { store, editor, openZone }: StepPanelParts): HTMLElement {
  const { text, place } = problemText(problem, editor.toolpath);
  if (!place) return element('li', {}, element('p', {}, text));
  const act = (): void => (place.kind === 'zone' ? openZone(place.index) : store.select(place.at));
  const label = element('span', {}, text);
  return element('li', {}, button({ class: 'finding finding-error' }, act, icon('warn'), label));
}

function problemRows(view: ToolpathView, parts: StepPanelParts, actions: RemedyActions): Node[] {
  const { problems, opened, finding } = view;
  const { store } = parts;
  // What a toolpath without a step lacks is not wrong: it has not begun. Its zones may be.
  const isBegun = !opened || !isUnbegun(opened.toolpath);
  const shown = problems.filter(({ path }) => isBegun || path.startsWith('/metadata'));
  const wrong = shown.map((one) => problemRow(one, parts));
  const found = (opened?.findings ?? []).map((one) =>
    element(
      'li',
      {},
      button(
        { class: `finding finding-${one.kind}`, 'aria-current': one === finding && 'true' },
        () => store.chooseFinding(one),
        findingIcon(one.kind),
        element('span', {}, `${motionErrorText(one.code)}. ${one.message}`),
        element('code', {}, one.code),
      ),
      ...(one === finding ? remedyParts(view, one, actions) : []),
    ),
  );
  return [...wrong, ...found];
}

/** All problems, and the changes that a migration may have made. */
function findingSections(parts: StepPanelParts) {
  const { editor, draw } = parts;
  const apply = (toolpath: Toolpath): void => {
    editor.settle();
    editor.change((_, selected) => ({ toolpath, selected }));
  };
  const wrong = section('Findings');
  const list = element('ul', { class: 'problems' });
  wrong.box.append(element('div', { role: 'alert' }, list));
  const checked = section('Checked against');
  const against = element('p', { class: 'sub' });
  checked.box.append(against);
  const notes = section('Migrated to format 2');
  const changes = element('ul', { class: 'notes' });
  notes.box.append(changes);
  return {
    elements: [notes.box, wrong.box, checked.box],
    show(view: ToolpathView): void {
      const rows = problemRows(view, parts, {
        draw,
        apply,
        choose: (one) => parts.store.chooseFinding(one),
      });
      setAttribute(wrong.box, 'hidden', rows.length === 0);
      list.replaceChildren(...rows);
      const looked = view.opened?.checkedAgainst ?? [];
      setAttribute(checked.box, 'hidden', looked.length === 0);
      setText(against, looked.join(', '));
      const migrationNotes = view.opened?.notes ?? [];
      setAttribute(notes.box, 'hidden', migrationNotes.length === 0);
      changes.replaceChildren(...migrationNotes.map((note) => element('li', {}, note)));
    },
  };
}

/** Title of the form: the text of the selected row. */
function titleOf({ opened, selected }: ToolpathView): string {
  const row = opened && programRows(opened.toolpath).find(({ at }) => at === selected);
  return row ? `${row.text} ${row.detail}`.trim() : 'Toolpath';
}

/** Creates the forms of the selection. */
export function createStepPanel(parts: StepPanelParts): ToolpathPanel {
  const { editor } = parts;
  const step = section('Step');
  const fields = editing(editor, (toolpath, at) =>
    at === '' ? wholeFields(toolpath) : stepFields(toolpath, at),
  );
  const empty = element('p', { class: 'empty' }, 'Nothing to set.');
  const sentence = element('p', { class: 'empty', role: 'status' }, BEGIN);
  const begin = element('div', { class: 'panel', hidden: true }, sentence);
  step.box.append(fields.element, empty);
  const waypoint = waypointSection(parts);
  const findings = findingSections(parts);
  return {
    element: element('div', {}, begin, ...findings.elements, step.box, waypoint.element),
    update(view, before) {
      const { opened, selected } = view;
      const same = opened?.toolpath === before?.opened?.toolpath && selected === before?.selected;
      if (!same || !before) {
        setAttribute(step.box, 'hidden', opened === null);
        setAttribute(begin, 'hidden', opened === null || !isUnbegun(opened.toolpath));
        setText(step.title, titleOf(view));
        setAttribute(empty, 'hidden', fields.show(selected ?? '') > 0);
        waypoint.show();
      }
      const shownIn = (of: ToolpathView | null) => [
        ...[of?.problems, of?.opened?.findings, of?.opened?.notes, of?.opened?.checkedAgainst],
        ...[of?.finding, of?.remedy],
      ];
      const known = shownIn(before);
      if (!before || shownIn(view).some((value, i) => value !== known[i])) findings.show(view);
    },
  };
}
