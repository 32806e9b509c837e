import { signal } from '@preact/signals';
import { act } from 'preact/test-utils';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { draw } from './drawn.cases.ts';
import { HeldInput, HeldNumberInput } from './held-input.tsx';

afterEach(() => vi.unstubAllGlobals());

/** A field for a number up to 100, which changes by itself too. */
function numberField({ isPrompt = false, taken = true as boolean | Promise<boolean> } = {}) {
  const value = signal(5);
  const sent: number[] = [];
  function set(next: number): boolean | Promise<boolean> {
    sent.push(next);
    if (taken === true) value.value = next;
    return taken;
  }
  const Field = () => (
    <HeldNumberInput
      label="Angle"
      max={100}
      text={value.value.toFixed(2)}
      set={set}
      isPrompt={isPrompt}
    />
  );
  const { find, fire } = draw(<Field />);
  const input = () => find('input') as HTMLInputElement;
  /** Types a text, as its last event says. */
  async function type(text: string): Promise<void> {
    await fire('input', 'focus');
    input().value = text;
    await fire('input', 'input');
  }
  /** Selects a part of the text, of which the page hears. */
  async function select(selectionStart: number, selectionEnd: number): Promise<void> {
    Object.assign(input(), { selectionStart, selectionEnd });
    await fire('input', 'select');
  }
  const change = (next: number) =>
    act(() => {
      value.value = next;
    });
  const shown = () => [input().value, input().getAttribute('aria-invalid')];
  return { fire, type, change, select, shown, sent };
}

describe('a field of a value that changes by itself', () => {
  it('follows the value until it has the focus, and again once it is left', async () => {
    const { fire, change, shown } = numberField();
    await change(6);
    expect(shown()).toEqual(['6.00', null]);
    await fire('input', 'focus');
    await change(7);
    expect(shown()).toEqual(['6.00', null]);
    await fire('input', 'blur');
    expect(shown()).toEqual(['7.00', null]);
  });

  it('hands on what was entered, and then follows the value again', async () => {
    const { fire, type, change, shown, sent } = numberField();
    await type('12,5');
    await change(7);
    expect([shown(), sent]).toEqual([['12,5', null], []]);
    await fire('input', 'change');
    expect([shown(), sent]).toEqual([['12.50', null], [12.5]]);
    await change(13);
    expect(shown()).toEqual(['13.00', null]);
  });

  it('keeps what is selected, and follows on where a selection is heard of after the entry', async () => {
    const { fire, type, change, shown, select } = numberField();
    await type('20');
    await fire('input', 'change');
    await select(0, 0);
    await change(7);
    expect(shown()).toEqual(['7.00', null]);
    await select(0, 4);
    await change(8);
    expect(shown()).toEqual(['7.00', null]);
  });

  it.each(['101', 'x', ''])('marks %j, which cannot be, and shows the value', async (text) => {
    const { fire, type, shown, sent } = numberField();
    await type(text);
    await fire('input', 'change');
    expect([shown(), sent]).toEqual([['5.00', 'true'], []]);
    await fire('input', 'blur');
    expect(shown()).toEqual(['5.00', null]);
  });

  it('marks what was refused, unless another value is being typed by then', async () => {
    const refused = numberField({ taken: Promise.resolve(false) });
    await refused.type('20');
    await refused.fire('input', 'change');
    await act(async () => undefined);
    expect([refused.shown(), refused.sent]).toEqual([['5.00', 'true'], [20]]);
    let refuse = (_: boolean): void => undefined;
    const late = numberField({
      taken: new Promise<boolean>((resolve) => {
        refuse = resolve;
      }),
    });
    await late.type('20');
    await late.fire('input', 'change');
    await late.type('3');
    await act(async () => refuse(false));
    expect(late.shown()).toEqual(['3', null]);
  });
});

describe('a prompt field', () => {
  it('hands on every input that can be, and marks the others while they are typed', async () => {
    const { fire, type, shown, sent } = numberField({ isPrompt: true });
    await type('-');
    expect([shown(), sent]).toEqual([['-', 'true'], []]);
    await type('-2');
    expect([shown(), sent]).toEqual([['-2', null], [-2]]);
    await type('');
    await fire('input', 'blur');
    expect(shown()).toEqual(['-2.00', null]);
  });

  it('of a text calls what else listens to it', async () => {
    const onBlur = vi.fn();
    const { fire, find } = draw(
      <HeldInput label="Name" text="a" set={() => false} isPrompt onBlur={onBlur} />,
    );
    (find('input') as HTMLInputElement).value = 'b';
    await fire('input', 'input');
    expect(find('input').getAttribute('aria-invalid')).toBe('true');
    await fire('input', 'blur');
    expect([onBlur.mock.calls.length, find('input')]).toMatchObject([1, { value: 'a' }]);
  });
});
