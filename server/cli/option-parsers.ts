/** Parsers of option values, with an error message for each invalid one. */

import { isIP } from 'node:net';
import { type DocumentKind, otherKindProblem, textKind } from '../../contract/document-kind.ts';
import { jsonFaultText } from '../../contract/json-text.ts';
import { limits } from '../../contract/limits.ts';
import { failure, type Result, success } from '../../contract/result.ts';
import type {
  AddFaultBody,
  ArmProfile,
  Cell,
  RehearsalExpectations,
  SeedBody,
} from '../../contract/types.generated.ts';
import { validate } from '../../contract/validator.ts';
import { checkCell } from '../../physics/cell/check-cell.ts';
import { profileProblems } from '../../physics/motion/arm-profile.ts';
import type { Config } from './config.ts';
import { readInputFile } from './input-file.ts';
import { parsePace } from './pace.ts';
import { printable } from './printable.ts';
import { type Shard, shardOf } from './shard.ts';
import { startupErrorText } from './startup-errors.ts';

/** A parsed value, or the error message. */
export type Parsed<Value> = Result<Value, string>;

/** The pace of the clock. */
export function pace(text: string): Parsed<Config['pace']> {
  const parsed = parsePace(text);
  if (!parsed) return failure('It must be 1, a multiple such as 10, max or stepped.');
  return success(parsed);
}

/** A port to listen on. */
export function port(text: string): Parsed<number> {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0 || value > 65535) {
    return failure('It must be a whole number from 0 to 65535; 0 selects a free port.');
  }
  return success(value);
}

/** Host names or addresses, separated by commas; names in lower case. */
export function addresses(text: string): Parsed<string[]> {
  // A port says nothing: the twin answers at every one.
  const bare = (one: string) => one.replace(/^([^:]+|\[.*\]):\d+$/, '$1').replace(/^\[|\]$/g, '');
  const list = text.split(',').map((one) => bare(one.trim()).toLowerCase());
  if (list.every((one) => /^[\w.:-]+$/.test(one))) return success(list);
  return failure('It must be an address such as 172.16.16.2; several are separated by commas.');
}

/** Process ids, separated by commas. */
export function processes(text: string): Parsed<number[]> {
  if (!/^[1-9]\d{0,9}(,[1-9]\d{0,9}){0,7}$/.test(text)) {
    return failure('It must be a process id, or up to eight separated by commas.');
  }
  return success(text.split(',').map(Number));
}

/** A number of things, at least one. */
export function count(text: string): Parsed<number> {
  if (/^[1-9]\d{0,5}$/.test(text)) return success(Number(text));
  return failure('It must be a whole number from 1 to 999999.');
}

/** A shard of files. */
export function shard(text: string): Parsed<Shard> {
  const parsed = shardOf(text);
  if (!parsed) return failure('It must be a shard such as 2/8, counted from 1.');
  return success(parsed);
}

function urlOf(text: string): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isWeb = url && /^https?:$/.test(url.protocol);
  return isWeb && !url.search && !url.hash && !url.username ? url : null;
}

/** The base URL of an arm, without a trailing slash. */
export function address(text: string): Parsed<string> {
  const url = urlOf(text);
  if (!url) {
    return failure('It must be an address such as http://192.168.1.20.');
  }
  return success(url.origin + url.pathname.replace(/\/+$/, ''));
}

/** A time zone name. */
export function timezone(text: string): Parsed<string> {
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return success(text);
  } catch {
    return failure('It must be a time zone such as UTC or Europe/London.');
  }
}

/** Snapshots a second that show a motion, and that an arm can answer. */
const SNAPSHOT_RATE_MIN_HZ = 5;
const SNAPSHOT_RATE_MAX_HZ = 100;

/** Errors of a file that are printed: a file of another format has many. */
const MAX_ERRORS = 6;

/** Greatest length of an option (mm): that of an injected offset. */
const MM_MAX = 1000;

