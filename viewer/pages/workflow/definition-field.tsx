/** The fields of the form of a definition; they write into the text as one types. */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { type JsonPath, pointerOf } from '../../../contract/json-text.ts';
import { ChoiceField, type Options, TextField } from '../../ui/fields.tsx';
import { renamed } from './definition-edits.ts';
import { type DefinitionField, withField } from './definition-fields.ts';
import { type DefinitionItem, textAt } from './definition-outline.ts';
import type { FormProps } from './editor-state.ts';

interface ProblemProps extends FormProps {
  /** Where in the definition it is. */
  readonly path: JsonPath;
  /** Names it, for what it is about. */
  readonly id?: string;
}

/** What is wrong at a place. */
export function Problem({ form, path, id }: ProblemProps) {
  const text = form.problems.value.get(pointerOf(path));
  if (!text) return null;
  return (
    <p class="form-problem def-problem" id={id}>
      {text}
    </p>
  );
}

interface FieldBoxProps extends FormProps {
  readonly path: JsonPath;
  /** What was wrong with what was typed last; it stands in for what is wrong with the value. */
  readonly refusal?: string | undefined;
  /** Draws the control with the id of what is wrong with it. */
  readonly children: (problemId: string | undefined) => ComponentChildren;
}

/** A field with what is wrong with it. */
export function FieldBox({ form, path, refusal, children }: FieldBoxProps) {
  const id = useId();
  const text = refusal ?? form.problems.value.get(pointerOf(path));
  return (
    <div class="def-field">
      {children(text && id)}
      {text && (
        <p class="form-problem def-problem" id={id}>
          {text}
        </p>
      )}
    </div>
  );
}

/** Choices with the one that is chosen, be it unknown. */
export function withChosen(choices: Options, value: string): Options {
  if (choices.some(([each]) => each === value)) return choices;
  return [[value, value && `${value} (unknown)`], ...choices];
}

interface ValueFieldProps extends FormProps {
  readonly field: DefinitionField;
  readonly path: JsonPath;
}

/** A field of a value in the definition. */
export function ValueField({ form, field, path }: ValueFieldProps) {
  const { label, choices, kind } = field;
  const outline = form.outline.value;
  const value = textAt(outline, path);
  const bound = {
    label,
    value,
    set: (typed: string) => form.write(path, withField(form.outline.value, path, { field, typed })),
  };
  return (
    <FieldBox form={form} path={path}>
      {(problemId) =>
        choices ? (
          <ChoiceField
            {...bound}
            problemId={problemId}
            options={withChosen(choices(outline), value)}
          />
        ) : (
          <TextField
            {...bound}
            problemId={problemId}
            keys={kind === 'number' ? 'decimal' : undefined}
          />
        )
      }
    </FieldBox>
  );
}

/** What is typed for an id, and why it was refused. */
interface Typed {
  readonly text: string;
  readonly refusal?: string;
}

/** The field of an id, which is taken over at the end of typing, with all that names it. */
export function IdField({ form, item }: FormProps & { readonly item: DefinitionItem }) {
  const { id: old, path } = item;
  /** What is typed over the id that there was. */
  const typed = useSignal<(Typed & { over: string }) | null>(null);
  const current = (): Typed => (typed.value?.over === old ? typed.value : { text: old });
  function rename(): void {
    const { text } = current();
    const next = text === old ? undefined : renamed(form.outline.value, item, text);
    if (next === null) {
      const refusal = text === '' ? 'must not be empty' : `another one is called ${text}`;
      typed.value = { over: old, text, refusal };
      return;
    }
    typed.value = null;
    if (next) form.edit(next, { id: text, said: `${old} is now ${text}` });
  }
  const { text, refusal } = current();
  return (
    <FieldBox form={form} path={[...path, 'id']} refusal={refusal}>
      {(problemId) => (
        <TextField
          label="Id"
          problemId={problemId}
          value={text}
          set={(now) => {
            typed.value = { over: old, text: now };
          }}
          end={rename}
        />
      )}
    </FieldBox>
  );
}
