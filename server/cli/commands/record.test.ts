/**
 * `armtwin record` of an arm that is no twin and does not keep to the rules.
 * @module-tag ci
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { CaptureLine } from '../../identify/capture-format.ts';
import { runRecord } from './record.ts';

const WEBSOCKET_KEY = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const quiet = { write: () => true };

let folder: string;
let closeArm: () => void;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'armtwin-record-'));
});
afterEach(() => {
  closeArm();
  rmSync(folder, { recursive: true });
});

/** A text frame of a short message. */
function frame(text: string): Buffer {
  return Buffer.from([0x81, text.length, ...Buffer.from(text)]);
}

/** A moving arm; `onStream` gets each of its streams, which answer nothing by themselves. */
async function openArm(
  onStream: (socket: Duplex, number: number) => void,
  holdBack: (answer: () => void) => void = (answer) => answer(),
): Promise<string> {
  let angle = 0;
  const replies: Record<string, () => object | null> = {
    '/api/v1/auth': () => ({ token: 's' }),
    '/api/v1/name': () => ({ name: 'foreign' }),
    '/api/v1/data/snapshot': () => {
      angle += 0.1;
      return { snapshot: { 'servos.telemetry.position': [angle, 0, 0, 0, 0, 0] } };
    },
  };
  const arm = createServer((request, response) => {
    const body = replies[request.url ?? '']?.();
    const answer = () => response.writeHead(body ? 200 : 204).end(body && JSON.stringify(body));
    if (request.url?.endsWith('snapshot')) holdBack(answer);
    else answer();
  });
  let streams = 0;
  arm.on('upgrade', (request, socket) => {
    const key = `${request.headers['sec-websocket-key']}${WEBSOCKET_KEY}`;
    const accept = createHash('sha1').update(key).digest('base64');
    socket.on('error', () => {});
    socket.write(
      [
        'HTTP/1.1 101 Switching Protocols',
        'Upgrade: websocket',
        'Connection: Upgrade',
        `Sec-WebSocket-Accept: ${accept}`,
        'Sec-WebSocket-Protocol: object',
        '\r\n',
      ].join('\r\n'),
    );
    socket.resume();
    streams++;
    onStream(socket, streams);
  });
  await new Promise<void>((resolve) => arm.listen(0, '127.0.0.1', resolve));
  closeArm = () => {
    arm.closeAllConnections();
    arm.close();
  };
  return `http://127.0.0.1:${(arm.address() as AddressInfo).port}`;
}

/** An arm, or a proxy before it, that answers calls; `onUpgrade` refuses the streams. */
async function openCallsOnly(
  onUpgrade: () => void,
  snapshotStatus: () => number = () => 200,
): Promise<string> {
  const arm = createServer((request, response) => {
    const isSnapshot = request.url?.endsWith('snapshot') === true;
    const isLogIn = request.url === '/api/v1/auth';
    const status = isSnapshot || isLogIn ? snapshotStatus() : 200;
    const error = { error_code: 5, title: 'the token was revoked', details: null };
    const snapshot = { 'servos.telemetry.position': [0, 0, 0, 0, 0, 0] };
    const body = status === 200 ? { token: 's', name: 'calls only', snapshot } : { error };
    response.writeHead(status).end(JSON.stringify(body));
  });
  arm.on('upgrade', (_, socket) => {
    socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
    onUpgrade();
  });
  await new Promise<void>((resolve) => arm.listen(0, '127.0.0.1', resolve));
  closeArm = () => {
    arm.closeAllConnections();
    arm.close();
  };
  return `http://127.0.0.1:${(arm.address() as AddressInfo).port}`;
}

function record(url: string, limit_s: number, signal = new AbortController().signal) {
  const out = join(folder, 'arm.capture');
  return runRecord(url, { token: 't', out, for: limit_s }, { out: quiet, err: quiet, signal });
}

it('goes on after messages that are no events, and ends without the word of the arm', async () => {
  const over = new AbortController();
  let isClosed = false;
  const position = '{"type":"state_change","changes":{"servos.telemetry.position":[0,0,0,0,0,0]}}';
  const url = await openArm(
    (socket) => {
      for (const text of ['{nope', 'null', '{"type":"state_change"}', position]) {
        socket.write(frame(text));
      }
      socket.on('end', () => {
        isClosed = true;
      });
    },
    (answer) => {
      answer();
      over.abort();
    },
  );
  expect(await record(url, 60, over.signal)).toBe(0);
  await expect.poll(() => isClosed, { timeout: 10_000 }).toBe(true);
});