/** Reads JSON of a kind from a file; another kind of document is named. */
function jsonFile(path: string, wanted: DocumentKind): Parsed<unknown> {
  let text: string;
  try {
    text = readInputFile(path);
  } catch (error) {
    return failure(`Cannot read ${path}: ${startupErrorText(error)}`);
  }
  const otherKind = otherKindProblem(textKind(text), wanted);
  if (otherKind !== null) return failure(`${path} ${otherKind}`);
  try {
    return success(JSON.parse(text));
  } catch {
    return failure(`Cannot read ${path}: it is not JSON: ${printable(jsonFaultText(text))}`);
  }
}

type FileSchema = 'SeedBody' | 'AddFaultBody' | 'Cell' | 'ArmProfile' | 'RehearsalExpectations';

/** Validates JSON of a file; schema errors are listed with their JSON pointers. */
function checked<Name extends FileSchema>(name: Name, value: unknown, what: string) {
  const result = validate(name, value, { dialect: 'documented' });
  if (result.ok) return success(result.value.value);
  const lines = result.error.map(({ path: pointer, problem }) => `  ${pointer} ${problem}`);
  if (lines.length > MAX_ERRORS) lines.splice(MAX_ERRORS, lines.length, '  and more');
  return failure(`${what}:\n${lines.join('\n')}`);
}

/** Reads a cell from a file. */
export function cell(path: string): Parsed<Cell> {
  const read = jsonFile(path, 'cell');
  const result = read.ok ? checked('Cell', read.value, `${path} is not a valid cell`) : read;
  if (!result.ok) return result;
  const problems = checkCell(result.value);
  if (problems.length === 0) return result;
  const lines = problems.slice(0, MAX_ERRORS).map((one) => `  ${one.path} ${one.problem}`);
  return failure(`${path} is not a valid cell:\n${lines.join('\n')}`);
}

/** Reads what a rehearsal expects from a file. */
export function expectations(path: string): Parsed<RehearsalExpectations> {
  const read = jsonFile(path, 'expectations');
  const what = `${path} is not a valid file of expectations`;
  return read.ok ? checked('RehearsalExpectations', read.value, what) : read;
}

/** Reads a profile of an arm from a file. */
export function profile(path: string): Parsed<ArmProfile> {
  const read = jsonFile(path, 'profile');
  const what = `${path} is not a valid profile`;
  const result = read.ok ? checked('ArmProfile', read.value, what) : read;
  if (!result.ok) return result;
  const lines = profileProblems(result.value).map((one) => `  ${one.path} ${one.problem}`);
  return lines.length === 0 ? result : failure(`${what}:\n${lines.join('\n')}`);
}

/** Reads an initial state from a file. */
export function seed(path: string): Parsed<SeedBody> {
  const read = jsonFile(path, 'seed');
  return read.ok ? checked('SeedBody', read.value, `${path} is not a valid seed`) : read;
}

/** Reads a fault, or a list of faults, from a file. */
export function faults(path: string): Parsed<AddFaultBody[]> {
  const read = jsonFile(path, 'faults');
  if (!read.ok) return read;
  const list: AddFaultBody[] = [];
  for (const [at, value] of [read.value].flat().entries()) {
    const fault = checked('AddFaultBody', value, `${path}: fault ${at + 1} is not valid`);
    if (!fault.ok) return fault;
    list.push(fault.value);
  }
  return success(list);
}

/** Collects the values of an option that is given several times. */
export function lines(text: string, before: readonly string[] = []): Parsed<readonly string[]> {
  return success([...before, text]);
}

/** A duration (s). */
export function seconds(text: string): Parsed<number> {
  const value = Number(text);
  if (!(value >= 0)) return failure('It must be a number of seconds.');
  return success(value);
}

/** A length (mm). */
export function millimetres(text: string): Parsed<number> {
  const value = Number(text);
  if (text.trim() !== '' && value >= 0 && value <= MM_MAX) return success(value);
  return failure(`It must be a length from 0 to ${MM_MAX} mm.`);
}

