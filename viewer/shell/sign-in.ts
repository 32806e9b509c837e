/**
 * The sign-in dialog, by API token or by e-mail and password. Session storage keeps what a reload
 * needs: the token, or the session created with a password, never the password.
 */

import type { Result } from '../../contract/result.ts';
import type { Credentials } from '../link/arm-calls.ts';
import type { CallFailure } from '../link/call-failure.ts';
import { failureNotice } from '../link/failure-notice.ts';
import { button, element, setAttribute, setText } from '../ui/element.ts';
import { icon } from '../ui/icon.ts';
import { preferences } from '../ui/preferences.ts';

const TOKEN_KEY = 'armtwin.token';
const SESSION_KEY = 'armtwin.session';

const tokenIn = (hash: string) => new URLSearchParams(hash.slice(1)).get('token');

/** Starts the page again when a link with another token is opened in the tab that shows it. */
export function followTokenLinks(): void {
  addEventListener('hashchange', ({ newURL }) => {
    const token = tokenIn(new URL(newURL).hash);
    if (token === null || token === sessionStorage.getItem(TOKEN_KEY)) return;
    // Another listener may have written the address of a page over it.
    history.replaceState(null, '', newURL);
    location.reload();
  });
}

/** Reads the credentials from the URL (`#token=…`, then removed), else from session storage. */
export function readCredentials(): Credentials | null {
  const given = tokenIn(location.hash);
  if (given) history.replaceState(null, '', location.pathname + location.search);
  const token = given ?? sessionStorage.getItem(TOKEN_KEY);
  if (token) return { token };
  const session = sessionStorage.getItem(SESSION_KEY);
  return session ? { session } : null;
}

/** Stores the credentials in session storage; null removes them. */
export function storeCredentials(credentials: Credentials | null): void {
  sessionStorage.removeItem(TOKEN_KEY);
  sessionStorage.removeItem(SESSION_KEY);
  if (!credentials || 'email' in credentials) return;
  if ('token' in credentials) sessionStorage.setItem(TOKEN_KEY, credentials.token);
  else sessionStorage.setItem(SESSION_KEY, credentials.session);
}

export interface SignIn {
  readonly element: HTMLDialogElement;
  /** Opens the dialog; says why, where the user did not ask for it. */
  show(reason?: string): void;
  /** Closes the dialog, so that the user can view files without signing in. */
  hide(): void;
}

type SignInMethod = 'token' | 'password';
type SignInAction = (credentials: Credentials) => Promise<Result<unknown, CallFailure>>;

const METHOD_LABELS: Record<SignInMethod, string> = { token: 'By token', password: 'By password' };
const REJECTED: Record<SignInMethod, string> = {
  token: 'This token is not valid. Check that it was copied completely.',
  password: 'E-mail or password is wrong. Check both.',
};

function failureText(method: SignInMethod, failure: CallFailure): string {
  if (failure.kind === 'unreachable') return 'The robot does not respond. Check the address.';
  return failure.kind === 'signed-out' ? REJECTED[method] : failureNotice(failure).text;
}

function input(name: string, attributes: Readonly<Record<string, string>>): HTMLInputElement {
  const fixed = { name, id: `sign-in-${name}`, class: 'field', required: true };
  return element('input', { ...fixed, spellcheck: 'false', ...attributes });
}

function labelled(label: string, field: HTMLInputElement): readonly HTMLElement[] {
  return [element('label', { for: field.id }, label), field];
}

function createFields() {
  const token = input('token', { type: 'password', autocomplete: 'off' });
  const email = input('email', { type: 'text', inputmode: 'email', autocomplete: 'username' });
  const password = input('password', { type: 'password', autocomplete: 'current-password' });
  const byToken = element(
    'div',
    { class: 'sign-in-method' },
    element('p', {}, 'The server prints a token when it first starts.'),
    ...labelled('API token', token),
  );
  const byPassword = element(
    'div',
    { class: 'sign-in-method' },
    ...labelled('E-mail', email),
    ...labelled('Password', password),
  );
  return {
    elements: [byToken, byPassword],
    show(method: SignInMethod): void {
      byToken.hidden = method !== 'token';
      byPassword.hidden = method !== 'password';
      for (const field of [token, email, password]) {
        setAttribute(field, 'disabled', (field === token) !== (method === 'token'));
      }
    },
    read: (method: SignInMethod): Credentials =>
      method === 'token'
        ? { token: token.value.trim() }
        : { email: email.value.trim(), password: password.value },
    clear(): void {
      token.value = '';
      password.value = '';
    },
    focus: (method: SignInMethod): void => (method === 'token' ? token : email).focus(),
    select: (method: SignInMethod): void => (method === 'token' ? token : password).select(),
  };
}

function createMethodChoice(onChange: (method: SignInMethod) => void) {
  let method: SignInMethod = preferences.read().signInMethod === 'password' ? 'password' : 'token';
  const chips = (['token', 'password'] as const).map((each) =>
    button({ class: 'chip', 'data-method': each }, () => choose(each), METHOD_LABELS[each]),
  );
  function choose(next: SignInMethod): void {
    method = next;
    for (const chip of chips) {
      setAttribute(chip, 'aria-pressed', String(chip.dataset['method'] === method));
    }
    onChange(method);
  }
  choose(method);
  const bar = { class: 'choice', role: 'group', 'aria-label': 'Sign-in method' };
  return { element: element('div', bar, ...chips), method: () => method };
}

/** Creates the dialog; it stays open until `signIn` succeeds. */
export function createSignIn(signIn: SignInAction): SignIn {
  const fields = createFields();
  const problem = element('p', { class: 'problem', role: 'alert' });
  const methods = createMethodChoice((method) => {
    fields.show(method);
    setText(problem, '');
  });
  const submit = element('button', { type: 'submit', class: 'primary' }, 'Sign in');
  const title = element('h2', { id: 'sign-in-title' }, 'Sign in to the robot');
  const form = element(
    'form',
    { method: 'dialog' },
    icon('logo'),
    title,
    methods.element,
    ...fields.elements,
    problem,
    submit,
  );
  const attributes = { class: 'sign-in', 'aria-labelledby': 'sign-in-title' };
  const dialog = element('dialog', attributes, form);
  dialog.addEventListener('cancel', (event) => event.preventDefault());
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const method = methods.method();
    setAttribute(submit, 'disabled', true);
    const outcome = await signIn(fields.read(method));
    setAttribute(submit, 'disabled', false);
    setText(problem, outcome.ok ? '' : failureText(method, outcome.error));
    if (outcome.ok) {
      preferences.update({ signInMethod: method });
      fields.clear();
      dialog.close();
    } else fields.select(method);
  });
  return {
    element: dialog,
    show(reason = '') {
      if (dialog.open) return;
      setText(problem, reason);
      dialog.showModal();
      fields.focus(methods.method());
    },
    hide: () => dialog.close(),
  };
}
