import { signal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { act } from 'preact/test-utils';
import { draw } from '../../ui/drawn.cases.ts';
import { type Bound, bind } from '../../ui/fields.tsx';

type Control = HTMLInputElement | HTMLSelectElement;

/** A form of rows, as a user sees it and fills it in. */
export function drawForm<Value>(Fields: FunctionComponent<Bound<Value>>, first: Value) {
  const value = signal(first);
  const Form = () => <Fields {...bind(value)} />;
  const { root, fire } = draw(<Form />);
  const rows = () => [...root.querySelectorAll('.field-row')];
  const labelOf = (row: Element) => row.firstElementChild!.textContent!;
  function controlOf(label: string): Control {
    const row = rows().find((each) => labelOf(each) === label);
    if (!row) throw new Error(`no field ${label} among ${rows().map(labelOf)}`);
    return row.querySelector<Control>('input, select')!;
  }
  return {
    value: () => value.value,
    labels: () => rows().map(labelOf),
    text: (label: string) => controlOf(label).value,
    isWrong: (label: string) => controlOf(label).hasAttribute('aria-invalid'),
    /** The texts that a choice or a flag takes, or some for a field of text. */
    settings(label: string): readonly string[] {
      const control = controlOf(label);
      if (control.getAttribute('type') === 'checkbox') return ['true', 'false'];
      if (control.localName === 'input') return [control.value, '1', '7', ''];
      return [...control.children].map((option) => option.getAttribute('value')!);
    },
    /** Types a text, or chooses it. */
    async enter(label: string, text: string): Promise<void> {
      const control = controlOf(label);
      const isFlag = control.getAttribute('type') === 'checkbox';
      const [name, set] = isFlag ? ['checked', text === 'true'] : ['value', text];
      Object.defineProperty(control, name, { value: set, writable: true, configurable: true });
      const isTyped = control.localName === 'input' && !isFlag;
      control.setAttribute('data-entered', '');
      await fire('[data-entered]', isTyped ? 'input' : 'change');
      control.removeAttribute('data-entered');
    },
    /** Goes back to how it began. */
    reset: () =>
      act(() => {
        value.value = first;
      }),
  };
}