/** Snapshots a second. */
export function snapshotRate(text: string): Parsed<number> {
  const value = Number(text);
  if (value >= SNAPSHOT_RATE_MIN_HZ && value <= SNAPSHOT_RATE_MAX_HZ) return success(value);
  return failure(`It must be from ${SNAPSHOT_RATE_MIN_HZ} to ${SNAPSHOT_RATE_MAX_HZ} a second.`);
}

/** The mass of a payload (kg). */
export function payload(text: string): Parsed<number> {
  const value = Number(text);
  const most = limits.payload_max_kg;
  if (text.trim() !== '' && value >= 0 && value <= most) return success(value);
  return failure(`It must be a mass from 0 to ${most} kg.`);
}

/** A mass (kg). */
export function mass(text: string): Parsed<number> {
  const value = Number(text);
  if (value > 0 && Number.isFinite(value)) return success(value);
  return failure('It must be a mass above 0 kg.');
}

/** A text that is not empty. */
export function filled(text: string): Parsed<string> {
  if (text.trim() === '') return failure('It must not be empty.');
  return success(text);
}

/** An API token: printable ASCII without spaces. */
export function secret(text: string): Parsed<string> {
  if (!/^[\x21-\x7e]{1,512}$/.test(text)) {
    return failure('It must be 1 to 512 printable ASCII characters without spaces.');
  }
  return success(text);
}

/** Reads a secret from a file, without the line end that editors add; `parse` checks it. */
export function secretFile(parse: (text: string) => Parsed<string>) {
  return (path: string): Parsed<string> => {
    try {
      const parsed = parse(readInputFile(path).replace(/\r?\n$/, ''));
      return parsed.ok ? parsed : failure(`The content of ${path}: ${parsed.error}`);
    } catch (error) {
      return failure(`Cannot read ${path}: ${startupErrorText(error)}`);
    }
  };
}

/** Validates the first user by the schema of the API. */
function userPart(name: 'email' | 'password', text: string): Parsed<string> {
  const user = { email: 'ada@example.org', password: 'long enough', [name]: text };
  const result = validate('CreateUserBody', user, { dialect: 'documented' });
  if (result.ok) return success(text);
  return failure(`It ${result.error[0]!.problem}.`);
}

/** The name of the robot, as a seed may give it. */
export function nameOfRobot(text: string): Parsed<string> {
  const result = validate('SeedBody', { name: text }, { dialect: 'documented' });
  return result.ok ? success(text) : failure(`It ${result.error[0]!.problem}.`);
}

/** The e-mail of the first user. */
export function email(text: string): Parsed<string> {
  return userPart('email', text);
}

/** The password of the first user. */
export function password(text: string): Parsed<string> {
  return userPart('password', text);
}

/** Host names without ports, `*.` before a name for those below it, or `*` for any. */
export function hosts(text: string, before: readonly string[] = []): Parsed<readonly string[]> {
  const names = text.split(/[\s,]+/).filter((name) => name !== '');
  if (names.length === 0 || !names.every((name) => /^(\*|(\*\.)?[\w-][\w.-]*)$/.test(name))) {
    return failure('It must be host names such as twin.example.org, without ports, or *.');
  }
  return success([...before, ...names]);
}

/** Whether a text is an IP address, or a network such as 10.0.0.0/8. */
function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const kind = isIP(address);
  if (kind === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (kind === 4 ? 32 : 128));
}

/** Addresses and networks of proxies. */
export function proxies(text: string, before: readonly string[] = []): Parsed<readonly string[]> {
  const names = text.split(/[\s,]+/).filter((name) => name !== '');
  if (names.length === 0 || !names.every(isNetwork)) {
    return failure('It must be IP addresses or networks such as 10.0.0.2 or 10.0.0.0/8.');
  }
  return success([...before, ...names]);
}

/** Origins: scheme, host and port, or `*` for any. */
export function origins(text: string, before: readonly string[] = []): Parsed<readonly string[]> {
  if (text === '*') return success([...before, text]);
  const url = urlOf(text);
  if (url?.pathname !== '/') {
    return failure('It must be an origin such as http://localhost:5173, or *.');
  }
  return success([...before, url.origin]);
}
