/**
 * What the checks of limits do: N + 1 calls in parallel, with an innocent bystander that calls all
 * the while. Test code.
 */

import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import type { ApiFixture, TestUser } from './api-fixture.cases.ts';

/** Calls that each check has in progress at a time. */
export const PARALLEL = 8;
/** Calls beyond a capacity. */
export const EXTRA = 8;
const POLL_MS = 20;

export interface Reply {
  readonly status: number;
  readonly text: string;
}

interface CallParts {
  readonly as?: TestUser | null;
  readonly body?: object;
  readonly raw?: string;
  /** Content-Length in place of the true one; the body is not sent. */
  readonly announced?: number;
}

interface CapacityRequest {
  readonly by: 'user' | 'admin';
  readonly call: string;
  readonly most: number;
  /** The call that lists what exists before; without it nothing does. */
  readonly list?: string;
  readonly parallel?: number;
  readonly body: (count: number) => object;
}

/** Whether a call succeeded. */
export const accepted = ({ status }: Reply) => status < 400;

/** Counts of statuses, as text. */
export function counts(replies: readonly Reply[]): string {
  const found = new Map<number, number>();
  for (const { status } of replies) found.set(status, (found.get(status) ?? 0) + 1);
  return [...found].map(([status, count]) => `${count} × ${status}`).join(', ');
}

export class ParallelCalls {
  protected readonly fixture: ApiFixture;
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 64 });
  private readonly bystanderAgent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(fixture: ApiFixture) {
    this.fixture = fixture;
  }

  close(): void {
    this.agent.destroy();
    this.bystanderAgent.destroy();
  }

  private caller(by: 'user' | 'admin'): TestUser {
    return by === 'user' ? this.fixture.ada : this.fixture.admin;
  }

  protected send(call: string, parts: CallParts, agent = this.agent): Promise<Reply> {
    const [method, path = ''] = call.split(' ');
    const { as = this.fixture.ada, body, raw, announced } = parts;
    const text = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const length = announced ?? (text === undefined ? undefined : Buffer.byteLength(text));
    const type = announced === undefined || !path.endsWith('update') ? 'json' : 'octet-stream';
    const headers = {
      ...(as && { Authorization: `Bearer ${as.session}` }),
      ...(length !== undefined && {
        'Content-Type': `application/${type}`,
        'Content-Length': length,
      }),
    };
    const { port } = this.fixture.twin;
    return new Promise((resolve, reject) => {
      const options = { agent, port, method, path: path.replace('{me}', `${as?.id}`), headers };
      const sent = request(options, (received) => {
        let reply = '';
        received.on('data', (chunk) => (reply += String(chunk)));
        received.on('error', reject);
        received.on('end', () => resolve({ status: received.statusCode ?? 0, text: reply }));
      });
      sent.on('error', (error: NodeJS.ErrnoException) => {
        // The server closed the idle connection just when it was used again.
        const isUnsent = sent.reusedSocket && error.code === 'ECONNRESET';
        if (isUnsent) resolve(this.send(call, parts, agent));
        else reject(error);
      });
      if (announced === undefined) sent.end(text);
      else sent.flushHeaders();
    });
  }

  /** All calls at once, or `parallel` of them in progress when they are many. */
  protected async together(
    calls: readonly (() => Promise<Reply>)[],
    parallel = PARALLEL * 4,
  ): Promise<Reply[]> {
    if (calls.length <= 64) return Promise.all(calls.map((one) => one()));
    const replies: Reply[] = [];
    let next = 0;
    const worker = async () => {
      while (next < calls.length) {
        const at = next++;
        replies[at] = await calls[at]!();
      }
    };
    await Promise.all(Array.from({ length: parallel }, worker));
    return replies;
  }

  /** Runs a check beside a bystander; adds how the bystander was served. */
  async beside(check: (context: this) => Promise<string>): Promise<Outcome> {
    let going = true;
    const times_ms: number[] = [];
    let failed = 0;
    const polling = (async () => {
      while (going) {
        const start_ms = performance.now();
        const parts = { as: this.fixture.bob };
        const reply = await this.send(
          'GET /api/v1/data/snapshot',
          parts,
          this.bystanderAgent,
        ).catch(() => ({ status: 0, text: '' }));
        times_ms.push(performance.now() - start_ms);
        if (!accepted(reply)) failed += 1;
        await wait(POLL_MS);
      }
    })();
    await wait(POLL_MS * 3);
    try {
      const seen = await check(this);
      return { seen, calls: times_ms.length, failed, worst_ms: Math.max(...times_ms) };
    } finally {
      going = false;
      await polling;
    }
  }

  async edge(call: string, bodies: { within: object; beyond: object }): Promise<string> {
    const of = (body: object) =>
      Array.from({ length: PARALLEL / 2 }, () => () => this.send(call, { body }));
    const replies = await this.together([...of(bodies.within), ...of(bodies.beyond)]);
    const within = replies.slice(0, PARALLEL / 2);
    const beyond = replies.slice(PARALLEL / 2);
    // A log-in at the limit fails for another reason than its length.
    for (const { status, text } of within) expect(status === 401 || status < 400, text).toBe(true);
    for (const { status, text } of beyond) expect(status, text).toBe(400);
    return `at the limit ${counts(within)}; beyond ${counts(beyond)}`;
  }

  async validity(call: string, bodies: { within: object; beyond: object }): Promise<string> {
    const [within, beyond] = await this.together(
      [bodies.within, bodies.beyond].map((body) => () => this.send(call, { body })),
    );
    expect(JSON.parse(within!.text)).toMatchObject({ is_valid: true });
    expect(JSON.parse(beyond!.text)).toMatchObject({ is_valid: false });
    return 'at the limit valid; beyond not';
  }

  async capacity({ by, call, most, body, ...plan }: CapacityRequest): Promise<string> {
    const as = this.caller(by);
    const existing = plan.list === undefined ? 0 : await this.countOf(plan.list, as);
    const calls = Array.from({ length: most - existing + EXTRA }, (_, i) => () => {
      return this.send(call, { as, body: body(i) });
    });
    const replies = await this.together(calls, plan.parallel);
    const refused = replies.filter((reply) => !accepted(reply));
    for (const { status, text } of refused)
      expect([status, text]).toEqual([400, expect.any(String)]);
    expect(replies.filter(accepted).length, refused[0]?.text).toBe(most - existing);
    return `of ${calls.length} in parallel ${counts(replies)}, with ${existing} before`;
  }

  private async countOf(call: string, as: TestUser): Promise<number> {
    const { text } = await this.send(call, { as });
    const [list] = Object.values(JSON.parse(text) as { [name: string]: unknown[] });
    return list!.length;
  }
}

/** What a check saw, and how the bystander was served meanwhile. */
export interface Outcome {
  readonly seen: string;
  readonly calls: number;
  readonly failed: number;
  readonly worst_ms: number;
}
