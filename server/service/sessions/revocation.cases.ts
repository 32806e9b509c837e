/**
 * Rounds of a model: a user starts calls of every kind, whose bodies arrive slowly or which wait
 * for plans, hashes and the disk; then the user's rights are revoked. From the acknowledgement of
 * the revocation on nothing that these calls do may happen. Test code.
 */

import { type ClientRequest, request } from 'node:http';
import fc from 'fast-check';
import { vi } from 'vitest';
import { sampleWorkflow } from '../../../conformance/samples/sample-workflow.ts';
import type { RunRecord } from '../../../scheduler/archive/run-record.ts';
import { Store } from '../../store/store.ts';
import {
  type ApiFixture,
  type HttpReply,
  PASSWORD,
  startApiFixture,
  type TestUser,
} from '../http/api-fixture.cases.ts';
import { ACTIONS, type Action, type Ids, named, WORKCELL } from './revocation-calls.cases.ts';

/** How rights are revoked: by the admin, or by the user. */
export const REVOCATIONS = {
  'delete the token': ({ id, tokenId }) => ['DELETE', `/api/v1/users/${id}/tokens/${tokenId}`],
  'delete the user': ({ id }) => ['DELETE', `/api/v1/users/${id}`],
  'change the password': ({ id }) => ['PUT', `/api/v1/users/${id}`, { password: `${PASSWORD} 3` }],
  'take the role': ({ id }) => ['PUT', `/api/v1/users/${id}`, { role: 'user' }],
  'log out': () => ['DELETE', '/api/v1/auth'],
} satisfies Record<
  string,
  (of: { id: number; tokenId: number }) => readonly [string, string, object?]
>;

export type Revocation = keyof typeof REVOCATIONS;

/** One round: the calls, in which way each is late, and the revocation. */
export interface Round {
  readonly revocation: Revocation;
  readonly calls: readonly { readonly action: number; readonly isSlow: boolean }[];
  /** Turns of the event loop between the calls and the revocation. */
  readonly turns: number;
}

/** Random rounds. */
export const ROUNDS: fc.Arbitrary<Round> = fc.record({
  revocation: fc.constantFrom(...(Object.keys(REVOCATIONS) as Revocation[])),
  calls: fc.array(fc.record({ action: fc.nat(ACTIONS.length - 1), isSlow: fc.boolean() }), {
    minLength: 3,
    maxLength: 8,
  }),
  turns: fc.nat(60),
});

type StoredRun = Pick<RunRecord, 'head'>;

interface LateCall {
  readonly name: string;
  readonly finish: () => void;
  readonly reply: Promise<HttpReply['status']>;
}

function open(url: string, session: string, call: readonly [string, string, object?]) {
  const [method, path, body] = call;
  const text = body === undefined ? '' : JSON.stringify(body);
  const headers = {
    Authorization: `Bearer ${session}`,
    ...(body && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }),
  };
  let sent: ClientRequest;
  const reply = new Promise<number>((resolve) => {
    sent = request(url + path, { method, headers, agent: false }, (received) => {
      received.resume();
      received.on('end', () => resolve(received.statusCode ?? 0));
      received.on('error', () => resolve(0));
    });
    sent.on('error', () => resolve(0));
  });
  return { sent: sent!, text, reply };
}

