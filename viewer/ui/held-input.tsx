import { useSignal } from '@preact/signals';
import type { TargetedEvent, TargetedKeyboardEvent } from 'preact';
import {
  type NumberBounds,
  numberKeys,
  numberProblem,
  stepByArrow,
  typedNumber,
} from './number-input.ts';

interface HeldProps<Value> {
  readonly label: string;
  readonly class?: string;
  /** The value as it is now. */
  readonly text: string;
  /** Takes another value; false, also of a promise, says that it cannot be. */
  readonly set: (value: Value) => unknown;
  /** Hands on every input; otherwise what was entered, or left behind. */
  readonly isPrompt?: boolean;
}

interface HeldInputProps extends HeldProps<string> {
  readonly maxLength?: number;
  readonly hidden?: boolean;
  readonly inputMode?: 'decimal' | undefined;
  readonly onKeyDown?: (event: TargetedKeyboardEvent<HTMLInputElement>) => void;
  readonly onBlur?: () => void;
}

/**
 * A field of one line for a value that also changes by itself, or that not every text can be. What
 * is typed covers the value, with the selection, until it is entered or left; what was refused is
 * marked.
 */
export function HeldInput(props: HeldInputProps) {
  const { label, class: name = 'field', text, set, isPrompt = false, ...attributes } = props;
  const held = useSignal<string | null>(null);
  const isWrong = useSignal(false);
  const hold = ({ currentTarget }: TargetedEvent<HTMLInputElement>) => {
    held.value ??= currentTarget.value;
  };
  const release = () => {
    held.value = null;
  };
  function hand(typed: string): void {
    const before = held.value;
    const mark = (taken: unknown) => {
      // It may have taken a while: the next value may be half typed by now.
      if (held.value === before) isWrong.value = taken === false;
    };
    const taken = set(typed);
    if (taken instanceof Promise) void taken.then(mark);
    else mark(taken);
  }
  return (
    <input
      type="text"
      class={name}
      aria-label={label}
      autocomplete="off"
      spellcheck={false}
      aria-invalid={isWrong.value || undefined}
      value={held.value ?? text}
      {...attributes}
      onFocus={hold}
      onSelect={(event) => {
        // A busy page hears of a selection once it is gone, with what was typed over it.
        const { selectionStart, selectionEnd } = event.currentTarget;
        if (selectionStart !== selectionEnd) hold(event);
      }}
      onKeyDown={(event) => {
        attributes.onKeyDown?.(event);
        if (event.key !== 'Enter') hold(event);
      }}
      onKeyUp={({ key }) => {
        if (key === 'Enter') release();
      }}
      onInput={({ currentTarget }) => {
        held.value = currentTarget.value;
        isWrong.value = false;
        if (isPrompt) hand(currentTarget.value);
      }}
      onChange={({ currentTarget }) => {
        const typed = currentTarget.value;
        release();
        isWrong.value = false;
        if (!isPrompt) hand(typed);
      }}
      onBlur={() => {
        attributes.onBlur?.();
        release();
        isWrong.value = false;
      }}
    />
  );
}

/** Such a field for a number within bounds, in the units that it shows. */
export function HeldNumberInput(props: HeldProps<number> & NumberBounds) {
  const { label, class: name = 'field', text, set, isPrompt = false, ...bounds } = props;
  function setNumber(typed: string): unknown {
    const value = typedNumber(typed);
    return value !== null && numberProblem(typed, bounds) === '' && set(value);
  }
  return (
    <HeldInput
      {...{ label, text, isPrompt }}
      class={name}
      set={setNumber}
      inputMode={numberKeys(bounds)}
      onKeyDown={(event) => stepByArrow(event, bounds)}
    />
  );
}
