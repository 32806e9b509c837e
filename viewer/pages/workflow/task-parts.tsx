/** The labware and the dependencies of a task in the form of a definition. */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { JsonPath } from '../../../contract/json-text.ts';
import { Button } from '../../ui/buttons.tsx';
import { bind, Choice, ChoiceField } from '../../ui/fields.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { withNeed, withoutNeed, withSource } from './definition-edits.ts';
import { FieldBox, Problem, ValueField, withChosen } from './definition-field.tsx';
import { type DefinitionField, idsOf, same } from './definition-fields.ts';
import { withDependency } from './definition-items.ts';
import { type DefinitionItem, listAt, needsOf, type TaskNeed } from './definition-outline.ts';
import type { FormProps } from './editor-state.ts';
import { withoutJsonValue } from './json-edits.ts';

const SLOT: DefinitionField = { path: ['destination_slot'], label: 'Into slot', kind: 'number' };

interface TaskProps extends FormProps {
  readonly task: DefinitionItem;
}

interface AdderProps {
  readonly label: string;
  readonly ids: readonly string[];
  readonly take: (id: string) => void;
}

/** A choice with a button that takes the chosen one. */
function Adder({ label, ids, take }: AdderProps) {
  const chosen = useSignal('');
  const [first] = ids;
  if (first === undefined) return null;
  const id = ids.includes(chosen.value) ? chosen.value : first;
  return (
    <div class="def-line">
      <Choice label={label} options={same(ids)} {...bind(chosen)} value={id} />
      <Button class="plain small" aria-label={label} onClick={() => take(id)}>
        Add
      </Button>
    </div>
  );
}

function RemoveButton({ label, remove }: { readonly label: string; readonly remove: () => void }) {
  return <IconButton icon="remove" label={label} class="plain small square" onClick={remove} />;
}

/** A piece of labware that a task takes. */
function Need({ form, task, need }: TaskProps & { readonly need: TaskNeed }) {
  const { piece, path, source } = need;
  const outline = form.outline.value;
  const users = outline.items.tasks.filter(
    (other) => other.id !== task.id && needsOf(outline, other).some((one) => one.piece === piece),
  );
  const options = [['', 'its start'] as const, ...same(users.map(({ id }) => id))];
  function remove(): void {
    const said = `${task.id} no longer takes ${piece}`;
    form.edit(withoutNeed(form.outline.value, task, need), { said });
  }
  return (
    <li class="def-need">
      <b>
        <bdi>{piece}</bdi>
      </b>
      <FieldBox form={form} path={[...path, 'source_task']}>
        {(problemId) => (
          <ChoiceField
            label="From"
            problemId={problemId}
            options={withChosen(options, source)}
            value={source}
            set={(from) => form.edit(withSource(form.outline.value, task, { piece, source: from }))}
          />
        )}
      </FieldBox>
      <ValueField form={form} field={SLOT} path={[...path, ...SLOT.path]} />
      <RemoveButton label={`Take ${piece} out of ${task.id}`} remove={remove} />
      <Problem form={form} path={path} />
    </li>
  );
}

interface WaitProps extends TaskProps {
  /** The task whose end it waits for, and its place in the definition. */
  readonly id: string;
  readonly path: JsonPath;
}

function Wait({ form, task, id, path }: WaitProps) {
  function remove(): void {
    const text = withoutJsonValue(form.outline.value.text, path);
    form.edit(text, { said: `${task.id} no longer waits for ${id}` });
  }
  return (
    <li class="def-line">
      <bdi class="grow">{id}</bdi>
      <RemoveButton label={`Do not wait for ${id}`} remove={remove} />
      <Problem form={form} path={path} />
    </li>
  );
}

interface PartProps {
  readonly title: string;
  readonly rows: readonly ComponentChildren[];
  readonly children: ComponentChildren;
}

function Part({ title, rows, children }: PartProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has borders and a legend
    <div class="def-part" role="group" aria-label={title}>
      <h4>{title}</h4>
      {rows.length > 0 && <ul>{rows}</ul>}
      {children}
    </div>
  );
}

/** What a task takes, and what it waits for. */
export function TaskParts({ form, task }: TaskProps) {
  const outline = form.outline.value;
  const needs = needsOf(outline, task);
  const pieces = idsOf(outline, 'labware').filter((id) => !needs.some((one) => one.piece === id));
  const listed = [...task.path, 'dependencies'];
  const waits = listAt(outline, listed);
  const others = idsOf(outline, 'tasks').filter((id) => id !== task.id && !waits.includes(id));
  return (
    <>
      <Part
        title="Takes labware"
        rows={needs.map((need, i) => <Need key={i} form={form} task={task} need={need} />)}
      >
        <Adder
          label="Add labware"
          ids={pieces}
          take={(piece) => {
            const text = withNeed(form.outline.value, task, piece);
            form.edit(text, { said: `${task.id} takes ${piece}` });
          }}
        />
      </Part>
      <Part
        title="Waits for the end of"
        rows={waits.map((id, i) => (
          <Wait key={i} form={form} task={task} id={id} path={[...listed, String(i)]} />
        ))}
      >
        <Adder
          label="Add dependency"
          ids={others}
          take={(id) => {
            const text = withDependency(form.outline.value, task, id);
            form.edit(text, { said: `${task.id} waits for ${id}` });
          }}
        />
      </Part>
    </>
  );
}