function startCall(
  url: string,
  session: string,
  { action, ids, isSlow }: { readonly action: Action; readonly ids: Ids; readonly isSlow: boolean },
): LateCall {
  const { sent, text, reply } = open(url, session, action.call(ids));
  const half = Math.floor(text.length / 2);
  if (isSlow && text !== '') {
    sent.write(text.slice(0, half));
    return { name: action.name, finish: () => sent.end(text.slice(half)), reply };
  }
  sent.end(text);
  return { name: action.name, finish: () => {}, reply };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A twin with an admin, whose store can be read. */
export class RevocationModel {
  private readonly fixture: ApiFixture;
  private readonly store: Store;
  private count = 0;

  private constructor(fixture: ApiFixture, store: Store) {
    this.fixture = fixture;
    this.store = store;
  }

  static async start(data: string): Promise<RevocationModel> {
    const stores = new Set<Store>();
    const change = Store.prototype.change;
    const spy = vi.spyOn(Store.prototype, 'change').mockImplementation(function (
      this: Store,
      edit,
    ) {
      stores.add(this);
      return change.call(this, edit) as never;
    });
    const fixture = await startApiFixture({ data, webhooks: 'off' });
    spy.mockRestore();
    const [store] = stores;
    return new RevocationModel(fixture, store!);
  }

  close(): Promise<void> {
    return this.fixture.close();
  }

  /** Everything that a call could have changed. */
  private fingerprint(): string {
    const tables = ['users', 'toolpaths', 'bodies', 'workflows', 'webhook_secrets'];
    const rows: unknown[] = tables.map((name) => [name, [...this.store.table(name).rows()]]);
    const tokens = [...this.store.table<{ last_used_at: string | null }>('tokens').rows()];
    const unused = tokens.map(([key, token]) => [key, { ...token, last_used_at: null }]);
    const started = [...this.store.table<StoredRun>('runs').rows()];
    // A run that began before the revocation goes on, and changes the deck of its workcell.
    const used = new Set(started.map(([, { head }]) => head.workcell_id));
    const workcells = [...this.store.table<object>('workcells').rows()].map(([key, row]) => [
      key,
      used.has(Number(key)) ? { ...row, deck: null } : row,
    ]);
    const runs = started.map(([key]) => key);
    return JSON.stringify([rows, workcells, unused, runs, this.fixture.twin.snapshot()]);
  }

  private async user(): Promise<TestUser & { readonly tokenId: number; readonly other: number }> {
    const { send, admin } = this.fixture;
    const email = `user${++this.count}@example.org`;
    const invite = async (address: string) => {
      const body = { email: address, password: PASSWORD };
      const got = await send('POST', '/api/v1/users', { as: admin, body });
      return (got.body as { user: { id: number } }).user.id;
    };
    const [id, other] = [await invite(email), await invite(`other-${email}`)];
    await send('PUT', `/api/v1/users/${id}`, { as: admin, body: { role: 'admin' } });
    const made = await send('POST', `/api/v1/users/${id}/tokens`, {
      as: admin,
      body: { name: 't' },
    });
    const { id: tokenId, token } = made.body as { id: number; token: string };
    const got = await send('POST', '/api/v1/auth', { body: { token } });
    return { id, email, token, session: (got.body as { token: string }).token, tokenId, other };
  }

  private async idsOf(user: TestUser & { readonly other: number }): Promise<Ids> {
    const create = async (path: string, body: object) => {
      const got = await this.fixture.send('POST', path, { as: user, body });
      const [made] = Object.values(got.body as object).filter((one) => typeof one === 'object');
      return (made as { id: number }).id;
    };
    return {
      user: user.id,
      other: user.other,
      toolpath: await create('/api/v1/toolpaths', named('own')),
      workflow: await create('/workflow/v1/workflows', sampleWorkflow()),
      workcell: await create('/workflow/v1/workcells', WORKCELL),
    };
  }

  /** Plays a round; returns what happened after the acknowledgement, empty if nothing did. */
  async play({ revocation, calls, turns }: Round): Promise<string[]> {
    const { fixture } = this;
    const user = await this.user();
    const ids = await this.idsOf(user);
    const { url } = fixture.twin;
    await fixture.send('POST', '/api/v1/controls/lock', { as: user });
    const stream = await fixture.listen(user);
    const late = calls.map(({ action, isSlow }) =>
      startCall(url, user.session, { action: ACTIONS[action]!, ids, isSlow }),
    );
    for (let count = 0; count < turns; count++) await turn();
    const by = revocation === 'log out' ? user : fixture.admin;
    const [method, path, body] = REVOCATIONS[revocation]({
      id: user.id,
      tokenId: user.tokenId,
    }) as [string, string, object?];
    const acknowledged = await fixture.send(method, path, { as: by, body });
    const problems: string[] = [];
    // The user may have been deleted or changed by a call of the round itself.
    const isRevoked = acknowledged.status < 300;
    const before = this.fingerprint();
    const heard = stream.received.length;
    for (const { finish } of late) finish();
    const statuses = await Promise.all(late.map(({ reply }) => reply));
    const after = this.fingerprint();
    if (isRevoked && after !== before) {
      const calls = late.map(({ name }, i) => `${name}: ${statuses[i]}`).join(', ');
      problems.push(`${revocation}; ${calls}`, differences(before, after));
    }
    late.forEach(({ name }, i) => {
      const isSlow = calls[i]!.isSlow && ACTIONS[calls[i]!.action]!.call(ids)[2] !== undefined;
      if (isRevoked && isSlow && ![401, 403].includes(statuses[i]!)) {
        problems.push(`${revocation}: ${name}, whose body was slow, is ${statuses[i]}`);
      }
    });
    fixture.twin.apply({ kind: 'inputs', values: { d1: this.count % 2 === 0 } });
    for (let count = 0; count < 5; count++) await turn();
    if (isRevoked && stream.received.length > heard) {
      problems.push(`${revocation}: the stream went on`);
    }
    stream.close();
    await fixture.send('POST', '/sim/v1/reset', { as: fixture.admin, body: { scopes: ['state'] } });
    await this.removeUsers();
    return problems;
  }

  /** Removes the users of the round with all that is theirs, so that no round is slower. */
  private async removeUsers(): Promise<void> {
    const { send, admin, ada, bob } = this.fixture;
    const got = await send('GET', '/api/v1/users', { as: admin });
    const lasting = [admin.id, ada.id, bob.id];
    for (const { id } of (got.body as { users: { id: number }[] }).users) {
      if (!lasting.includes(id)) await send('DELETE', `/api/v1/users/${id}`, { as: admin });
    }
  }
}

/** Where two texts begin to differ. */
function differences(before: string, after: string): string {
  let at = 0;
  while (before[at] === after[at]) at++;
  const from = Math.max(0, at - 60);
  return `${before.slice(from, at + 200)} … became … ${after.slice(from, at + 200)}`;
}
