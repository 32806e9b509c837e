/** A twin as a process of its own, for histories over kills, and calls of its admin. Test code. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

export const TOKEN = 'token-of-the-history-checker-0123456789';
/** The built program if ARMTWIN_MAIN names it: it starts sooner. */
export const PROGRAM =
  process.env['ARMTWIN_MAIN'] ?? new URL('../../main.ts', import.meta.url).pathname;
const FULL_DISK = new URL('./full-disk.cases.mjs', import.meta.url).href;
/** Clock factor: a run of the sample workflow takes a second. */
const PACE = '20';

export interface ServiceProcess {
  readonly child: ChildProcess;
  readonly url: string;
}

/** The program and its data folder. */
export interface ServiceFiles {
  readonly main: string;
  readonly data: string;
  readonly clock?: 'stepped';
}

/** What fails between two SIGUSR2. */
export type DiskFault = 'write' | 'sync';

function launch({ main, data, clock }: ServiceFiles, fault: DiskFault): ChildProcess {
  const flags = ['--data', data, '--port', '0', '--token', TOKEN, '--driver', 'fast'];
  const loaders = [...(main.endsWith('.ts') ? ['--import', 'tsx'] : []), '--import', FULL_DISK];
  const args = [...loaders, main, ...flags, '--clock', clock ?? PACE, '--log-level', 'silent'];
  const env = { ...process.env, DISK_FAULT: fault };
  return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
}

/** Starts a twin on a folder. */
export async function startService(files: ServiceFiles, fault: DiskFault): Promise<ServiceProcess> {
  const child = launch(files, fault);
  let [text, errors] = ['', ''];
  child.stderr!.on('data', (chunk) => (errors += String(chunk)));
  for await (const chunk of child.stdout!) {
    text += String(chunk);
    const url = /ready (\S+)\n/.exec(text)?.[1];
    if (url) return { child, url };
  }
  throw new Error(`the service did not start: ${errors}`);
}

/** The end of a second instance on the folder: its exit code and message. */
export async function challenge(files: ServiceFiles): Promise<string> {
  const child = launch(files, 'write');
  let text = '';
  child.stderr!.on('data', (chunk) => (text += String(chunk)));
  const [code] = (await once(child, 'close')) as [number | null];
  return `${code} ${text}`;
}

export type Outcome = 'ok' | 'fail' | 'unknown';

export interface CallResult {
  readonly outcome: Outcome;
  readonly status: number;
  readonly reply: unknown;
}

/** Makes a call; an idempotency key goes with it if given. */
export type ServiceCall = (
  call: readonly [method: string, path: string, body?: object],
  key?: string,
) => Promise<CallResult>;

/** A refused call has not happened, unless the answer says that this is not known. */
export function outcomeOf(isOk: boolean, text: string): Outcome {
  if (isOk) return 'ok';
  return text.includes('It is not known') ? 'unknown' : 'fail';
}

/** Calls of a session of the admin, with the token of the start or another. */
export async function adminCalls(url: string, token = TOKEN): Promise<ServiceCall> {
  let session = '';
  const call: ServiceCall = async ([method, path, body], key) => {
    const headers = {
      Authorization: `Bearer ${session}`,
      ...(body && { 'Content-Type': 'application/json' }),
      ...(key !== undefined && { 'Idempotency-Key': key }),
    };
    try {
      const content = body ? { body: JSON.stringify(body) } : {};
      const got = await fetch(`${url}${path}`, { method, headers, ...content });
      const text = await got.text();
      const reply: unknown = text === '' ? null : JSON.parse(text);
      return { outcome: outcomeOf(got.ok, text), status: got.status, reply };
    } catch {
      return { outcome: 'unknown', status: 0, reply: null };
    }
  };
  const { reply } = await call(['POST', '/api/v1/auth', { token }]);
  ({ token: session } = reply as { token: string });
  return call;
}

/** An object in a list or reply. */
export interface Entry {
  readonly id: number;
  readonly name?: string;
  readonly email?: string;
}

/** The id of the object in a reply. */
export function idIn(reply: unknown): number {
  const { id, ...parts } = reply as { id?: number };
  const [made] = Object.values(parts).filter((part) => typeof part === 'object') as Entry[];
  return id ?? made!.id;
}
