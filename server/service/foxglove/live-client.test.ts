/** A client of the live connection that reads slowly, on a socket whose buffer the test sets. */

import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import { limits } from '../../../contract/limits.ts';
import { type ClientRequests, LiveClient } from './live-client.ts';

const requests: ClientRequests = {
  onSubscribe() {},
  onGetParameters() {},
  onSetParameters() {},
  onCall() {},
};

function slowClient() {
  const sent: (string | Buffer)[] = [];
  const socket = Object.assign(new EventEmitter(), {
    OPEN: 1,
    readyState: 1,
    bufferedAmount: 0,
    terminated: false,
    send: (frame: string | Buffer) => void sent.push(frame),
    ping() {},
    terminate() {
      socket.terminated = true;
    },
  });
  const session = { user_id: 1, token_id: 1, created_s: 0, expires_s: 0 };
  const caller = { user_id: 1, token_id: 1, role: 'admin' } as const;
  const client = new LiveClient(socket as EventEmitter as WebSocket, { session, caller }, requests);
  const subscriptions = [{ id: 5, channelId: 2 }];
  socket.emit('message', Buffer.from(JSON.stringify({ op: 'subscribe', subscriptions })), false);
  return { client, socket, sent };
}

it('frames a message for its subscription alone', () => {
  const { client, sent } = slowClient();
  client.publish(2, Buffer.from('{}'), 258n);
  client.publish(3, Buffer.from('{}'), 258n);
  expect(sent).toEqual([Buffer.from([1, 5, 0, 0, 0, 2, 1, 0, 0, 0, 0, 0, 0, 0x7b, 0x7d])]);
});

it('leaves telemetry out while the client reads slowly, and notes what it missed', () => {
  const { client, socket, sent } = slowClient();
  socket.bufferedAmount = limits.stream_soft_bytes + 1;
  client.publish(2, Buffer.from('{}'), 0n);
  client.time(Buffer.from([2]));
  expect([sent, [...client.overdue]]).toEqual([[], [2]]);
  socket.bufferedAmount = 0;
  client.publish(2, Buffer.from('{}'), 0n);
  expect([sent.length, [...client.overdue]]).toEqual([1, []]);
});

it('terminates a client that does not read or does not answer pings', () => {
  const deaf = slowClient();
  deaf.socket.bufferedAmount = limits.stream_hard_bytes + 1;
  deaf.client.publish(2, Buffer.from('{}'), 0n);
  expect(deaf.socket.terminated).toBe(true);
  const silent = slowClient();
  for (let i = 0; i < limits.stream_missed_pings; i++) silent.client.ping();
  silent.socket.emit('pong');
  for (let i = 0; i < limits.stream_missed_pings; i++) silent.client.ping();
  expect(silent.socket.terminated).toBe(false);
  silent.client.ping();
  expect(silent.socket.terminated).toBe(true);
});
