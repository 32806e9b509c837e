/**
 * One subscriber: merging for a slow client, and disconnection of a dead one.
 * @module-tag ci
 */

import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { limits } from '../../../contract/limits.ts';
import { createPrng } from '../../../physics/math/prng.ts';
import { mergeSnapshotChanges, Subscriber } from './subscriber.ts';
import { undrained } from './undrained-socket.cases.ts';

let server: WebSocketServer;
beforeAll(async () => {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
});
afterAll(() => server.close());

const USER = { user_id: 1, token_id: 1, created_s: 0, expires_s: 1800 };
const OWNER = { session: USER, caller: { ...USER, role: 'user' } } as const;

/** A subscriber with its client socket. */
async function subscribed(autoPong = true) {
  const { port } = server.address() as AddressInfo;
  const accepted = once(server, 'connection');
  const client = new WebSocket(`ws://127.0.0.1:${port}`, { autoPong });
  const [socket, request] = (await accepted) as [WebSocket, IncomingMessage];
  await once(client, 'open');
  const subscriber = new Subscriber(socket, request.socket, OWNER);
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

it.each([1, 2, 3])('leaves nothing waiting once a slow client has read, seed %d', (seed) => {
  const draw = createPrng(seed);
  for (let round = 0; round < 60; round++) {
    const { socket, subscriber } = undrained(OWNER);
    // The buffer ends up within some bytes of the limit, where a header, a ping or the answer to a
    // ping of the client exceeds it.
    const rest_bytes = Math.floor(20 * draw());
    subscriber.sendEvent(Buffer.alloc(limits.stream_soft_bytes - 100, 'a'));
    subscriber.sendEvent(Buffer.alloc(Math.max(1, 88 - rest_bytes), 'b'));
    for (let i = 0; i < 4; i++) {
      subscriber.ping();
      socket.emit('pong');
    }
    if (draw() < 0.5) socket.buffer(125);
    subscriber.sendState(Buffer.from('changes'), { control: { loop_count: round } });
    subscriber.sendEvent(Buffer.from(`event ${round}`));
    socket.drain();
    expect(socket.sent.slice(2).join()).toContain('changes');
    expect(socket.sent).toContain(`event ${round}`);
    expect(subscriber.buffered_bytes).toBe(0);
  }
});

it('sends what waited behind the answers to pings of a client that did not read', async () => {
  const { client, socket, subscriber } = await subscribed();
  const received: string[] = [];
  client.on('message', (text) => received.push(String(text).slice(0, 20)));
  client.pause();
  // As the answers of ws: without a callback.
  while (subscriber.buffered_bytes <= limits.stream_soft_bytes) {
    for (let i = 0; i < 100; i++) socket.pong(Buffer.alloc(125));
    await new Promise(setImmediate);
  }
  subscriber.sendEvent(Buffer.from('"an event"'));
  subscriber.sendState(Buffer.from(''), { control: { loop_count: 7 } });
  client.resume();
  await expect.poll(() => received).toEqual(['"an event"', '{"type":"state_chang']);
  client.terminate();
});

it('merges sections by key, and replaces arrays', () => {
  const into = { a: { x: 1, y: 1 }, list: [1, 2, 3] };
  mergeSnapshotChanges(into, { a: { y: 2 }, list: [4], b: { z: 0 } });
  expect(into).toEqual({ a: { x: 1, y: 2 }, list: [4], b: { z: 0 } });
});

describe('a socket', () => {
  const merged = (changes: object) => JSON.stringify({ type: 'state_change', changes });
  const state = (count: number) => ({ control: { loop_count: count } });
  const SOFT_bytes = limits.stream_soft_bytes;

  it('is written to at once as long as no more than the limit waits', () => {
    const { socket, subscriber } = undrained(OWNER);
    subscriber.sendState(Buffer.from('first'), state(1));
    socket.bufferedAmount = SOFT_bytes;
    subscriber.sendState(Buffer.from('second'), state(2));
    expect(socket.sent).toEqual(['first', 'second']);
    subscriber.sendState(Buffer.from('third'), state(3));
    socket.bufferedAmount = SOFT_bytes;
    subscriber.sendEvent(Buffer.from('event'));
    expect(socket.sent).toEqual(['first', 'second', 'event', merged(state(3))]);
  });

  it('gets what waited before newer changes, in one message', () => {
    const { socket, subscriber } = undrained(OWNER);
    socket.bufferedAmount = SOFT_bytes + 1;
    subscriber.sendState(Buffer.from('first'), state(1));
    socket.bufferedAmount = 0;
    subscriber.sendState(Buffer.from('second'), state(2));
    expect(socket.sent).toEqual([merged(state(2))]);
    socket.bufferedAmount = SOFT_bytes + 1;
    subscriber.sendEvent(Buffer.from('event'));
    socket.bufferedAmount = 0;
    subscriber.sendState(Buffer.from('third'), state(3));
    expect(socket.sent.slice(1)).toEqual(['event', merged(state(3))]);
  });

  it('counts the bytes of queued events until they are sent', () => {
    const { socket, subscriber } = undrained(OWNER);
    socket.bufferedAmount = SOFT_bytes + 1;
    for (let i = 0; i < 3; i++) subscriber.sendEvent(Buffer.alloc(100, 'e'));
    expect(subscriber.buffered_bytes).toBe(SOFT_bytes + 1 + 300);
    socket.drain();
    expect(subscriber.buffered_bytes).toBe(0);
  });

  it('is terminated when more than the hard limit waits, and gets nothing then', () => {
    for (const send of ['sendEvent', 'sendState'] as const) {
      const { socket, subscriber } = undrained(OWNER);
      const sendNext = () => subscriber[send](Buffer.from('next'), state(1));
      socket.bufferedAmount = limits.stream_hard_bytes;
      sendNext();
      expect(socket.terminations).toBe(0);
      socket.bufferedAmount = limits.stream_hard_bytes + 1;
      sendNext();
      expect(socket.terminations).toBe(1);
      const before_bytes = subscriber.buffered_bytes;
      socket.readyState = socket.OPEN;
      socket.bufferedAmount = 0;
      subscriber.sendEvent(Buffer.from('last'));
      expect(socket.sent).toEqual(
        send === 'sendEvent' ? ['next', 'last'] : ['last', merged(state(1))],
      );
      expect(before_bytes).toBe(limits.stream_hard_bytes + 1 + (send === 'sendEvent' ? 4 : 0));
    }
  });

  it('gets nothing once it is closing', () => {
    const { socket, subscriber } = undrained(OWNER);
    socket.readyState = 2;
    subscriber.sendState(Buffer.from('changes'), state(1));
    subscriber.sendEvent(Buffer.from('event'));
    subscriber.ping();
    expect([socket.sent, socket.pings, socket.terminations]).toEqual([[], 0, 0]);
    expect(subscriber.buffered_bytes).toBe(0);
  });
});

it('takes sections that it does not know yet as they are', () => {
  const into = {};
  const list = ['a'];
  mergeSnapshotChanges(into, { list });
  expect(into).toEqual({ list });
});
