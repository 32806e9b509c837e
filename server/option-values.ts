/**
 * What the values of options turn into, and what is said of one that means nothing. Apart from the
 * command line because each is about its own matter.
 */
import { readFileSync } from 'node:fs';
import { failure, type Result, success } from '../contract/result.ts';
import type { SeedBody } from '../contract/types.ts';
import { validate } from '../contract/validator.ts';
import { type Config, paceOf } from './config.ts';
import { startTrouble } from './start-trouble.ts';
import { type Shard, shardOf } from './verbs/shard.ts';

/** What a text means, or what it should have been. */
export type Read<Value> = Result<Value, string>;

/** A pace of time. */
export function pace(text: string): Read<Config['pace']> {
  const parsed = paceOf(text);
  if (!parsed) return failure('It must be 1, a multiple such as 10, max or stepped.');
  return success(parsed);
}

/** A port to listen on. */
export function port(text: string): Read<number> {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0 || value > 65535) {
    return failure('It must be a whole number from 0 to 65535; 0 takes a free one.');
  }
  return success(value);
}

/** A share of many files. */
export function shard(text: string): Read<Shard> {
  const parsed = shardOf(text);
  if (!parsed) return failure('It must be a share such as 2/8, counted from 1.');
  return success(parsed);
}

function urlOf(text: string): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isWeb = url && /^https?:$/.test(url.protocol);
  return isWeb && !url.search && !url.hash && !url.username ? url : null;
}

/** The address of an arm, without what follows the last slash. */
export function address(text: string): Read<string> {
  const url = urlOf(text);
  if (!url) {
    return failure('It must be an address such as http://192.168.1.20.');
  }
  return success(url.origin + url.pathname.replace(/\/+$/, ''));
}

/** A time zone by its name. */
export function timezone(text: string): Read<string> {
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return success(text);
  } catch {
    return failure('It must be a time zone such as UTC or Europe/London.');
  }
}

/** So many faults of a file are told: one that is about something else has many. */
const LINES_MAX = 6;

/** A seed of a file, judged by its schema; whatever is wrong is told with its place. */
export function seed(path: string): Read<SeedBody> {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    return failure(`${path} cannot be read: ${startTrouble(error)}`);
  }
  const result = validate('SeedBody', value, { dialect: 'documented' });
  if (result.ok) return success(result.value.value);
  const lines = result.error.map(({ path: place, problem }) => `  ${place} ${problem}`);
  if (lines.length > LINES_MAX) lines.splice(LINES_MAX, lines.length, '  and more');
  return failure(`${path} is no seed:\n${lines.join('\n')}`);
}

/** A duration (s). */
export function seconds(text: string): Read<number> {
  const value = Number(text);
  if (!(value >= 0)) return failure('It must be a number of seconds.');
  return success(value);
}

/** A word that is there. */
export function filled(text: string): Read<string> {
  if (text.trim() === '') return failure('It must not be empty.');
  return success(text);
}

/** An API token, as a header and a log-in can carry it. */
export function secret(text: string): Read<string> {
  if (!/^[\x21-\x7e]{1,512}$/.test(text)) {
    return failure('It must be 1 to 512 letters, digits and signs, no spaces.');
  }
  return success(text);
}

/** The first user is held to what the API asks of every other. */
function userPart(name: 'email' | 'password', text: string): Read<string> {
  const user = { email: 'ada@example.org', password: 'long enough', [name]: text };
  const result = validate('CreateUserBody', user, { dialect: 'documented' });
  if (result.ok) return success(text);
  return failure(`It ${result.error[0]!.problem}.`);
}

/** The e-mail of the first user. */
export function email(text: string): Read<string> {
  return userPart('email', text);
}

/** The password of the first user. */
export function password(text: string): Read<string> {
  return userPart('password', text);
}

/** Origins as browsers write them: scheme, host and port, or `*` for any. */
export function origins(text: string, before: readonly string[] = []): Read<readonly string[]> {
  if (text === '*') return success([...before, text]);
  const url = urlOf(text);
  if (url?.pathname !== '/') {
    return failure('It must be an origin such as http://localhost:5173, or *.');
  }
  return success([...before, url.origin]);
}
