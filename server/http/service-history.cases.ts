/**
 * A history checker for the whole service, in the manner of Jepsen: clients create, change and
 * delete users, tokens, toolpaths and workflows, start and stop runs, and contend for the lock, of
 * a process that is killed, stopped, challenged by another instance, or whose disk is full. What
 * was acknowledged must be there after each start, what was refused must not, a call that is
 * repeated with its idempotency key creates nothing more, and no id may be given twice. Test code.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { sampleWorkflow } from '../../contract/rules/samples.ts';
import type { RoundResult } from '../rounds.cases.ts';
import { seeded } from '../store/store-history.cases.ts';
import { smallToolpath } from '../toolpaths/small-toolpath.cases.ts';
import { openReceiver, type Receiver } from '../webhooks/receiver.cases.ts';
import { LockClients } from './service-lock.cases.ts';
import {
  adminCalls,
  type CallResult,
  challenge,
  type Entry,
  idIn,
  type Outcome,
  PROGRAM,
  type ServiceCall,
  type ServiceFiles,
  type ServiceProcess,
  startService,
} from './service-process.cases.ts';
import { RunHistoryModel } from './service-runs.cases.ts';

/** One object and what is known of it. */
interface Known {
  readonly kind: Kind;
  readonly id: number;
  /** Names that it may have; null: it may be deleted. */
  names: (string | null)[];
  /** A call about it is in progress; there is one at a time. */
  isBusy: boolean;
}

const KINDS = ['toolpaths', 'users', 'tokens', 'workflows'] as const;
type Kind = (typeof KINDS)[number];

const PATHS: { readonly [Name in Kind]: string } = {
  toolpaths: '/api/v1/toolpaths',
  users: '/api/v1/users',
  tokens: '/api/v1/users/1/tokens',
  workflows: '/workflow/v1/workflows',
};

const nameOf = ({ name, email }: Entry) => name ?? email!;
/** Most objects of a kind. */
const MANY = 40;
/** Most acknowledged calls of a life before its fate. */
const LONGEST_LIFE = 80;

export class ServiceHistory {
  readonly violations: string[] = [];
  readonly counts = { acknowledged: 0, refused: 0, unknown: 0, runs: 0, locks: 0, 'full disks': 0 };
  private readonly known = new Map<string, Known>();
  /** Creations whose outcome is not known, by name. */
  private readonly maybe = new Map<string, Kind>();
  /** Names of creations that were refused. */
  private readonly refused = new Set<string>();
  private readonly runs: RunHistoryModel;
  private readonly files: ServiceFiles;
  private readonly draw: () => number;
  private readonly lock: LockClients;
  private count = 0;

  constructor(files: ServiceFiles, seed: number, receiver: Receiver) {
    this.files = files;
    this.draw = seeded(seed);
    this.runs = new RunHistoryModel(receiver, this.violations);
    this.lock = new LockClients(this.violations, this.draw);
  }

  /** One life of the process; ends with a kill. */
  async round(): Promise<void> {
    const service = await startService(this.files, this.draw() < 0.5 ? 'write' : 'sync');
    const { child, url } = service;
    const call = await adminCalls(url);
    await this.check(call);
    let isOver = false;
    const clients = Array.from({ length: 6 }, async () => {
      while (!isOver) await this.act(call);
    });
    clients.push(this.lock.contend({ url, call, isOver: () => isOver }));
    await this.acknowledgements(1 + this.draw() * LONGEST_LIFE);
    const fate = this.draw();
    if (fate < 0.1) await this.competitor(service);
    else if (fate < 0.45) await this.fullDisk(service);
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    isOver = true;
    await Promise.all([...clients, ended]);
    this.counts.locks = this.lock.acknowledged;
  }

  /** Resolves after this many acknowledged calls: machines differ in speed. */
  private async acknowledgements(count: number): Promise<void> {
    const end = this.counts.acknowledged + count;
    for (let waited = 0; waited < 1000 && this.counts.acknowledged < end; waited++) await wait(5);
  }

  /** The last comparison, of all that is known. */
  async finish(): Promise<void> {
    const { child, url } = await startService(this.files, 'write');
    const call = await adminCalls(url);
    await this.check(call);
    await this.runs.settled(call);
    await this.runs.check(call, true);
    this.counts.runs = this.runs.runs.size;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  }

  private async competitor({ child }: ServiceProcess): Promise<void> {
    if (this.draw() < 0.5) child.kill('SIGSTOP');
    const outcome = await challenge(this.files);
    if (!outcome.startsWith('1 ') || !outcome.includes('is in use by process')) {
      this.violations.push(`a second instance ended with ${outcome}`);
    }
    child.kill('SIGCONT');
    await wait(50);
  }

  /** Fills the disk, and frees it again in most cases. */
  private async fullDisk({ child }: ServiceProcess): Promise<void> {
    this.counts['full disks'] += 1;
    child.kill('SIGUSR2');
    await wait(50 + this.draw() * 150);
    if (this.draw() < 0.3) return;
    child.kill('SIGUSR2');
    await this.acknowledgements(this.draw() * LONGEST_LIFE);
  }

  private async act(call: ServiceCall): Promise<void> {
    if (this.draw() < 0.03) return this.actOnRuns(call);
    const kind = (['toolpaths', ...KINDS] as const)[(this.draw() * 5) | 0]!;
    const own = [...this.known.values()].filter(
      (one) => one.kind === kind && !one.isBusy && one.names.some((name) => name !== null),
    );
    const one = own[Math.floor(this.draw() * own.length)];
    if (!one || !(own.length > MANY || this.draw() < 0.5)) return this.create(call, kind);
    one.isBusy = true;
    if (kind === 'tokens' || this.draw() < 0.5) await this.remove(call, one);
    else await this.change(call, one);
    one.isBusy = false;
  }

