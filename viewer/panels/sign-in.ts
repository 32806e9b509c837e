/**
 * The dialog that signs in, by API token or by e-mail and password. What a reload needs stays in
 * this tab (session storage): the token, or the session that a password made, never the password.
 */
import type { Result } from '../../contract/result.ts';
import type { CallFailure, Credentials } from '../link/arm-calls.ts';
import { noticeOf } from '../link/commands.ts';
import { button, element, setAttribute, setText } from './element.ts';
import { icon } from './icons.ts';

const KEPT_TOKEN = 'armtwin.token';
const KEPT_SESSION = 'armtwin.session';
/** Which way was taken last, for the next time. */
const KEPT_WAY = 'armtwin.sign-in';

/** What this tab signs in with: from the address (`#token=…`, removed once read), else kept. */
export function findCredentials(): Credentials | null {
  const given = new URLSearchParams(location.hash.slice(1)).get('token');
  if (given) history.replaceState(null, '', location.pathname + location.search);
  const token = given ?? sessionStorage.getItem(KEPT_TOKEN);
  if (token) return { token };
  const session = sessionStorage.getItem(KEPT_SESSION);
  return session ? { session } : null;
}

/** Keeps what signs this tab in, or with null forgets it. */
export function keepCredentials(credentials: Credentials | null): void {
  sessionStorage.removeItem(KEPT_TOKEN);
  sessionStorage.removeItem(KEPT_SESSION);
  if (!credentials || 'email' in credentials) return;
  if ('token' in credentials) sessionStorage.setItem(KEPT_TOKEN, credentials.token);
  else sessionStorage.setItem(KEPT_SESSION, credentials.session);
}

export interface SignIn {
  readonly element: HTMLDialogElement;
  show(): void;
  /** Lets the user look at files without signing in. */
  hide(): void;
}

type Way = 'token' | 'password';
type Enter = (credentials: Credentials) => Promise<Result<unknown, CallFailure>>;

const WORDS: Record<Way, string> = { token: 'By token', password: 'By password' };
const REFUSED: Record<Way, string> = {
  token: 'This token is not known here. Check that it was copied whole.',
  password: 'E-mail or password is wrong. Check both.',
};

function failureText(way: Way, failure: CallFailure): string {
  if (failure.kind === 'unreachable') return 'The robot does not answer. Check the address.';
  return failure.kind === 'signed-out' ? REFUSED[way] : noticeOf(failure).text;
}

function input(name: string, attributes: Readonly<Record<string, string>>): HTMLInputElement {
  const fixed = { name, id: `sign-in-${name}`, class: 'field', required: true };
  return element('input', { ...fixed, spellcheck: 'false', ...attributes });
}

function labelled(words: string, field: HTMLInputElement): readonly HTMLElement[] {
  return [element('label', { for: field.id }, words), field];
}

function createFields() {
  const token = input('token', { type: 'password', autocomplete: 'off' });
  const email = input('email', { type: 'text', inputmode: 'email', autocomplete: 'username' });
  const password = input('password', { type: 'password', autocomplete: 'current-password' });
  const byToken = element(
    'div',
    { class: 'sign-in-way' },
    element('p', {}, 'The server prints a token when it first starts.'),
    ...labelled('API token', token),
  );
  const byPassword = element(
    'div',
    { class: 'sign-in-way' },
    ...labelled('E-mail', email),
    ...labelled('Password', password),
  );
  return {
    elements: [byToken, byPassword],
    show(way: Way): void {
      byToken.hidden = way !== 'token';
      byPassword.hidden = way !== 'password';
      for (const field of [token, email, password]) {
        setAttribute(field, 'disabled', (field === token) !== (way === 'token'));
      }
    },
    read: (way: Way): Credentials =>
      way === 'token'
        ? { token: token.value.trim() }
        : { email: email.value.trim(), password: password.value },
    clear(): void {
      token.value = '';
      password.value = '';
    },
    select: (way: Way): void => (way === 'token' ? token : password).select(),
  };
}

function createWays(chosen: (way: Way) => void) {
  let way: Way = localStorage.getItem(KEPT_WAY) === 'password' ? 'password' : 'token';
  const chips = (['token', 'password'] as const).map((each) =>
    button({ class: 'chip', 'data-way': each }, () => choose(each), WORDS[each]),
  );
  function choose(next: Way): void {
    way = next;
    for (const chip of chips) {
      setAttribute(chip, 'aria-pressed', String(chip.dataset['way'] === way));
    }
    chosen(way);
  }
  choose(way);
  const bar = { class: 'choice', role: 'group', 'aria-label': 'Way to sign in' };
  return { element: element('div', bar, ...chips), way: () => way };
}

/** A dialog that stays open until `enter` succeeds. */
export function createSignIn(enter: Enter): SignIn {
  const fields = createFields();
  const problem = element('p', { class: 'problem', role: 'alert' });
  const ways = createWays((way) => {
    fields.show(way);
    setText(problem, '');
  });
  const submit = element('button', { type: 'submit', class: 'primary' }, 'Sign in');
  const title = element('h2', { id: 'sign-in-title' }, 'Sign in to the robot');
  const form = element(
    'form',
    { method: 'dialog' },
    ...[icon('logo'), title, ways.element, ...fields.elements, problem, submit],
  );
  const named = { class: 'sign-in', 'aria-labelledby': 'sign-in-title' };
  const dialog = element('dialog', named, form);
  dialog.addEventListener('cancel', (event) => event.preventDefault());
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const way = ways.way();
    setAttribute(submit, 'disabled', true);
    const outcome = await enter(fields.read(way));
    setAttribute(submit, 'disabled', false);
    setText(problem, outcome.ok ? '' : failureText(way, outcome.error));
    if (outcome.ok) {
      localStorage.setItem(KEPT_WAY, way);
      fields.clear();
      dialog.close();
    } else fields.select(way);
  });
  return {
    element: dialog,
    show() {
      if (!dialog.open) dialog.showModal();
    },
    hide: () => dialog.close(),
  };
}
