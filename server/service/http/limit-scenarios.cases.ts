/** The checks of single limits that need more than a body or a count. Test code. */

import { Agent } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import { WebSocket } from 'ws';
import { limits } from '../../../contract/limits.ts';
import { shareAlone, shares } from '../../../contract/shares.ts';
import type { TestUser } from './api-fixture.cases.ts';
import { accepted, counts, EXTRA, PARALLEL, ParallelCalls } from './limit-context.cases.ts';

export class LimitContext extends ParallelCalls {
  /** 40 wrong passwords in parallel, of an account and an address. */
  async guesses(): Promise<string> {
    const { bob } = this.fixture;
    const body = { email: bob.email, password: 'a wrong password' };
    const calls = Array.from({ length: 4 * limits.failed_log_ins_per_min }, () => () => {
      return this.send('POST /api/v1/auth/login', { as: null, body });
    });
    const replies = await this.together(calls);
    const tried = replies.filter(({ status }) => status === 401).length;
    expect(tried).toBeLessThanOrEqual(limits.failed_log_ins_per_min);
    expect(replies.every(({ status }) => status === 401 || status === 429)).toBe(true);
    const right = await this.send('POST /api/v1/auth', { as: null, body: { token: bob.token } });
    expect(right.status).toBe(200);
    return `of ${calls.length} guesses ${counts(replies)}; the right API token: ${right.status}`;
  }

  /** Log-ins of many accounts at once. */
  async logInBurst(): Promise<string> {
    const calls = Array.from({ length: shareAlone(shares.password_queue) * 2 }, (_, i) => () => {
      const body = { email: `unknown${i}@example.org`, password: 'a wrong password' };
      return this.send('POST /api/v1/auth/login', { as: null, body });
    });
    const replies = await Promise.all(calls.map((one) => one()));
    const checked = replies.filter(({ status }) => status === 401).length;
    expect(checked).toBeGreaterThan(0);
    expect(replies.every(({ status }) => status === 401 || status === 429)).toBe(true);
    return `of ${calls.length} log-ins ${counts(replies)}`;
  }

  /** One session more than a token may have: its own oldest ends. */
  async sessions(): Promise<string> {
    const { ada, bob } = this.fixture;
    const body = { token: ada.token };
    const calls = Array.from({ length: limits.sessions_per_token + EXTRA }, () => () => {
      return this.send('POST /api/v1/auth', { as: null, body });
    });
    const replies = await this.together(calls);
    const sessions = replies.map(({ text }) => (JSON.parse(text) as { token: string }).token);
    const alive = await this.together(
      sessions.map((session) => () => this.send('GET /api/v1/users', { as: { ...ada, session } })),
    );
    expect(alive.filter(accepted).length).toBe(limits.sessions_per_token);
    const other = await this.send('GET /api/v1/users', { as: bob });
    expect(other.status).toBe(200);
    ada.session = sessions.at(alive.findLastIndex(accepted))!;
    const seen = `of ${calls.length} sessions ${counts(alive)}`;
    return `${seen}; a session of another user: ${other.status}`;
  }

  async loops(): Promise<string> {
    const lock = await this.send('POST /api/v1/controls/lock', {});
    expect(lock.status).toBe(200);
    const run = (loop: number) =>
      this.send('POST /api/v1/controls/run', { body: { mode: 'teach', loop } });
    const [within, beyond] = await Promise.all([run(limits.loops), run(limits.loops + 1)]);
    await this.send('DELETE /api/v1/controls/lock', {});
    // Nothing is loaded, which is found out after the body was accepted.
    expect(within!.text).toContain('ERROR_WRONG_STATE');
    expect(beyond!.text).toContain('/loop');
    return 'at the limit accepted; beyond 400';
  }

  /** An analog output at a bound, and beyond it. */
  async output(bound: number, beyond: number): Promise<string> {
    await this.send('POST /api/v1/controls/lock', {});
    const set = (value: number) =>
      this.send('POST /api/v1/data/globals', { body: { changes: [{ key: 'outputs.a0', value }] } });
    const [at, over] = await Promise.all([set(bound), set(bound + beyond)]);
    await this.send('DELETE /api/v1/controls/lock', {});
    expect([at!.status, over!.status], at!.text).toEqual([200, 400]);
    return 'at the limit 200; beyond 400';
  }

  async changes(): Promise<string> {
    await this.send('POST /api/v1/controls/lock', {});
    const set = (count: number) => {
      const changes = Array.from({ length: count }, () => ({ key: 'outputs.d0', value: true }));
      return this.send('POST /api/v1/data/globals', { body: { changes } });
    };
    const most = limits.changes_per_call;
    const [at, over] = await Promise.all([set(most), set(most + 1)]);
    await this.send('DELETE /api/v1/controls/lock', {});
    expect([at!.status, over!.status], at!.text).toEqual([200, 400]);
    return 'at the limit 200; beyond 400';
  }

