/**
 * What clients of a service know, and how they act: they create, change and delete users, tokens,
 * toolpaths and workflows, and start and stop runs. What was acknowledged must be there whenever
 * they check, what was refused must not, a call that is repeated with its idempotency key creates
 * nothing more, and no id may be given twice. Test code.
 */

import { sampleWorkflow } from '../../../conformance/samples/sample-workflow.ts';
import { smallToolpath } from '../../toolpaths/small-toolpath.cases.ts';
import type { Receiver } from '../../webhooks/receiver.cases.ts';
import {
  type CallResult,
  type Entry,
  idIn,
  type Outcome,
  type ServiceCall,
} from './service-process.cases.ts';
import { RunHistoryModel } from './service-runs.cases.ts';

/** One object and what is known of it. */
interface Known {
  readonly kind: Kind;
  readonly id: number;
  /** Names that it may have; null: it may be deleted. */
  names: (string | null)[];
  /** The calls about it and their answers, in order, for the report of a violation. */
  readonly calls: string[];
  /** A call about it is in progress; there is one at a time. */
  isBusy: boolean;
}

/** A name, and the call from which it is known. */
interface Named {
  readonly name: string;
  readonly call: string;
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
/** Calls in the report of a violation. */
const REPORTED_CALLS = 6;

export class ServiceModel {
  readonly violations: string[] = [];
  readonly counts = { acknowledged: 0, refused: 0, unknown: 0 };
  readonly runs: RunHistoryModel;
  /** Share of the calls that start and stop runs. */
  runShare = 0.03;
  private readonly known = new Map<string, Known>();
  /** Creations whose outcome is not known, by name. */
  private readonly maybe = new Map<string, Kind>();
  /** Names of creations that were refused. */
  private readonly refused = new Set<string>();
  private readonly draw: () => number;
  private count = 0;

  constructor(draw: () => number, receiver: Receiver) {
    this.draw = draw;
    this.runs = new RunHistoryModel(receiver, this.violations);
  }

  /** Makes one call, drawn from all kinds. */
  async act(call: ServiceCall): Promise<void> {
    if (this.draw() < this.runShare) return this.actOnRuns(call);
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
    this.know({ kind, id, name, call: 'created' });
  }

  private know({ kind, id, name, call }: Pick<Known, 'kind' | 'id'> & Named): void {
    const calls = [...(this.known.get(`${kind} ${id}`)?.calls ?? []), `${name}: ${call}`];
    this.known.set(`${kind} ${id}`, { kind, id, names: [name], calls, isBusy: false });
  }

  private tally(outcome: Outcome): void {
    if (outcome === 'ok') this.counts.acknowledged += 1;
    else this.counts[outcome === 'fail' ? 'refused' : 'unknown'] += 1;
  }

  private async change(call: ServiceCall, one: Known): Promise<void> {
    const name = this.nameFor(one.kind);
    await this.edit(one, name, (path) => call(['PUT', path, this.bodyOf(one.kind, name)]));
  }

  private remove(call: ServiceCall, one: Known): Promise<void> {
    return this.edit(one, null, (path) => call(['DELETE', path]));
  }

  /** Makes a call that gives an object a name, or removes it (null). */
  private async edit(
    one: Known,
    name: string | null,
    make: (path: string) => Promise<CallResult>,
  ): Promise<void> {
    const before = one.names;
    one.names = [...before, name];
    const began_ms = performance.now();
    const { outcome, status, reply } = await make(`${PATHS[one.kind]}/${one.id}`);
    const took = `after ${Math.round(performance.now() - began_ms)} ms`;
    const answer = outcome === 'ok' ? '' : ` ${JSON.stringify(reply)}`;
    one.calls.push(`${name ?? 'removal'}: ${outcome} ${status} ${took}${answer}`);
    this.tally(outcome);
    if (outcome === 'ok') one.names = [name];
    if (outcome === 'fail') one.names = before;
  }

  /** Compares the service with what the clients were answered. */
  async check(call: ServiceCall): Promise<void> {
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
        const calls = one.calls.slice(-REPORTED_CALLS).join('; ');
        const expected = `${one.names.join(' or ')}, calls: ${calls}`;
        this.violations.push(`${kind} ${one.id} is ${name}, not ${expected}`);
      }
      // What was unknown is decided now.
      one.names = [name];
    }
    for (const [id, name] of found) {
      if (this.refused.has(name)) this.violations.push(`${name} was refused, and is there`);
      if (this.known.has(`${kind} ${id}`) || !this.maybe.has(name)) continue;
      this.know({ kind, id, name, call: 'found' });
      if (kind === 'tokens') this.maybe.delete(name);
    }
  }

  /** Repeats creations of unknown outcome: each gives what is there, or a new object. */
  private async repeatUnknown(call: ServiceCall): Promise<void> {
    for (const [name, kind] of [...this.maybe]) {
      this.maybe.delete(name);
      const same = [...this.known.values()].find(
        (one) => one.kind === kind && one.names[0] === name,
      );
      const { outcome, reply } = await this.creation(call, kind, name);
      // An object that is known may be removed before the next repetition, which answers the same.
      if (outcome === 'unknown' && !same) this.maybe.set(name, kind);
      if (outcome !== 'ok') continue;
      const id = idIn(reply);
      if (same && same.id !== id) this.violations.push(`${name} was created twice with one key`);
      if (!same) this.know({ kind, id, name, call: 'created again' });
    }
  }
}
