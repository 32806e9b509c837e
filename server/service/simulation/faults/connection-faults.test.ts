/** Faults of connections as clients meet them: on sockets, on streams, and on whose. */

import { connect as dial, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { connect } from '../../../../contract/client.ts';
import type { AddFaultBody } from '../../../../contract/types.generated.ts';
import { sharedTwinClient } from '../twin-client.cases.ts';
import { type ConnectionFaults, connectionFaults } from './connection-faults.ts';
import { FaultRules } from './fault-rules.ts';

const stage = sharedTwinClient({});

interface Dialled {
  readonly socket: Socket;
  readonly ended: Promise<string>;
  readonly received: () => string;
}

/** Sends a GET on a connection of its own, which stays open; `ended` names how it ends. */
function get(path: string, headers: readonly string[] = [], port = stage.twin.port): Dialled {
  const lines = [`GET ${path} HTTP/1.1`, `Host: 127.0.0.1:${port}`, ...headers, '', ''];
  const socket = dial(port, '127.0.0.1', () => socket.write(lines.join('\r\n')));
  let text = '';
  socket.on('data', (chunk) => (text += String(chunk)));
  const ended = new Promise<string>((resolve) => {
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
    socket.once('close', () => resolve('closed'));
  });
  return { socket, ended, received: () => text };
}

/** Does the work while a fault is active; returns how often it has acted. */
async function during(fault: AddFaultBody, work: () => Promise<void>): Promise<number> {
  const added = await stage.arm.addFault(fault);
  await work();
  const { faults } = await stage.arm.listFaults();
  await stage.arm.clearFaults();
  return faults.find(({ id }) => id === added.fault.id)?.acted ?? 0;
}

const NAME = '/api/v1/name';
const session = async () => [`Authorization: Bearer ${await stage.arm.session()}`];

describe('a connection that is reset', () => {
  it('ends with an error, before the call takes effect', async () => {
    const headers = await session();
    const fault: AddFaultBody = { kind: 'connection', effect: 'reset', times: 1 };
    const acted = await during(fault, async () => {
      expect(await get(NAME, headers).ended).toBe('ECONNRESET');
      const second = get(NAME, headers);
      await expect.poll(second.received).toContain('HTTP/1.1 200');
      second.socket.destroy();
    });
    expect(acted).toBe(0);
  });

  it('is that of a stream with the next message', async () => {
    const protocols = [`SessionToken_${await stage.arm.session()}`, 'object'];
    const stream = new WebSocket(
      `${stage.twin.url.replace('http', 'ws')}/api/v1/data/stream`,
      protocols,
    );
    await new Promise((resolve) => stream.once('open', resolve));
    const ended = new Promise<number>((resolve) => {
      stream.once('error', () => {});
      stream.once('close', resolve);
    });
    await during({ kind: 'connection', effect: 'reset' }, async () => {
      await stage.arm.changeConfig({ kind: 'time', message: 'x' });
      expect(await ended).toBe(1006);
    });
  });
});

describe('a half-open connection', () => {
  it('passes nothing, stays open, and is reset when the fault ends', async () => {
    const headers = await session();
    const cut: AddFaultBody = { kind: 'connection', effect: 'half_open' };
    let silent: Dialled | undefined;
    const acted = await during(cut, async () => {
      silent = get(NAME, headers);
      await expect.poll(async () => (await stage.arm.listFaults()).faults[0]?.acted).toBe(1);
      const control = get(NAME, [...headers, 'X-Armtwin-Control: 1']);
      await expect.poll(control.received).toContain('HTTP/1.1 200');
      control.socket.destroy();
      expect(silent.received()).toBe('');
      expect(silent.socket.destroyed).toBe(false);
    });
    expect(acted).toBe(1);
    expect(await silent?.ended).toBe('ECONNRESET');
  });
});

describe('a slow connection', () => {
  it('has the bandwidth that is asked for', async () => {
    const slow: AddFaultBody = { kind: 'connection', effect: 'slow', rate_bytes_s: 4000 };
    await during(slow, async () => {
      const began = performance.now();
      const reply = await fetch(`${stage.twin.url}/api/versions`);
      const text = await reply.text();
      const head = [...reply.headers].reduce(
        (sum, [name, value]) => sum + name.length + value.length,
        0,
      );
      const least_ms = ((head + text.length) / 4000) * 1000;
      expect(performance.now() - began).toBeGreaterThan(least_ms * 0.95);
      expect(JSON.parse(text)).toHaveProperty('robot');
    });
  });

  it('draws its jitter by the seed', () => {
    const delays = (seed: number) => {
      const connections: ConnectionFaults = new FaultRules();
      const ports = { connections, users: { has: () => true } };
      const { produce } = connectionFaults(ports).connection;
      const reporter = { applied: () => {}, expired: () => {} };
      produce({ kind: 'connection', effect: 'slow', delay_s: 1, jitter_s: 0.5, seed }, reporter);
      return Array.from({ length: 50 }, () => connections.match({ user_id: 1 })?.());
    };
    expect(delays(7)).toEqual(delays(7));
    expect(delays(7)).not.toEqual(delays(8));
    for (const fault of delays(7)) {
      const { delay_s } = fault as { delay_s: number };
      expect(delay_s).toBeGreaterThanOrEqual(1);
      expect(delay_s).toBeLessThan(1.5);
    }
  });

  it('is that of one user only, where one is named', async () => {
    const { arm, twin } = stage;
    const credentials = { email: 'slow@armtwin.test', password: 'only for this test' };
    const { user } = await arm.createUser(credentials);
    const other = connect({ baseUrl: twin.url, logIn: credentials });
    const fault = { kind: 'connection', effect: 'slow', delay_s: 0.2, user_id: user.id } as const;
    const acted = await during(fault, async () => {
      await arm.getLock();
      await other.getLock();
    });
    expect(acted).toBe(1);
    await arm.deleteUser({ user_id: user.id });
  });
});
