import { signal } from '@preact/signals';
import { act } from 'preact/test-utils';
import { afterEach, expect, it, vi } from 'vitest';
import { draw } from './drawn.cases.ts';
import { bind, Choice, TextField } from './fields.tsx';

afterEach(() => vi.unstubAllGlobals());

const OPTIONS = [
  ['a', 'A'],
  ['b', 'B'],
] as const;

it('shows what was chosen until another value comes, be it the one before', async () => {
  const value = signal('a');
  const Letter = () => <Choice label="Letter" options={OPTIONS} {...bind(value)} />;
  const { find, fire } = draw(<Letter />);
  const shown = () => find('select').getAttribute('value');
  Object.defineProperty(find('select'), 'value', { value: 'b', configurable: true });
  await fire('select', 'change');
  Reflect.deleteProperty(find('select'), 'value');
  expect(value.value).toBe('b');
  await act(() => {
    value.value = 'a';
  });
  expect(shown()).toBe('a');
});

it('says what is wrong with a value, and when typing has ended', async () => {
  const text = signal('');
  const end = vi.fn();
  const Name = () => <TextField label="Name" problemId="p" end={end} {...bind(text)} />;
  const { find, fire } = draw(<Name />);
  expect(find('input').getAttribute('aria-invalid')).toBe('true');
  expect(find('input').getAttribute('aria-describedby')).toBe('p');
  await fire('input', 'input');
  expect(end).not.toHaveBeenCalled();
  await fire('input', 'change');
  expect(end).toHaveBeenCalledOnce();
});
