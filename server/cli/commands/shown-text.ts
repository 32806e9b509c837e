import { printable } from '../printable.ts';

/** The longest text of a service that is printed. */
const SHOWN_MAX = 200;
/** Shorter tokens also occur in other words; generated ones are longer. */
const SECRET_MIN = 8;

/** A text of a service as one line for a terminal: cut, without secrets and control characters. */
export function shownText(
  text: string,
  secrets: readonly (string | undefined)[] = [],
  longest = SHOWN_MAX,
): string {
  const hidden = secrets.reduce<string>(
    (seen, secret = '') => (secret.length < SECRET_MIN ? seen : seen.replaceAll(secret, '***')),
    text,
  );
  const cut = hidden.length > longest ? `${hidden.slice(0, longest)}…` : hidden;
  return printable(cut);
}
