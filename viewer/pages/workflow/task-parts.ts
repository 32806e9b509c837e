/** The labware and the dependencies of a task in the form of a definition. */

import { button, element, setAttribute } from '../../ui/element.ts';
import { icon } from '../../ui/icon.ts';
import {
  choiceInput,
  definitionField,
  type FormContext,
  fieldControl,
} from './definition-controls.ts';
import { withNeed, withoutNeed, withSource } from './definition-edits.ts';
import { type FieldChoice, idsOf } from './definition-fields.ts';
import { withDependency } from './definition-items.ts';
import { type DefinitionItem, listAt, needsOf, type TaskNeed } from './definition-outline.ts';
import { withoutJsonValue } from './json-edits.ts';
import { problemBox } from './problem-box.ts';

/** A select with a button that takes the chosen one. */
function adder(
  names: { readonly label: string; readonly focus: string },
  ids: readonly string[],
  take: (id: string) => void,
): HTMLElement[] {
  if (ids.length === 0) return [];
  const choice = choiceInput(
    `${names.focus} choice`,
    ids.map((id) => [id, id]),
    ids[0]!,
  );
  setAttribute(choice, 'aria-label', names.label);
  const focus = { 'data-focus': `${names.focus} add` };
  const add = button(
    { class: 'plain small', ...focus, 'aria-label': names.label },
    () => take(choice.value),
    'Add',
  );
  return [element('div', { class: 'def-line' }, choice, add)];
}

function removeButton(label: string, remove: () => void): HTMLButtonElement {
  return button(
    { class: 'plain small square', 'aria-label': label, title: label },
    remove,
    icon('remove'),
  );
}

function needRow(context: FormContext, task: DefinitionItem, need: TaskNeed): HTMLElement {
  const outline = context.outline();
  const { piece, path, source } = need;
  const users = outline.items.tasks.filter(
    (other) => other.id !== task.id && needsOf(outline, other).some((one) => one.piece === piece),
  );
  const choices: FieldChoice[] = [['', 'its start'], ...users.map(({ id }) => [id, id] as const)];
  const from = choiceInput(`need ${piece}`, choices, source);
  from.addEventListener('input', () => {
    context.edit(withSource(context.outline(), task, { piece, source: from.value }));
  });
  const box = problemBox();
  context.slot(path, box);
  const fromBox = problemBox();
  context.slot([...path, 'source_task'], fromBox, from);
  const slot = { path: ['destination_slot'], label: 'Into slot', kind: 'number' } as const;
  return element(
    'li',
    { class: 'def-need' },
    element('b', {}, element('bdi', {}, piece)),
    definitionField('From', from, fromBox),
    fieldControl(context, slot, { path: [...path, ...slot.path], focus: `slot ${piece}` }),
    removeButton(`Take ${piece} out of ${task.id}`, () => {
      const said = `${task.id} no longer takes ${piece}`;
      context.edit(withoutNeed(context.outline(), task, need), { said });
    }),
    box,
  );
}

/** What a task takes, and what it waits for. */
export function taskParts(context: FormContext, task: DefinitionItem): HTMLElement[] {
  const outline = context.outline();
  const needs = needsOf(outline, task);
  const pieces = idsOf(outline, 'labware').filter((id) => !needs.some((one) => one.piece === id));
  const listed = [...task.path, 'dependencies'];
  const waits = listAt(outline, listed);
  const others = idsOf(outline, 'tasks').filter((id) => id !== task.id && !waits.includes(id));
  const waitRow = (id: string, i: number) => {
    const box = problemBox();
    context.slot([...listed, String(i)], box);
    const remove = () => {
      const text = withoutJsonValue(context.outline().text, [...listed, String(i)]);
      context.edit(text, { said: `${task.id} no longer waits for ${id}` });
    };
    const name = element('bdi', { class: 'grow' }, id);
    const row = [name, removeButton(`Do not wait for ${id}`, remove), box];
    return element('li', { class: 'def-line' }, ...row);
  };
  const part = (title: string, rows: readonly HTMLElement[], more: readonly HTMLElement[]) =>
    element(
      'div',
      { class: 'def-part', role: 'group', 'aria-label': title },
      element('h4', {}, title),
      ...(rows.length > 0 ? [element('ul', {}, ...rows)] : []),
      ...more,
    );
  return [
    part(
      'Takes labware',
      needs.map((need) => needRow(context, task, need)),
      adder({ label: 'Add labware', focus: 'needs' }, pieces, (piece) => {
        const text = withNeed(context.outline(), task, piece);
        context.edit(text, { said: `${task.id} takes ${piece}` });
      }),
    ),
    part(
      'Waits for the end of',
      waits.map(waitRow),
      adder({ label: 'Add dependency', focus: 'waits' }, others, (id) => {
        const text = withDependency(context.outline(), task, id);
        context.edit(text, { said: `${task.id} waits for ${id}` });
      }),
    ),
  ];
}