  private async actOnRuns(call: ServiceCall): Promise<void> {
    const ids = [...this.runs.runs.keys()];
    const id = ids[Math.floor(this.draw() * ids.length)];
    const isStop = id !== undefined && this.draw() < 0.3;
    this.tally(await (isStop ? this.runs.stop(call, id) : this.runs.start(call)));
  }

  private nameFor(kind: Kind): string {
    this.count += 1;
    return kind === 'users' ? `u${this.count}@example.org` : `${kind} ${this.count}`;
  }

  private bodyOf(kind: Kind, name: string) {
    if (kind === 'users') return { email: name };
    if (kind === 'workflows') return { ...sampleWorkflow(), name };
    return kind === 'tokens' ? { name } : { name, toolpath: smallToolpath() };
  }

  private creation(call: ServiceCall, kind: Kind, name: string): Promise<CallResult> {
    const password = kind === 'users' ? { password: 'long enough for anyone' } : {};
    return call(['POST', PATHS[kind], { ...this.bodyOf(kind, name), ...password }], name);
  }

  private async create(call: ServiceCall, kind: Kind): Promise<void> {
    const name = this.nameFor(kind);
    const { outcome, reply } = await this.creation(call, kind, name);
    if (outcome === 'unknown') this.maybe.set(name, kind);
    if (outcome === 'fail') this.refused.add(name);
    this.tally(outcome);
    if (outcome !== 'ok') return;
    const id = idIn(reply);
    const key = `${kind} ${id}`;
    if (this.known.has(key)) this.violations.push(`${key} was given twice`);
    this.known.set(key, { kind, id, names: [name], isBusy: false });
  }

  private tally(outcome: Outcome): void {
    if (outcome === 'ok') this.counts.acknowledged += 1;
    else this.counts[outcome === 'fail' ? 'refused' : 'unknown'] += 1;
  }

  private async change(call: ServiceCall, one: Known): Promise<void> {
    const name = this.nameFor(one.kind);
    const before = one.names;
    one.names = [...before, name];
    const path = `${PATHS[one.kind]}/${one.id}`;
    const { outcome } = await call(['PUT', path, this.bodyOf(one.kind, name)]);
    this.tally(outcome);
    if (outcome === 'ok') one.names = [name];
    if (outcome === 'fail') one.names = before;
  }

  private async remove(call: ServiceCall, one: Known): Promise<void> {
    const before = one.names;
    one.names = [...before, null];
    const { outcome } = await call(['DELETE', `${PATHS[one.kind]}/${one.id}`]);
    this.tally(outcome);
    if (outcome === 'ok') one.names = [null];
    if (outcome === 'fail') one.names = before;
  }

  /** Compares the service with what the clients were answered. */
  private async check(call: ServiceCall): Promise<void> {
    await this.runs.prepare(call);
    for (const kind of KINDS) this.checkKind(kind, await this.listOf(call, kind));
    await this.repeatUnknown(call);
    await this.runs.check(call);
  }

  private async listOf(call: ServiceCall, kind: Kind): Promise<readonly Entry[]> {
    const { reply } = await call(['GET', PATHS[kind]]);
    return (reply as { readonly [Name in Kind]: Entry[] })[kind];
  }

  private checkKind(kind: Kind, list: readonly Entry[]): void {
    const found = new Map(list.map((entry) => [entry.id, nameOf(entry)]));
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
      if (this.known.has(`${kind} ${id}`) || !this.maybe.has(name)) continue;
      this.known.set(`${kind} ${id}`, { kind, id, names: [name], isBusy: false });
      if (kind === 'tokens') this.maybe.delete(name);
    }
  }

  /** Repeats creations of unknown outcome: each gives what is there, or a new object. */
  private async repeatUnknown(call: ServiceCall): Promise<void> {
    for (const [name, kind] of [...this.maybe]) {
      this.maybe.delete(name);
      const { outcome, reply } = await this.creation(call, kind, name);
      if (outcome === 'unknown') this.maybe.set(name, kind);
      if (outcome !== 'ok') continue;
      const id = idIn(reply);
      const same = [...this.known.values()].find(
        (one) => one.kind === kind && one.names[0] === name,
      );
      if (same && same.id !== id) this.violations.push(`${name} was created twice with one key`);
      if (!same) this.known.set(`${kind} ${id}`, { kind, id, names: [name], isBusy: false });
    }
  }
}

/** Plays lives of a service on a new folder, from a seed. */
export async function playServiceHistory({
  seed,
  lives,
  main = PROGRAM,
}: {
  readonly seed: number;
  readonly lives: number;
  readonly main?: string;
}): Promise<RoundResult> {
  const data = mkdtempSync(join(tmpdir(), 'armtwin-history-'));
  const receiver = await openReceiver();
  const history = new ServiceHistory({ main, data }, seed, receiver);
  try {
    for (let life = 0; life < lives; life++) await history.round();
    await history.finish();
  } finally {
    await receiver.close();
  }
  const { violations, counts } = history;
  // The folder of a violation stays for the examination.
  if (violations.length === 0) rmSync(data, { recursive: true });
  else violations.push(`the data is in ${data}`);
  return {
    violations: violations.map((text) => `seed ${seed}: ${text}`),
    counts: { lives, ...counts },
  };
}
