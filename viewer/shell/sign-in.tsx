/**
 * The sign-in dialog, by API token or by e-mail and password. Session storage keeps what a reload
 * needs: the token, or the session created with a password, never the password.
 */

import { type Signal, signal, useSignal } from '@preact/signals';
import type { TargetedSubmitEvent } from 'preact';
import type { Result } from '../../contract/result.ts';
import type { Credentials } from '../link/arm-calls.ts';
import type { CallFailure } from '../link/call-failure.ts';
import { failureNotice } from '../link/failure-notice.ts';
import { Chips } from '../ui/chips.tsx';
import { Logo } from '../ui/drawn-icon.tsx';
import { drawn } from '../ui/mount.ts';
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

const METHODS: readonly (readonly [SignInMethod, string])[] = [
  ['token', 'By token'],
  ['password', 'By password'],
];
const REJECTED: Record<SignInMethod, string> = {
  token: 'This token is not valid. Check that it was copied completely.',
  password: 'E-mail or password is wrong. Check both.',
};

function failureText(method: SignInMethod, failure: CallFailure): string {
  if (failure.kind === 'unreachable') return 'The robot does not respond. Check the address.';
  return failure.kind === 'signed-out' ? REJECTED[method] : failureNotice(failure).text;
}

interface SignInFieldProps {
  readonly name: string;
  readonly label: string;
  readonly isSecret?: boolean;
  readonly autocomplete: string;
  readonly disabled: boolean;
}

/** A field under its label. */
function SignInField({ name, label, isSecret = false, ...attributes }: SignInFieldProps) {
  const id = `sign-in-${name}`;
  const shared = { id, name, class: 'field', required: true, spellcheck: false, ...attributes };
  return (
    <>
      <label for={id}>{label}</label>
      {isSecret ? (
        <input type="password" {...shared} />
      ) : (
        <input type="text" inputMode="email" {...shared} />
      )}
    </>
  );
}

/** Fields of the method that is not chosen are hidden, and disabled: a form sends none of them. */
function MethodFields({ method }: { readonly method: SignInMethod }) {
  const isToken = method === 'token';
  return (
    <>
      <div class="sign-in-method" hidden={!isToken}>
        <p>The server prints a token when it first starts.</p>
        <SignInField
          name="token"
          label="API token"
          isSecret
          autocomplete="off"
          disabled={!isToken}
        />
      </div>
      <div class="sign-in-method" hidden={isToken}>
        <SignInField name="email" label="E-mail" autocomplete="username" disabled={isToken} />
        <SignInField
          name="password"
          label="Password"
          isSecret
          autocomplete="current-password"
          disabled={isToken}
        />
      </div>
    </>
  );
}

/** What a form says of its user. */
function credentialsIn(form: HTMLFormElement): Credentials {
  const given = new FormData(form);
  const text = (name: string) => String(given.get(name) ?? '');
  return given.has('token')
    ? { token: text('token').trim() }
    : { email: text('email').trim(), password: text('password') };
}

const secretsIn = (form: HTMLFormElement) =>
  form.querySelectorAll<HTMLInputElement>('[type="password"]');

interface SignInDialogProps {
  readonly signIn: SignInAction;
  /** What stands in the way of signing in; empty for nothing. */
  readonly problem: Signal<string>;
}

function SignInDialog({ signIn, problem }: SignInDialogProps) {
  const method = useSignal<SignInMethod>(
    preferences.read().signInMethod === 'password' ? 'password' : 'token',
  );
  const isBusy = useSignal(false);
  function choose(next: SignInMethod): void {
    method.value = next;
    problem.value = '';
  }
  async function submit(event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const form = event.currentTarget;
    const [used, credentials] = [method.value, credentialsIn(form)];
    isBusy.value = true;
    const outcome = await signIn(credentials);
    isBusy.value = false;
    problem.value = outcome.ok ? '' : failureText(used, outcome.error);
    if (!outcome.ok) {
      for (const secret of secretsIn(form)) if (!secret.disabled) secret.select();
      return;
    }
    preferences.update({ signInMethod: used });
    for (const secret of secretsIn(form)) secret.value = '';
    form.closest('dialog')?.close();
  }
  return (
    <dialog
      class="sign-in"
      aria-labelledby="sign-in-title"
      onCancel={(event) => event.preventDefault()}
    >
      <form method="dialog" onSubmit={submit}>
        <Logo />
        <h2 id="sign-in-title">Sign in to the robot</h2>
        <Chips
          label="Sign-in method"
          options={METHODS}
          isOn={(each) => each === method.value}
          press={choose}
        />
        <MethodFields method={method.value} />
        <p class="problem" role="alert">
          {problem}
        </p>
        <button type="submit" class="primary" disabled={isBusy.value}>
          Sign in
        </button>
      </form>
    </dialog>
  );
}

/** Creates the dialog; it stays open until `signIn` succeeds. */
export function createSignIn(signIn: SignInAction): SignIn {
  const problem = signal('');
  const dialog = drawn(<SignInDialog {...{ signIn, problem }} />) as HTMLDialogElement;
  return {
    element: dialog,
    show(reason = '') {
      if (dialog.open) return;
      problem.value = reason;
      dialog.showModal();
      dialog.querySelector<HTMLElement>('.field:enabled')?.focus();
    },
    hide: () => dialog.close(),
  };
}
