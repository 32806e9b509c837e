/** Buttons of components. */
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';

type ButtonAttributes = Omit<JSX.IntrinsicElements['button'], 'type'>;

/** A button that acts on a click; of the class `plain` where none is given. */
export function Button({ class: name = 'plain', ...attributes }: ButtonAttributes) {
  return <button type="button" class={name} {...attributes} />;
}

interface ConfirmButtonProps extends Pick<ButtonAttributes, 'disabled' | 'title'> {
  readonly label: string;
  /** What the button says once pressed. */
  readonly confirm: string;
  readonly act: () => void;
}

/** A button for an irreversible action: it runs on the second click; losing focus resets it. */
export function ConfirmButton({ label, confirm, act, ...attributes }: ConfirmButtonProps) {
  const armed = useSignal(false);
  function press(): void {
    if (armed.value) act();
    armed.value = !armed.value;
  }
  return (
    <Button
      class={armed.value ? 'plain small danger' : 'plain small'}
      onClick={press}
      onBlur={() => {
        armed.value = false;
      }}
      {...attributes}
    >
      {armed.value ? confirm : label}
    </Button>
  );
}
