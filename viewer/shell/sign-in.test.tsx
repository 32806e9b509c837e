import { parseHTML } from 'linkedom';
import { act } from 'preact/test-utils';
import { afterEach, expect, it, vi } from 'vitest';
import type { Credentials } from '../link/arm-calls.ts';
import { createSignIn } from './sign-in.tsx';

afterEach(() => vi.unstubAllGlobals());

type Outcome = Awaited<ReturnType<Parameters<typeof createSignIn>[0]>>;

/** The dialog, with what is typed into it: the document has neither forms nor dialogs of its own. */
function drawDialog(outcome: Outcome) {
  const { document, Event } = parseHTML('<html><body></body></html>');
  vi.stubGlobal('document', document);
  const tried: Credentials[] = [];
  const { element: dialog } = createSignIn(async (credentials) => {
    tried.push(credentials);
    return outcome;
  });
  const closed = vi.fn();
  dialog.close = closed;
  const field = (name: string) => dialog.querySelector<HTMLInputElement>(`[name="${name}"]`)!;
  const selected: string[] = [];
  for (const name of ['token', 'password']) field(name).select = () => selected.push(name);
  vi.stubGlobal(
    'FormData',
    class {
      private readonly fields = [...dialog.querySelectorAll('input')].filter(
        (input) => !input.hasAttribute('disabled'),
      );
      has = (name: string) => this.fields.some((input) => input.name === name);
      get = (name: string) => this.fields.find((input) => input.name === name)?.value ?? null;
    },
  );
  const press = (selector: string, type: string) =>
    act(
      () => void dialog.querySelector(selector)!.dispatchEvent(new Event(type, { bubbles: true })),
    );
  return { dialog, tried, closed, field, press, selected };
}

it('sends the fields of the chosen method, and forgets the secret', async () => {
  const { tried, field, press, closed } = drawDialog({ ok: true, value: null });
  await press('[data-value="password"]', 'click');
  field('email').value = ' ann@lab.example ';
  field('password').value = 'secret ';
  await press('form', 'submit');
  expect(tried).toEqual([{ email: 'ann@lab.example', password: 'secret ' }]);
  expect([field('password').value, field('email').value]).toEqual(['', ' ann@lab.example ']);
  expect(closed).toHaveBeenCalled();
});

it('says why a token was refused until another method is chosen, and stays open', async () => {
  const { dialog, tried, field, press, closed, selected } = drawDialog({
    ok: false,
    error: { kind: 'signed-out' },
  } as Outcome);
  // The browser remembers the method of the last sign-in.
  await press('[data-value="token"]', 'click');
  field('token').value = ' abc ';
  await press('form', 'submit');
  expect(tried).toEqual([{ token: 'abc' }]);
  const problem = () => dialog.querySelector('.problem')!.textContent;
  await vi.waitFor(() => expect(problem()).toContain('This token is not valid'));
  expect([selected, closed.mock.calls.length]).toEqual([['token'], 0]);
  await press('[data-value="password"]', 'click');
  expect(problem()).toBe('');
});