  /** A body of exactly the largest size, and one byte more. */
  async size(call: string, most: number, body: object): Promise<string> {
    const text = JSON.stringify(body);
    const padded = (size: number) => text + ' '.repeat(size - Buffer.byteLength(text));
    const of = (size: number) =>
      Array.from({ length: 4 }, () => () => this.send(call, { raw: padded(size) }));
    const replies = await this.together([...of(most), ...of(most + 1)]);
    for (const reply of replies.slice(0, 4)) expect(accepted(reply), reply.text).toBe(true);
    for (const { status } of replies.slice(4)) expect(status).toBe(413);
    return `at the limit ${counts(replies.slice(0, 4))}; beyond ${counts(replies.slice(4))}`;
  }

  /** A body that announces more than the largest size is refused before it is sent. */
  async announced(call: string, most: number): Promise<string> {
    const { admin: as } = this.fixture;
    const one = () => this.send(call, { as, announced: most + 1 });
    const replies = await this.together(Array.from({ length: PARALLEL }, () => one));
    for (const { status, text } of replies) expect(status, text).toBe(413);
    return `beyond the limit ${counts(replies)}, unread`;
  }

  /** More large bodies at once than may wait. */
  async documents(): Promise<string> {
    const body = { name: 'large', toolpath: Array.from({ length: 20_000 }, () => []) };
    const agent = new Agent({
      keepAlive: true,
      maxSockets: shareAlone(shares.document_queue) + 100,
    });
    const calls = Array.from({ length: shareAlone(shares.document_queue) + 100 }, () =>
      this.send('POST /api/v1/toolpaths', { body }, agent),
    );
    const replies = await Promise.all(calls);
    agent.destroy();
    const busy = replies.filter(({ status }) => status === 429).length;
    expect(replies.length - busy).toBeGreaterThanOrEqual(shareAlone(shares.document_queue));
    expect(busy).toBeGreaterThan(0);
    return `of ${calls.length} bodies ${counts(replies)}`;
  }

  /** A body with many problems; the reply lists some of them. */
  async problems(count: number, listed: number): Promise<string> {
    const waypoints = Array.from({ length: count }, () => ({ label_id: 'x', joints: 1 }));
    const body = { toolpath: { waypoints } };
    const { status, text } = await this.send('PUT /api/v1/toolpath/calc', { body });
    const { error } = JSON.parse(text) as { error: { details: unknown[] } };
    expect([status, error.details.length]).toEqual([400, listed]);
    return `${count} broken items: ${error.details.length} listed`;
  }

  /** A body of the deepest nesting is read; a deeper one is refused for it. */
  async nesting(body: (levels: number) => object): Promise<string> {
    const send = (levels: number) =>
      this.send('PUT /api/v1/toolpath/migrate', { body: body(levels) });
    const most = limits.nesting_levels;
    const [at, over] = await Promise.all([send(most), send(most + 1)]);
    expect(at!.text).not.toContain('nest deeper');
    expect(over!.text).toContain('nest deeper');
    return 'at the limit read; beyond 400';
  }

  /** A stream message beyond the limit closes its stream. */
  async message(): Promise<string> {
    const open = () => this.stream(this.fixture.ada);
    const [within, beyond] = [await open(), await open()];
    const code = new Promise<number>((resolve) => beyond.once('close', resolve));
    within.send('x'.repeat(limits.stream_message_bytes));
    beyond.send('x'.repeat(limits.stream_message_bytes + 1));
    expect(await code).toBe(1009);
    await wait(50);
    expect(within.readyState).toBe(WebSocket.OPEN);
    within.close();
    return 'at the limit open; beyond closed with 1009';
  }

  private async stream(user: TestUser): Promise<WebSocket> {
    const url = `${this.fixture.twin.url.replace('http', 'ws')}/api/v1/data/stream`;
    const socket = new WebSocket(url, [`SessionToken_${user.session}`, 'object']);
    await new Promise((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
    });
    return socket;
  }

  /** The journal holds the latest calls. */
  async journal(): Promise<string> {
    const calls = Array.from({ length: limits.journal_entries + EXTRA }, () => () => {
      return this.send('GET /api/versions', {});
    });
    await this.together(calls);
    const { admin } = this.fixture;
    const { text } = await this.send('POST /sim/v1/journal/search', { as: admin, body: {} });
    const { entries } = JSON.parse(text) as { entries: unknown[] };
    expect(entries.length).toBe(limits.journal_entries);
    return `after ${calls.length} calls ${entries.length} entries`;
  }

  async page(): Promise<string> {
    const of = (limit: number) =>
      this.send(`GET /workflow/v1/webhooks/deliveries?limit=${limit}`, {});
    const [at, over] = await Promise.all([of(limits.page_entries), of(limits.page_entries + 1)]);
    expect([at!.status, over!.status]).toEqual([200, 400]);
    return 'at the limit 200; beyond 400';
  }
}
