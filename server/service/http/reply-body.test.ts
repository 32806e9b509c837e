/** Replies on a fake response: headers, slices, compression, feeds, refusals and time limits. */

import type { Duplex } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { limits } from '../../../contract/limits.ts';
import { type Refusal, refuse } from '../../../contract/refusal.ts';
import type { WallClock } from '../../clock/wall-clock.ts';
import { acceptsGzip, varyByEncoding } from './compression.ts';
import { withTimeout } from './deadline.ts';
import { refuseOnSocket, sendRefusal } from './error-response.ts';
import { type EventSink, sendFeed } from './event-feed.ts';
import { FakeResponse } from './fake-response.cases.ts';
import { passesReadyCheck } from './ready-check.ts';
import { type Answer, answerList, type Pieces } from './reply.ts';
import { endCompressed, endPieces } from './reply-body.ts';

const SLICE = 64 * 1024;

it.each([
  [undefined, false],
  ['deflate, gzip', true],
  ['GZIP', true],
  ['gzip;q=0.5', true],
  ['gzip; q=0', false],
  ['gzip;level=1', true],
  ['gzip;level=1;q=0', false],
  ['gzip;q=0, *', false],
  ['br, *', true],
  ['*;q=0', false],
  ['deflate', false],
])('Accept-Encoding %j accepts gzip: %s', (header, accepted) => {
  expect(acceptsGzip(header)).toBe(accepted);
});

it('names the encoding for caches beside what decides already', () => {
  const response = new FakeResponse();
  varyByEncoding(response.asResponse);
  expect(response.headers).toEqual({ Vary: 'Accept-Encoding' });
  response.setHeader('Vary', 'Origin');
  varyByEncoding(response.asResponse);
  expect(response.headers).toEqual({ Vary: 'Origin, Accept-Encoding' });
});

it('a short list may make its items when they are wanted', () => {
  const items = { length: 2, slice: () => [{ id: 1 }, { id: 2 }] };
  expect(answerList('items', items)).toEqual({ reply: { items: [{ id: 1 }, { id: 2 }] } });
});

