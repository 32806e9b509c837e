/**
 * Serves what an arm that is not the twin (real-arm.ts) has measured as an arm does: session, name,
 * snapshot and stream over HTTP and WebSocket, in real time or a multiple of it, behind a line that
 * can be cut. Only what a recorder reads is there.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { WebSocketServer } from 'ws';

/** A change that the arm publishes; telemetry in the units of the API. */
export interface Published {
  readonly t_s: number;
  readonly sections: Readonly<Record<string, unknown>>;
}

/** close: connections end and new ones are refused; silent: no bytes pass, nothing ends. */
export interface Cut {
  readonly from_s: number;
  readonly to_s: number;
  readonly how: 'close' | 'silent';
}

export interface ServedArm {
  readonly url: string;
  /** Starts the time of the arm; resolves when all is published. */
  play(): Promise<void>;
  close(): void;
}

const POLL_MS = 5;

/** Forwards connections to `port`; `set` cuts the line. */
async function openLine(port: number) {
  let cut: Cut['how'] | null = null;
  const sockets = new Set<Socket>();
  const server = createTcpServer((near) => {
    if (cut === 'close') {
      near.resetAndDestroy();
      return;
    }
    const far = connect(port, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.setNoDelay(true);
      from.on('data', (bytes) => {
        // What is sent over a silent line is lost, and with it the connection.
        if (cut === null && !silenced.has(from)) to.write(bytes);
        else for (const each of [from, to]) silenced.add(each);
      });
      from.on('error', () => {});
      from.on('close', () => {
        sockets.delete(from);
        if (!silenced.has(from)) to.destroy();
      });
    }
  });
  const silenced = new Set<Socket>();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    set(next: Cut['how'] | null): void {
      if (next === cut) return;
      cut = next;
      if (next === 'close') for (const socket of sockets) socket.resetAndDestroy();
    },
    close(): void {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Serves `published` at `pace` times real time, over a line with cuts. */
export async function serveArm(
  published: readonly Published[],
  { pace, cuts }: { readonly pace: number; readonly cuts: readonly Cut[] },
): Promise<ServedArm> {
  const now: Record<string, unknown> = {};
  const http = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://arm');
    const replies: Readonly<Record<string, object>> = {
      '/api/v1/auth': { token: 'session' },
      '/api/v1/name': { name: 'hidden' },
      '/api/v1/data/snapshot': { snapshot: now },
    };
    request.resume();
    const reply = replies[pathname];
    response.writeHead(pathname.endsWith('/renew') ? 204 : reply ? 200 : 404, {
      'Content-Type': 'application/json',
      'X-Armtwin': `4.9.0; driver=other; clock=${pace}; dialect=documented`,
    });
    response.end(reply && JSON.stringify(reply));
  });
  const streams = new WebSocketServer({ server: http, handleProtocols: () => 'object' });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const line = await openLine((http.address() as AddressInfo).port);
  const publish = (changes: Published['sections']) => {
    Object.assign(now, changes);
    const text = JSON.stringify({ type: 'state_change', changes });
    for (const client of streams.clients) client.send(text);
  };
  let index = 0;
  const publishUntil = (t_s: number) => {
    for (; index < published.length && published[index]!.t_s <= t_s; index++) {
      publish(published[index]!.sections);
    }
  };
  publishUntil(0);
  return {
    url: `http://127.0.0.1:${line.port}`,
    async play() {
      const start_ms = performance.now();
      while (index < published.length) {
        const t_s = (pace * (performance.now() - start_ms)) / 1000;
        line.set(cuts.find(({ from_s, to_s }) => t_s >= from_s && t_s < to_s)?.how ?? null);
        publishUntil(t_s);
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
      line.set(null);
    },
    close() {
      streams.close();
      line.close();
      http.close();
      http.closeAllConnections();
    },
  };
}
