/** The fields of forms: labelled controls that show a value and hand on another one. */
import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren, TargetedInputEvent } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { type NumberBounds, numberKeys, numberProblem, stepByArrow } from './number-input.ts';
import { type NumberScale, numberText, typedValue } from './number-text.ts';

/** The value of a control, and what takes another one. */
export interface Bound<Value> {
  readonly value: Value;
  readonly set: (value: Value) => unknown;
}

interface Labelled {
  readonly label: string;
  readonly class?: string | undefined;
  /** Id of the element that says what is wrong with the value; undefined for nothing. */
  readonly problemId?: string | undefined;
}

/** What a control says of what is wrong with its value. */
function problemAttributes({ problemId }: Pick<Labelled, 'problemId'>) {
  return { 'aria-invalid': problemId ? true : undefined, 'aria-describedby': problemId };
}

/** Binds a control to a signal. */
export function bind<Value>(signal: Signal<Value>): Bound<Value> {
  return {
    value: signal.value,
    set: (value) => {
      signal.value = value;
    },
  };
}

/** A control under its label. The control names itself: options would become part of its name. */
export function Field(props: Labelled & { readonly children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is a child
    <label class={['form-field', props.class].filter(Boolean).join(' ')}>
      <span>{props.label}</span>
      {props.children}
    </label>
  );
}

interface TextProps extends Labelled, Bound<string> {
  readonly required?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
}

/** What the fields of text and of passwords share. */
function textAttributes(props: TextProps) {
  const { label, value, set, required, minLength, maxLength } = props;
  return {
    class: 'field',
    'aria-label': label,
    ...problemAttributes(props),
    ...{ value, required, minLength, maxLength },
    onInput: (event: TargetedInputEvent<HTMLInputElement>) => set(event.currentTarget.value),
  };
}

interface LineProps extends TextProps {
  /** The keys that a phone offers. */
  readonly keys?: 'email' | 'decimal' | undefined;
  /** Called at the end of typing: what was typed is entered or left. */
  readonly end?: () => void;
}

/** A field of one line of text. */
export function TextField({ keys, end, ...props }: LineProps) {
  return (
    <Field label={props.label} class={props.class}>
      <input
        type="text"
        autocomplete="off"
        spellcheck={false}
        inputMode={keys}
        onChange={end}
        {...textAttributes(props)}
      />
    </Field>
  );
}

/** A field for a password that browsers do not fill in. */
export function PasswordField(props: TextProps) {
  return (
    <Field label={props.label} class={props.class}>
      <input type="password" autocomplete="new-password" {...textAttributes(props)} />
    </Field>
  );
}

type NumberProps = { readonly label: string } & NumberBounds &
  NumberScale & {
    readonly value: number | undefined;
    /** Undefined for a text that is no number. */
    readonly set: (value: number | undefined) => unknown;
  };

/** A number without its label. What is typed stays as it is typed while it means the value. */
export function NumberInput({ label, value, set, ...shown }: NumberProps) {
  const input = useRef<HTMLInputElement>(null);
  const typed = useSignal<string | null>(null);
  const text = numberText(typed.value, value, shown);
  const problem = numberProblem(text, shown);
  useLayoutEffect(() => input.current!.setCustomValidity(problem), [problem]);
  return (
    <input
      ref={input}
      type="text"
      class="field"
      aria-label={label}
      autocomplete="off"
      spellcheck={false}
      inputMode={numberKeys(shown)}
      value={text}
      onKeyDown={(event) => stepByArrow(event, shown)}
      onInput={({ currentTarget }) => {
        typed.value = currentTarget.value;
        set(typedValue(currentTarget.value, shown));
      }}
      onBlur={() => {
        if (typed.value?.trim() === '') typed.value = null;
      }}
    />
  );
}

/** A field for a number. */
export function NumberField({ class: name, ...props }: Labelled & NumberProps) {
  return (
    <Field label={props.label} class={name}>
      <NumberInput {...props} />
    </Field>
  );
}

/** Values of a choice with their texts; one that cannot be chosen says why in its text. */
export type Options = readonly (readonly [value: string, text: string, isDisabled?: boolean])[];

type ChoiceProps = Pick<Labelled, 'label' | 'problemId'> & {
  readonly options: Options;
} & Bound<string>;

/**
 * A choice without its label. It shows what was chosen until another value is given, or until `set`
 * resolves with false: it was refused.
 */
export function Choice({ label, problemId, options, value, set }: ChoiceProps) {
  const chosen = useSignal<string | null>(null);
  async function choose(text: string): Promise<void> {
    chosen.value = text;
    if ((await set(text)) === false) chosen.value = null;
  }
  useLayoutEffect(() => {
    chosen.value = null;
  }, [value]);
  return (
    <select
      class="field"
      aria-label={label}
      {...problemAttributes({ problemId })}
      value={chosen.value ?? value}
      onChange={(event) => choose(event.currentTarget.value)}
    >
      {options.map(([option, text, isDisabled]) => (
        <option key={option} value={option} disabled={isDisabled}>
          {text}
        </option>
      ))}
    </select>
  );
}

/** A field with a choice of values. */
export function ChoiceField({ class: name, ...props }: Labelled & ChoiceProps) {
  return (
    <Field label={props.label} class={name}>
      <Choice {...props} />
    </Field>
  );
}

/** A field that is on or off. */
export function FlagField({ label, value, set }: { readonly label: string } & Bound<boolean>) {
  return (
    <label class="form-check">
      <input
        type="checkbox"
        checked={value}
        onChange={(event) => set(event.currentTarget.checked)}
      />
      {label}
    </label>
  );
}
