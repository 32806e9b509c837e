/**
 * What the values of options turn into, and what is said of one that means nothing. Apart from the
 * command line because each is about its own matter.
 */
import { readFileSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import type { SeedBody } from '../contract/types.ts';
import { validate } from '../contract/validator.ts';
import { type Config, paceOf } from './config.ts';
import { startTrouble } from './start-trouble.ts';
import { type Shard, shardOf } from './verbs/shard.ts';

export function pace(text: string): Config['pace'] {
  const parsed = paceOf(text);
  if (!parsed)
    throw new InvalidArgumentError('It must be 1, a multiple such as 10, max or stepped.');
  return parsed;
}

export function port(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0 || value > 65535) {
    throw new InvalidArgumentError(
      'It must be a whole number from 0 to 65535; 0 takes a free one.',
    );
  }
  return value;
}

export function shard(text: string): Shard {
  const parsed = shardOf(text);
  if (!parsed) throw new InvalidArgumentError('It must be a share such as 2/8, counted from 1.');
  return parsed;
}

function urlOf(text: string): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isWeb = url && /^https?:$/.test(url.protocol);
  return isWeb && !url.search && !url.hash && !url.username ? url : null;
}

/** The address of an arm, without what follows the last slash. */
export function address(text: string): string {
  const url = urlOf(text);
  if (!url) {
    throw new InvalidArgumentError('It must be an address such as http://192.168.1.20.');
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}

export function timezone(text: string): string {
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return text;
  } catch {
    throw new InvalidArgumentError('It must be a time zone such as UTC or Europe/London.');
  }
}

/** So many faults of a file are told: one that is about something else has many. */
const LINES_MAX = 6;

/** A seed of a file, judged by its schema; whatever is wrong is told with its place. */
export function seed(path: string): SeedBody {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new InvalidArgumentError(`${path} cannot be read: ${startTrouble(error)}`);
  }
  const result = validate('SeedBody', value, { dialect: 'documented' });
  if (result.ok) return result.value.value;
  const lines = result.error.map(({ path: place, problem }) => `  ${place} ${problem}`);
  if (lines.length > LINES_MAX) lines.splice(LINES_MAX, lines.length, '  and more');
  throw new InvalidArgumentError(`${path} is no seed:\n${lines.join('\n')}`);
}

export function seconds(text: string): number {
  const value = Number(text);
  if (!(value >= 0)) throw new InvalidArgumentError('It must be a number of seconds.');
  return value;
}

/** A word that is there. */
export function filled(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It must not be empty.');
  return text;
}

/** An API token, as a header and a log-in can carry it. */
export function secret(text: string): string {
  if (!/^[\x21-\x7e]{1,512}$/.test(text)) {
    throw new InvalidArgumentError('It must be 1 to 512 letters, digits and signs, no spaces.');
  }
  return text;
}

/** The first user is held to what the API asks of every other. */
function userPart(name: 'email' | 'password', text: string): string {
  const user = { email: 'ada@example.org', password: 'long enough', [name]: text };
  const result = validate('CreateUserBody', user, { dialect: 'documented' });
  if (result.ok) return text;
  throw new InvalidArgumentError(`It ${result.error[0]!.problem}.`);
}

export function email(text: string): string {
  return userPart('email', text);
}

export function password(text: string): string {
  return userPart('password', text);
}

/** Origins as browsers write them: scheme, host and port, or `*` for any. */
export function origins(text: string, before: readonly string[] = []): readonly string[] {
  if (text === '*') return [...before, text];
  const url = urlOf(text);
  if (url?.pathname !== '/') {
    throw new InvalidArgumentError('It must be an origin such as http://localhost:5173, or *.');
  }
  return [...before, url.origin];
}
