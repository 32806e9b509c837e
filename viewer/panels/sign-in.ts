/** The dialog that asks for an API token. The token stays in this tab (session storage). */

import type { Result } from '../../contract/result.ts';
import type { CallFailure } from '../link/arm-calls.ts';
import { element, setAttribute, setText } from './element.ts';
import { icon } from './icons.ts';

const KEPT_AS = 'armtwin.token';

/** The token of this tab: from the address (`#token=…`, removed once read), else kept before. */
export function findToken(): string | null {
  const given = new URLSearchParams(location.hash.slice(1)).get('token');
  if (!given) return sessionStorage.getItem(KEPT_AS);
  history.replaceState(null, '', location.pathname + location.search);
  return given;
}

/** Keeps the token in this tab, or with null forgets it. */
export function keepToken(token: string | null): void {
  if (token === null) sessionStorage.removeItem(KEPT_AS);
  else sessionStorage.setItem(KEPT_AS, token);
}

export interface SignIn {
  readonly element: HTMLDialogElement;
  show(): void;
  /** Lets the user look at files without signing in. */
  hide(): void;
}

function failureText(failure: CallFailure): string {
  if (failure.kind === 'unreachable') return 'The robot does not answer. Check the address.';
  return 'This token is not known here. Check that it was copied whole.';
}

/** A dialog that stays open until `signIn` succeeds. */
export function createSignIn(
  signIn: (token: string) => Promise<Result<null, CallFailure>>,
): SignIn {
  const token = element('input', {
    type: 'password',
    name: 'token',
    autocomplete: 'current-password',
    required: true,
    spellcheck: 'false',
    class: 'field',
    id: 'sign-in-token',
  });
  const problem = element('p', { class: 'problem', role: 'alert' });
  const submit = element('button', { type: 'submit', class: 'primary' }, 'Sign in');
  const form = element(
    'form',
    { method: 'dialog' },
    icon('logo'),
    element('h2', {}, 'Sign in to the robot'),
    element('p', {}, 'An API token is needed. The server prints one when it first starts.'),
    element('label', { for: 'sign-in-token' }, 'API token'),
    token,
    problem,
    submit,
  );
  const dialog = element('dialog', { class: 'sign-in' }, form);
  dialog.addEventListener('cancel', (event) => event.preventDefault());
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    setAttribute(submit, 'disabled', true);
    const outcome = await signIn(token.value.trim());
    setAttribute(submit, 'disabled', false);
    setText(problem, outcome.ok ? '' : failureText(outcome.error));
    if (outcome.ok) {
      token.value = '';
      dialog.close();
    } else token.select();
  });
  return {
    element: dialog,
    show() {
      if (!dialog.open) dialog.showModal();
    },
    hide: () => dialog.close(),
  };
}
