/** One subscriber: merging for a slow client, and disconnection of a dead one. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { limits } from '../../contract/limits.ts';
import { mergeSnapshotChanges, Subscriber } from './subscriber.ts';

let server: WebSocketServer;
beforeAll(async () => {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
});
afterAll(() => server.close());

const SESSION = { user_id: 1, token_id: 1, created_s: 0, expires_s: 1800 };

/** A subscriber with its client socket. */
async function subscribed(autoPong = true) {
  const { port } = server.address() as AddressInfo;
  const accepted = once(server, 'connection');
  const client = new WebSocket(`ws://127.0.0.1:${port}`, { autoPong });
  const [socket] = (await accepted) as [WebSocket];
  await once(client, 'open');
  const subscriber = new Subscriber(socket, SESSION, { ...SESSION, role: 'user' });
  return { client, socket, subscriber };
}

it('is disconnected after too many missed pings', async () => {
  const { client, socket, subscriber } = await subscribed(false);
  const closed = once(client, 'close');
  for (let count = 0; count < limits.stream_missed_pings; count++) subscriber.ping();
  expect(socket.readyState).toBe(WebSocket.OPEN);
  subscriber.ping();
  await closed;
});

it('stays connected while it answers pings', async () => {
  const { client, socket, subscriber } = await subscribed();
  for (let count = 0; count <= 2 * limits.stream_missed_pings; count++) {
    const answered = once(socket, 'pong');
    subscriber.ping();
    await answered;
  }
  expect(socket.readyState).toBe(WebSocket.OPEN);
  client.terminate();
});

it('keeps only the newest value for a slow client', async () => {
  const { client, subscriber } = await subscribed();
  client.pause();
  const received: unknown[] = [];
  client.on('message', (text) => received.push(JSON.parse(String(text)).changes));
  const large = { 'global.inputs': { a0: 'x'.repeat(limits.stream_soft_bytes) } };
  const sendState = (changes: object) =>
    subscriber.sendState(Buffer.from(JSON.stringify({ changes })), { ...changes });
  // The buffers of the operating system absorb the first frames.
  for (let count = 0; subscriber.buffered_bytes <= limits.stream_soft_bytes; count++) {
    expect(count).toBeLessThan(1000);
    sendState(large);
    await new Promise(setImmediate);
  }
  const waiting_bytes = subscriber.buffered_bytes;
  for (let d0 = 0; d0 < 1000; d0++)
    sendState({ 'global.outputs': { d0 }, control: { loop_count: d0 } });
  sendState({ 'global.outputs': { d1: true } });
  expect(subscriber.buffered_bytes).toBe(waiting_bytes);
  client.resume();
  const newest = { 'global.outputs': { d0: 999, d1: true }, control: { loop_count: 999 } };
  await expect.poll(() => received.at(-1)).toEqual(newest);
  const next = { 'global.outputs': { d2: true } };
  sendState(next);
  await expect.poll(() => received.at(-1)).toEqual(next);
  client.terminate();
});

it('merges sections by key, and replaces arrays', () => {
  const into = { a: { x: 1, y: 1 }, list: [1, 2, 3] };
  mergeSnapshotChanges(into, { a: { y: 2 }, list: [4], b: { z: 0 } });
  expect(into).toEqual({ a: { x: 1, y: 2 }, list: [4], b: { z: 0 } });
});
