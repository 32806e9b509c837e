/** What decides who can try tokens. */
interface ListenSettings {
  readonly token: string | null;
  readonly host: string;
}

/** Length below which a configured token is reported as guessable (characters). */
const SHORT_TOKEN = 20;

/** Addresses that only programs of this machine reach. */
const LOOPBACK = ['127.0.0.1', '::1', 'localhost'];

/** A warning about a token that is easy to guess and reachable by others; null for none. */
export function tokenWarning({ token, host }: ListenSettings): string | null {
  if (token === null || token.length >= SHORT_TOKEN || LOOPBACK.includes(host)) return null;
  const { length } = token;
  return `The API token has ${length} characters: who guesses it is admin. Use 32 random ones.`;
}
