/**
 * A history checker for the whole service, in the manner of Jepsen: clients create, change and
 * delete users, tokens and toolpaths of a process that is killed, stopped or challenged by another
 * instance. What was acknowledged must be there after each start, what was refused must not, and no
 * id may be given twice. Test code.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { seeded } from '../store/store-history.cases.ts';
import { smallToolpath } from '../toolpaths/small-toolpath.cases.ts';

const TOKEN = 'token-of-the-history-checker-0123456789';
const MAIN = new URL('../main.ts', import.meta.url).pathname;

interface Process {
  readonly child: ChildProcess;
  readonly url: string;
}

function launch(data: string): ChildProcess {
  const flags = ['--data', data, '--port', '0', '--token', TOKEN, '--driver', 'fast'];
  const args = ['--import', 'tsx', MAIN, ...flags, '--log-level', 'silent'];
  return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
}

async function serve(data: string): Promise<Process> {
  const child = launch(data);
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
async function challenge(data: string): Promise<string> {
  const child = launch(data);
  let text = '';
  child.stderr!.on('data', (chunk) => (text += String(chunk)));
  const [code] = (await once(child, 'close')) as [number | null];
  return `${code} ${text}`;
}

/** One object and what is known of it. */
interface Known {
  readonly kind: Kind;
  readonly id: number;
  /** Names that it may have; null: it may be deleted. */
  names: (string | null)[];
  /** A call about it is in progress; there is one at a time. */
  isBusy: boolean;
}

type Kind = 'toolpaths' | 'users' | 'tokens';

const PATHS: { readonly [Name in Kind]: string } = {
  toolpaths: '/api/v1/toolpaths',
  users: '/api/v1/users',
  tokens: '/api/v1/users/1/tokens',
};
const NAMED: { readonly [Name in Kind]: 'name' | 'email' } = {
  toolpaths: 'name',
  users: 'email',
  tokens: 'name',
};

interface Entry {
  readonly id: number;
  readonly name?: string;
  readonly email?: string;
}

export class ServiceHistory {
  readonly violations: string[] = [];
  acknowledged = 0;
  unknown = 0;
  private readonly known = new Map<string, Known>();
  /** Names of creations whose outcome is not known, and of those that were refused. */
  private readonly maybe = new Set<string>();
  private readonly refused = new Set<string>();
  private readonly data: string;
  private readonly draw: () => number;
  private count = 0;

  constructor(data: string, seed: number) {
    this.data = data;
    this.draw = seeded(seed);
  }

  /** One life of the process; ends with a kill. */
  async round(): Promise<void> {
    const { child, url } = await serve(this.data);
    const call = await sessionOf(url);
    await this.check(call);
    let isOver = false;
    const clients = Array.from({ length: 6 }, async () => {
      while (!isOver) await this.act(call);
    });
    await wait(20 + this.draw() * 250);
    if (this.draw() < 0.15) {
      if (this.draw() < 0.5) child.kill('SIGSTOP');
      const outcome = await challenge(this.data);
      if (!outcome.startsWith('1 ') || !outcome.includes('is in use by process')) {
        this.violations.push(`a second instance ended with ${outcome}`);
      }
      child.kill('SIGCONT');
      await wait(50);
    }
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    isOver = true;
    await Promise.all([...clients, ended]);
  }

  private async act(call: Call): Promise<void> {
    const kind = (['toolpaths', 'toolpaths', 'users', 'tokens'] as const)[(this.draw() * 4) | 0]!;
    const own = [...this.known.values()].filter((one) => one.kind === kind && !one.isBusy);
    const one = own[Math.floor(this.draw() * own.length)];
    const isFull = own.length > 40;
    if (!one || !(isFull || this.draw() < 0.5)) return this.create(call, kind);
    one.isBusy = true;
    if (kind === 'tokens' || this.draw() < 0.5) await this.remove(call, one);
    else await this.change(call, one);
    one.isBusy = false;
  }

  private nameFor(kind: Kind): string {
    this.count += 1;
    return kind === 'users' ? `u${this.count}@example.org` : `${kind} ${this.count}`;
  }