describe('a body of known size', () => {
  const ended = async (body: string, accepted?: string) => {
    const response = new FakeResponse(accepted);
    endCompressed(response.asResponse, body);
    await response.ended;
    return response;
  };

  it('that is short is sent as it is', async () => {
    const body = 'x'.repeat(limits.compressed_least_bytes - 1);
    const { headers, ends, written } = await ended(body, 'gzip');
    expect(headers).toEqual({ 'Content-Length': body.length });
    expect([ends, written]).toEqual([[body], []]);
  });

  it.each([limits.compressed_least_bytes, SLICE])('of %d bytes is sent at once', async (size) => {
    const { headers, ends, written } = await ended('x'.repeat(size));
    expect(headers).toEqual({ 'Content-Length': size, Vary: 'Accept-Encoding' });
    expect([ends.map((piece) => piece?.length), written]).toEqual([[size], []]);
  });

  it('that is long is sent in slices', async () => {
    const { headers, written, ends } = await ended('x'.repeat(2 * SLICE + 1));
    expect(headers['Content-Length']).toBe(2 * SLICE + 1);
    expect(written.map(({ length }) => length)).toEqual([SLICE, SLICE, 1]);
    expect(ends).toEqual([undefined]);
  });

  it('is compressed where that is accepted', async () => {
    const body = 'x'.repeat(limits.compressed_least_bytes);
    const response = await ended(body, 'gzip');
    expect(response.headers).toMatchObject({
      ...{ 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' },
      'Content-Length': response.bytes.byteLength,
    });
    expect(gunzipSync(response.bytes).toString()).toBe(body);
  });

  it('is not sent to a client that has left', async () => {
    const response = new FakeResponse();
    response.destroyed = true;
    endCompressed(response.asResponse, 'x'.repeat(limits.compressed_least_bytes));
    expect([response.ends, response.headers['Content-Length']]).toEqual([[], undefined]);
  });
});

describe('pieces', () => {
  const sent = async (pieces: Pieces) => {
    const response = new FakeResponse();
    endPieces(response.asResponse, pieces);
    await response.ended;
    return response;
  };

  it('are sent in slices of at most 64 KiB, with their length where it is known', async () => {
    const bytes = new Uint8Array(SLICE + 5).fill(65);
    const { headers, written } = await sent(['[', bytes, ']']);
    expect(headers).toEqual({ 'Content-Length': SLICE + 7, Vary: 'Accept-Encoding' });
    expect(written.map(({ length }) => length)).toEqual([1, SLICE, 5, 1]);
    function* made() {
      yield 'made';
    }
    const generated = await sent(made());
    expect(generated.headers).toEqual({ Vary: 'Accept-Encoding' });
    expect(generated.written).toEqual(['made']);
  });

  it.each([
    ['a', SLICE],
    ['\uffff', SLICE],
    ['\u{1f916}', SLICE - 1],
  ])('stay whole at a character %j, which no slice cuts', async (character, first) => {
    const text = `${'x'.repeat(SLICE - 1)}${character}${'y'.repeat(10)}`;
    const { written } = await sent([text]);
    expect(written[0]!.length).toBe(first);
    expect(written.join('')).toBe(text);
  });

  it('wait for a slow reader, and end with a client that has left', async () => {
    const response = new FakeResponse();
    response.takesMore = false;
    endPieces(response.asResponse, ['a', 'b']);
    expect(response.written).toEqual(['a']);
    response.emit('drain');
    await expect.poll(() => response.written).toEqual(['a', 'b']);
    response.destroyed = true;
    response.emit('drain');
    await new Promise(setImmediate);
    expect(response.ends).toEqual([]);
  });
});

describe('server-sent events', () => {
  function opened(isOver = false) {
    const response = new FakeResponse();
    const seen: string[] = [];
    const sinks: EventSink[] = [];
    const onDrain = () => seen.push('drained');
    const close = () => seen.push('closed');
    sendFeed(response.asResponse, { isOver, open: (sink) => sinks.push(sink), onDrain, close });
    return { response, seen, sinks };
  }

  it('that are over get 204, so that no client connects again', () => {
    const { response, sinks } = opened(true);
    expect([response.statusCode, response.ends, sinks]).toEqual([204, [undefined], []]);
    expect(response.headers).toEqual({});
  });

  it('begin at once, and are neither kept nor buffered', () => {
    const { response } = opened();
    expect([response.statusCode, response.isFlushed]).toEqual([200, true]);
    expect(response.headers).toEqual({
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Accel-Buffering': 'no',
    });
  });

  it('follow the client: it reads, it leaves', () => {
    const { response, seen, sinks } = opened();
    const [sink] = sinks;
    expect(sink!.write('data: 1\n\n')).toBe(true);
    response.takesMore = false;
    expect(sink!.write('data: 2\n\n')).toBe(false);
    expect(response.written).toEqual(['data: 1\n\n', 'data: 2\n\n']);
    for (const event of ['drain', 'close']) response.emit(event);
    expect(seen).toEqual(['drained', 'closed']);
    sink!.end();
    expect([response.ends, response.destroyed]).toEqual([[undefined], false]);
    sink!.abort();
    expect(response.destroyed).toBe(true);
  });
});

describe('a refusal', () => {
  const refused = (refusal: Refusal, isKept = true) => {
    const response = new FakeResponse();
    response.shouldKeepAlive = isKept;
    sendRefusal(response.asResponse, refusal);
    const { 'Content-Type': _, 'Content-Length': _length, ...headers } = response.headers;
    return { status: response.statusCode, headers };
  };
  const retry = { 'Retry-After': String(limits.retry_after_s) };

  it.each([
    [refuse('not_found'), true, 404, {}],
    [refuse('body_too_large'), true, 413, { Connection: 'close' }],
    [refuse('timed_out'), true, 503, { ...retry, Connection: 'close' }],
    [refuse('not_ready', { reasons: [] }), true, 503, retry],
    [{ ...refuse('log_ins_busy'), retry_after_s: 3 }, true, 429, { 'Retry-After': '3' }],
  ])('has the headers of its status: %j', (...[refusal, isKept, status, headers]) => {
    expect(refused(refusal, isKept)).toEqual({ status, headers });
  });

  it('closes a connection to another arm that is late', () => {
    expect(refused(refuse('upstream_timed_out')).headers).toMatchObject({ Connection: 'close' });
  });

  it('asks for a WebSocket, and names the upgrade as a hop', () => {
    const upgrade = { Upgrade: 'websocket', 'Sec-WebSocket-Version': '13' };
    const refusal = refuse('upgrade_required');
    expect(refused(refusal).headers).toEqual({ ...upgrade, Connection: 'Upgrade' });
    expect(refused(refusal, false).headers).toEqual({ ...upgrade, Connection: 'Upgrade, close' });
  });

  it('on a connection has the same headers', () => {
    const texts: string[] = [];
    const socket = { end: (text: string) => texts.push(text) } as object as Duplex;
    refuseOnSocket(socket, 'upgrade_required', 'why');
    const [head, body] = texts[0]!.split('\r\n\r\n');
    expect(head!.split('\r\n')).toEqual([
      'HTTP/1.1 426 Upgrade Required',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${body!.length}`,
      'Connection: close',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
    ]);
    expect(JSON.parse(body!).error.details).toBe('why');
  });

  it('before the arm is ready has the reason', () => {
    const response = new FakeResponse();
    expect(passesReadyCheck({ notReady: () => null }, response.asResponse)).toBe(true);
    expect(response.ends).toEqual([]);
    expect(passesReadyCheck({ notReady: () => 'it starts' }, response.asResponse)).toBe(false);
    expect(response.statusCode).toBe(503);
    expect(JSON.parse(String(response.ends[0])).error.details).toEqual({ reasons: ['it starts'] });
  });
});

describe('a call with a time limit', () => {
  function limited() {
    const timers: (() => void)[] = [];
    const delays: number[] = [];
    const afterUnreferenced: WallClock['afterUnreferenced'] = (delay_ms, callback) => {
      delays.push(delay_ms);
      timers.push(callback);
      return () => void timers.pop();
    };
    const wall = { afterUnreferenced } as Partial<WallClock> as WallClock;
    const deadline = { passed: false, isCommitted: false };
    const ends: { resolve?: (answer: Answer) => void; reject?: (error: Error) => void } = {};
    const work = new Promise<Answer>((resolve, reject) => Object.assign(ends, { resolve, reject }));
    return {
      timers,
      delays,
      deadline,
      ends,
      got: withTimeout(work, { limit_s: 2, wall, deadline }),
    };
  }
  const DONE = { reply: { done: true } };

  it('is refused when it is over, and marked so', async () => {
    const { timers, delays, deadline, got } = limited();
    expect(delays).toEqual([2000]);
    timers[0]!();
    expect(await got).toMatchObject({ refused: 'timed_out' });
    expect(deadline.passed).toBe(true);
  });

  it('has the outcome of its work once that has begun', async () => {
    const { timers, deadline, ends, got } = limited();
    deadline.isCommitted = true;
    timers[0]!();
    ends.resolve!(DONE);
    expect(await got).toBe(DONE);
    expect([deadline.passed, timers]).toEqual([false, []]);
  });

  it('fails as its work does, and is watched no longer', async () => {
    const { timers, ends, got } = limited();
    ends.reject!(new Error('a bug'));
    await expect(got).rejects.toThrow('a bug');
    expect(timers).toEqual([]);
  });
});