it('counts no time as lost twice', async () => {
  const over = new AbortController();
  const url = await openArm((socket, number) => {
    // The first one breaks off, the second one is dead.
    if (number === 1) socket.end();
    if (number === 3) over.abort();
  });
  await record(url, 20, over.signal);
  const lines = readFileSync(join(folder, 'arm.capture'), 'utf8').trim().split('\n');
  const losses = lines
    .map((line) => JSON.parse(line) as CaptureLine)
    .flatMap((line) => (line.kind === 'lost' ? [line] : []));
  expect(losses).toHaveLength(2);
  expect(losses[1]!.t).toBeGreaterThanOrEqual(losses[0]!.until);
});

it('writes nothing of a reply that comes after its end', async () => {
  const over = new AbortController();
  const late: (() => void)[] = [];
  const url = await openArm(
    () => {},
    (answer) => {
      late.push(answer);
      over.abort();
    },
  );
  const written: string[] = [];
  const out = {
    write: (text: string) => {
      written.push(text);
      return true;
    },
  };
  const path = join(folder, 'late.capture');
  const flags = { token: 't', out: path, for: 60 };
  const ended = runRecord(url, flags, { out, err: out, signal: over.signal });
  await expect.poll(() => existsSync(path) && readFileSync(path, 'utf8')).toContain('"end"');
  for (const answer of late) answer();
  expect(await ended).toBe(1);
  expect(written.join('')).toMatch(/^recorded 0 samples/);
});

it('ends by a signal while no stream opens', async () => {
  const over = new AbortController();
  const url = await openCallsOnly(() => over.abort());
  expect(await record(url, 60, over.signal)).toBe(1);
});

it('gives up where no stream opens, and says what to do', async () => {
  const url = await openCallsOnly(() => {});
  let said = '';
  const err = { write: (text: string) => (said += text) };
  const flags = { token: 't', out: join(folder, 'arm.capture'), for: 600 };
  const { signal } = new AbortController();
  expect(await runRecord(url, flags, { out: quiet, err, signal })).toBe(1);
  expect(said).toContain('the arm opened no stream of events; record it with --snapshots');
});

it('ends when the arm refuses the session of its snapshots', async () => {
  let snapshots = 0;
  const url = await openCallsOnly(
    () => {},
    () => (++snapshots > 3 ? 401 : 200),
  );
  let said = '';
  const err = { write: (text: string) => (said += text) };
  const path = join(folder, 'arm.capture');
  const flags = { token: 't', out: path, for: 600, snapshots: 100 };
  const { signal } = new AbortController();
  expect(await runRecord(url, flags, { out: quiet, err, signal })).toBe(1);
  expect(said).toContain('The recording ended early: the arm refused the session');
  expect(readFileSync(path, 'utf8')).toContain('"why":"the arm refused the session"');
});

it('says that its file was removed, and exits with 2', async () => {
  const path = join(folder, 'removed.capture');
  const over = new AbortController();
  const url = await openCallsOnly(
    () => {},
    () => {
      if (existsSync(path)) {
        rmSync(path);
        over.abort();
      }
      return 200;
    },
  );
  let said = '';
  const err = { write: (text: string) => (said += text) };
  const flags = { token: 't', out: path, for: 600, snapshots: 100 };
  expect(await runRecord(url, flags, { out: quiet, err, signal: over.signal })).toBe(2);
  expect(said).toContain(`${path} was removed while it was written; record again`);
});

it.each([
  ['a web page', '<html></html>', 'is no arm: it answered without a session: a web page'],
  ['an arm without a name', '{"token":"s"}', 'it is no arm: getName answered without a name'],
])('opens no capture for %s', async (_, text, reason) => {
  const page = createServer((_request, response) => {
    response.writeHead(200, { 'X-Armtwin': 'clock=stepped' }).end(text);
  });
  await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve));
  closeArm = () => {
    page.closeAllConnections();
    page.close();
  };
  let said = '';
  const err = { write: (more: string) => (said += more) };
  const out = join(folder, 'page.capture');
  const url = `http://127.0.0.1:${(page.address() as AddressInfo).port}`;
  const { signal } = new AbortController();
  const flags = { token: 't', out, for: 1 };
  expect(await runRecord(url, flags, { out: quiet, err, signal })).toBe(2);
  expect(said).toContain(reason);
  expect(existsSync(out)).toBe(false);
});