  private bodyOf(kind: Kind, name: string) {
    if (kind === 'users') return { email: name };
    return kind === 'tokens' ? { name } : { name, toolpath: smallToolpath() };
  }

  private async create(call: Call, kind: Kind): Promise<void> {
    const name = this.nameFor(kind);
    const password = kind === 'users' ? { password: 'long enough for anyone' } : {};
    const body = { ...this.bodyOf(kind, name), ...password };
    const { outcome, reply } = await call('POST', PATHS[kind], body);
    if (outcome === 'unknown') this.maybe.add(name);
    if (outcome === 'fail') this.refused.add(name);
    this.tally(outcome);
    if (outcome !== 'ok') return;
    const found = reply as { id?: number; user?: Entry; toolpath?: Entry };
    const id = found.id ?? found.user?.id ?? found.toolpath!.id;
    const key = `${kind} ${id}`;
    if (this.known.has(key)) this.violations.push(`${key} was given twice`);
    this.known.set(key, { kind, id, names: [name], isBusy: false });
  }

  private tally(outcome: Outcome): void {
    if (outcome === 'ok') this.acknowledged += 1;
    if (outcome === 'unknown') this.unknown += 1;
  }

  private async change(call: Call, one: Known): Promise<void> {
    const name = this.nameFor(one.kind);
    const before = one.names;
    one.names = [...before, name];
    const path = `${PATHS[one.kind]}/${one.id}`;
    const { outcome } = await call('PUT', path, this.bodyOf(one.kind, name));
    this.tally(outcome);
    if (outcome === 'ok') one.names = [name];
    if (outcome === 'fail') one.names = before;
  }

  private async remove(call: Call, one: Known): Promise<void> {
    const before = one.names;
    one.names = [...before, null];
    const { outcome } = await call('DELETE', `${PATHS[one.kind]}/${one.id}`, undefined);
    this.tally(outcome);
    if (outcome === 'ok') one.names = [null];
    if (outcome === 'fail') one.names = before;
  }

  /** Compares the service with what the clients were answered. */
  private async check(call: Call): Promise<void> {
    for (const kind of ['toolpaths', 'users', 'tokens'] as const) {
      const { reply } = await call('GET', PATHS[kind], undefined);
      const list = (reply as { readonly [Name in Kind]: Entry[] })[kind];
      const found = new Map(list.map((entry) => [entry.id, entry[NAMED[kind]]!]));
      for (const one of this.known.values()) {
        if (one.kind !== kind) continue;
        const name = found.get(one.id) ?? null;
        if (!one.names.includes(name)) {
          this.violations.push(`${kind} ${one.id} is ${name}, not ${one.names.join(' or ')}`);
        }
        // What was unknown is decided now.
        one.names = [name];
      }
      for (const [id, name] of found) {
        if (this.refused.has(name)) this.violations.push(`${name} was refused, and is there`);
        if (this.known.has(`${kind} ${id}`)) continue;
        if (!this.maybe.has(name)) continue;
        this.known.set(`${kind} ${id}`, { kind, id, names: [name], isBusy: false });
      }
    }
  }
}

type Outcome = 'ok' | 'fail' | 'unknown';
type Call = (
  method: string,
  path: string,
  body: object | undefined,
) => Promise<{ readonly outcome: Outcome; readonly reply: unknown }>;

/** Calls of an admin's session. */
async function sessionOf(url: string): Promise<Call> {
  let session = '';
  const call: Call = async (method, path, body) => {
    const headers = { Authorization: `Bearer ${session}`, 'Content-Type': 'application/json' };
    const content = body ? { body: JSON.stringify(body) } : {};
    try {
      const reply = await fetch(`${url}${path}`, { method, headers, ...content });
      const text = await reply.text();
      return { outcome: reply.ok ? 'ok' : 'fail', reply: text === '' ? null : JSON.parse(text) };
    } catch {
      return { outcome: 'unknown', reply: null };
    }
  };
  const { reply } = await call('POST', '/api/v1/auth', { token: TOKEN });
  ({ token: session } = reply as { token: string });
  return call;
}
