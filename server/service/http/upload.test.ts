/** Bodies as they arrive: how much is kept, in what memory, at what pace, and which are late. */
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { limits } from '../../../contract/limits.ts';
import { refuse } from '../../../contract/refusal.ts';
import type { RouteRow } from '../../../contract/routes.ts';
import { createPrng } from '../../../physics/math/prng.ts';
import { systemClock, type WallClock } from '../../clock/wall-clock.ts';
import { DocumentReader } from '../../documents/document-reader.ts';
import { readBody } from './body-reader.ts';
import type { BodySource } from './body-source.ts';
import { readAndValidate, sizeRefusal } from './request-body.ts';

/** Reads a body of at most so many bytes. */
async function readOf(
  request: IncomingMessage,
  limit_bytes: number,
  bounds: Partial<Parameters<typeof readBody>[1]> = {},
): Promise<readonly Buffer[]> {
  const common = { limit_bytes, kept_bytes: limit_bytes, limit_s: 5, wall: systemClock };
  const read = await readBody(request, { ...common, pause_ms: () => 0, ...bounds });
  if ('refused' in read) throw new Error(read.refused);
  return read;
}

const memoryOf = (pieces: readonly Buffer[]) =>
  pieces.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);

it('keeps the start of a body alone, and does not pause for the rest', async () => {
  const request = new IncomingMessage(new Socket());
  const pause_ms = vi.fn(() => 0);
  const reading = readOf(request, 10_000_000, { kept_bytes: 64, pause_ms });
  request.push('armtwin-update ');
  for (let i = 0; i < 50; i++) request.push(Buffer.alloc(100_000, 'x'));
  request.push(null);
  const kept = await reading;
  expect(kept.map(({ length }) => length)).toEqual([64]);
  expect(memoryOf(kept)).toBeLessThan(10_000);
  expect(String(kept[0])).toMatch(/^armtwin-update x+$/);
  expect(pause_ms).not.toHaveBeenCalled();
});

it.each([
  ['announced', (size: number) => String(size)],
  ['not announced', () => undefined],
])(
  'keeps every byte of a body in one memory no larger than four of it: %s',
  async (_, announce) => {
    const random = createPrng(20);
    for (let round = 0; round < 20; round++) {
      const sent = Buffer.from(Array.from({ length: 1 + 3000 * random() }, () => 256 * random()));
      const request = new IncomingMessage(new Socket());
      const length = announce(sent.length);
      if (length !== undefined) request.headers['content-length'] = length;
      const reading = readOf(request, 4000);
      for (let at = 0; at < sent.length; ) {
        const chunk = sent.subarray(at, at + 1 + 500 * random());
        request.push(chunk);
        at += chunk.length;
      }
      request.push(null);
      const kept = await reading;
      expect(kept).toHaveLength(1);
      expect(kept[0]!.equals(sent)).toBe(true);
      expect(memoryOf(kept)).toBeLessThanOrEqual(4 * sent.length);
      if (length === String(sent.length)) expect(memoryOf(kept)).toBe(sent.length);
    }
  },
);

it('copies a body of many small chunks a few times in all', async () => {
  const allocations = vi.spyOn(Buffer, 'allocUnsafeSlow');
  const request = new IncomingMessage(new Socket());
  const reading = readOf(request, 100_000);
  for (let i = 0; i < 20_000; i++) request.push(Buffer.of(i));
  request.push(null);
  const [kept] = await reading;
  expect(kept!.equals(Buffer.from(Array.from({ length: 20_000 }, (_, i) => i)))).toBe(true);
  expect(allocations.mock.calls.length).toBeLessThan(12);
  allocations.mockRestore();
});

it('takes no more memory for a body that just fills what it has', async () => {
  const request = new IncomingMessage(new Socket());
  const reading = readOf(request, 100_000);
  for (const bytes of [1000, 3000]) request.push(Buffer.alloc(bytes));
  request.push(null);
  expect(memoryOf(await reading)).toBe(4000);
});

it('takes no more memory for a large announcement than four times what has arrived', async () => {
  const request = new IncomingMessage(new Socket());
  request.headers['content-length'] = '10000000';
  const reading = readOf(request, 10_000_000);
  request.push(Buffer.alloc(100));
  request.push(null);
  expect(memoryOf(await reading)).toBeLessThanOrEqual(400);
});

it.each([
  [true, 65_536],
  [false, 65_536],
  [true, 60_000],
])('keeps a large body in pieces that were never copied: %s, %d', async (isAnnounced, chunk) => {
  const random = createPrng(7);
  const size = 5_000_000;
  // The pattern repeats at other places of each piece.
  const pattern = Buffer.from(Array.from({ length: 4099 }, () => 256 * random()));
  const sent = Buffer.alloc(size, pattern);
  const allocations = vi.spyOn(Buffer, 'allocUnsafeSlow');
  const request = new IncomingMessage(new Socket());
  if (isAnnounced) request.headers['content-length'] = String(size);
  const reading = readOf(request, 64_000_000);
  for (let at = 0; at < size; at += chunk) request.push(sent.subarray(at, at + chunk));
  request.push(null);
  const kept = await reading;
  const piece = 1024 * 1024;
  expect(kept.map((one) => one.length)).toEqual([piece, piece, piece, piece, size - 4 * piece]);
  expect(Buffer.concat(kept).equals(sent)).toBe(true);
  // Small memories for the first piece, and one for each of the others.
  expect(allocations.mock.calls.map(([bytes]) => bytes).filter((n) => n > 300_000)).toHaveLength(5);
  allocations.mockRestore();
  if (isAnnounced) expect(memoryOf(kept)).toBe(size);
});

it('receives large bodies at a pace: all of them together, smaller ones at once', async () => {
  let now_ms = 0;
  const wall = {
    ...systemClock,
    now_ms: () => now_ms,
    afterUnreferenced(delay_ms: number, callback: () => void) {
      if (delay_ms === 5000) return () => {};
      now_ms += delay_ms;
      return systemClock.soon(callback);
    },
  };
  const documents = new DocumentReader({ wall, keepsTime: () => true });
  const pause_ms = (bytes: number) => documents.pauseAfter(bytes, 1);
  const receive = async (size: number) => {
    const request = new IncomingMessage(new Socket());
    const reading = readOf(request, 64_000_000, { wall, pause_ms });
    for (let at = 0; at < size; at += 65_536) request.push(Buffer.alloc(65_536));
    request.push(null);
    await reading;
  };
  const start = limits.large_document_bytes;
  await receive(start);
  expect(now_ms).toBe(0);
  const size = 4 * 1024 * 1024;
  await Promise.all([receive(size), receive(size)]);
  const paced_ms = (2 * (size - start) * 1000) / limits.large_body_bytes_per_s;
  // The last bytes may arrive a little before they are due.
  expect(paced_ms - now_ms).toBeGreaterThan(-1e-6);
  expect(paced_ms - now_ms).toBeLessThan(15);
  await documents.close();
});

it('receives bodies as they come while the clock is stepped', async () => {
  const documents = new DocumentReader({ wall: systemClock, keepsTime: () => false });
  expect(documents.pauseAfter(2 ** 40, 1)).toBe(0);
  await documents.close();
});

/** A clock whose timers are called by the test, with their delays. */
function heldClock() {
  const timers: { delay_ms: number; ring: () => void }[] = [];
  const afterUnreferenced: WallClock['afterUnreferenced'] = (delay_ms, ring) => {
    const timer = { delay_ms, ring };
    timers.push(timer);
    return () => void timers.splice(timers.indexOf(timer), 1);
  };
  return { timers, wall: { ...systemClock, afterUnreferenced } };
}

/** A request of whose body these chunks have arrived. */
function requestOf(chunks: readonly (string | Buffer)[], announced?: number): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  if (announced !== undefined) request.headers['content-length'] = String(announced);
  for (const chunk of chunks) request.push(chunk);
  return request;
}

describe('a body', () => {
  const bounds = { limit_bytes: 10, kept_bytes: 10, limit_s: 5, pause_ms: () => 0 };

  it('may be as large as the limit, and no larger as it announces', async () => {
    expect(sizeRefusal(requestOf([], 10), 10)).toBe(null);
    expect(sizeRefusal(requestOf([]), 10)).toBe(null);
    const { wall, timers } = heldClock();
    const large = requestOf(['x'], 11);
    expect(await readBody(large, { ...bounds, wall })).toMatchObject({ refused: 'body_too_large' });
    expect([timers, large.readableFlowing]).toEqual([[], null]);
    const exact = requestOf(['01234', '56789']);
    exact.push(null);
    expect(String(await readBody(exact, { ...bounds, wall }))).toBe('0123456789');
    expect(timers).toEqual([]);
  });

  it('larger than the limit is not read on', async () => {
    const request = requestOf(['01234', '567890']);
    const { wall } = heldClock();
    expect(await readBody(request, { ...bounds, wall })).toMatchObject({
      refused: 'body_too_large',
    });
    expect(request.isPaused()).toBe(true);
  });

  it('that is late is refused, and a complete one is never late', async () => {
    const { wall, timers } = heldClock();
    const reading = readBody(requestOf(['0']), { ...bounds, wall });
    expect(timers.map(({ delay_ms }) => delay_ms)).toEqual([5000]);
    timers[0]!.ring();
    expect(await reading).toMatchObject({ refused: 'timed_out' });
    const closed = heldClock();
    const request = requestOf(['0']);
    void readBody(request, { ...bounds, wall: closed.wall });
    request.emit('close');
    expect(closed.timers).toEqual([]);
  });

  it.each(['error', 'aborted'])('that ends with the connection is malformed: %s', async (event) => {
    const request = requestOf(['0']);
    const reading = readBody(request, { ...bounds, wall: heldClock().wall });
    request.emit(event);
    expect(await reading).toMatchObject({ refused: 'malformed_body' });
  });

  it('that is large waits after each of its later chunks', async () => {
    const size = limits.large_document_bytes;
    const { wall, timers } = heldClock();
    const request = requestOf([Buffer.alloc(size)]);
    const large = { limit_bytes: 2 * size, kept_bytes: 2 * size, limit_s: 5, wall };
    const reading = readBody(request, { ...large, pause_ms: (bytes) => bytes / 2 });
    await expect.poll(() => request.readableLength).toBe(0);
    expect([timers.length, request.isPaused()]).toEqual([1, false]);
    request.push('0123');
    await expect.poll(() => timers.length).toBe(2);
    expect([timers[1]!.delay_ms, request.isPaused()]).toEqual([2, true]);
    timers[1]!.ring();
    expect(request.isPaused()).toBe(false);
    request.push(null);
    expect(memoryOf((await reading) as Buffer[])).toBeGreaterThan(size);
  });
});

describe('the body of a call', () => {
  const ROW = {
    ...{ id: 'any', method: 'POST', path: '/api/v1/any', role: 'user', body: 'NameBody' },
    ...{ bodyLimit_bytes: 100, timeout_s: 7 },
  } as object as RouteRow;
  const REFUSED = refuse('malformed_body');
  const READ = { body: { name: 'a' }, ignored: [], sha256: null };

  async function readOfCall(
    row: RouteRow,
    { dialect = 'documented', read = READ }: { dialect?: string; read?: object } = {},
  ) {
    const { wall, timers } = heldClock();
    const tasks: object[] = [];
    const documents = {
      pauseAfter: () => 0,
      async body(task: object) {
        tasks.push(task);
        return read;
      },
    };
    const request = requestOf(['{"a":', '1}', ' '.repeat(80)]);
    request.push(null);
    const body: BodySource = { readBody: (bounds) => readBody(request, bounds) };
    const asked = { route: { row }, dialect, body } as object;
    const services = { wall, documents } as object;
    const given = [asked, services, true, { owner: 1 }] as Parameters<typeof readAndValidate>;
    const got = readAndValidate(...given);
    const [late] = timers;
    return { got: await got, task: tasks[0], limit_ms: late!.delay_ms };
  }

  it('is read by the schema of the route, for its kind of users', async () => {
    const { got, task, limit_ms } = await readOfCall(ROW);
    expect(got).toBe(READ);
    expect(task).toMatchObject({
      ...{ route: 'any', schema: 'NameBody', dialect: 'documented', needsHash: true },
      ...{ isUsers: true, pieces: [Buffer.from(`{"a":1}${' '.repeat(80)}`)] },
    });
    expect(limit_ms).toBe(7000);
    const { body: _, ...bodiless } = ROW;
    expect((await readOfCall({ ...bodiless, role: 'admin' })).task).toMatchObject({
      ...{ schema: 'Nothing', isUsers: false },
    });
  });

  it('has its own time where the call has the usual one', async () => {
    const { limit_ms } = await readOfCall({ ...ROW, timeout_s: limits.call_default_s });
    expect(limit_ms).toBe(limits.body_default_s * 1000);
  });

  it('is the start of a package', async () => {
    const { got, task } = await readOfCall({ ...ROW, carries: 'package' });
    const start = Buffer.from(`{"a":1}${' '.repeat(80)}`).subarray(0, limits.package_head_bytes);
    expect(got).toEqual({ body: start, ignored: [], sha256: null });
    expect(task).toBe(undefined);
    expect(await readOfCall({ ...ROW, bodyLimit_bytes: 20 })).toMatchObject({
      got: { refused: 'body_too_large' },
    });
  });

  const { body: _, ...BODILESS } = ROW;
  const OPTIONAL: RouteRow = { ...ROW, bodyOptional: true };
  const SIM = { path: '/sim/v1/any' };
  const NONE = { body: undefined, ignored: [], sha256: null };
  it.each([
    ['a needed body', ROW, REFUSED],
    ['no body', BODILESS, NONE],
    ['an optional body', OPTIONAL, { ...NONE, body: {} }],
    ['an optional body of the simulation', { ...OPTIONAL, ...SIM }, REFUSED],
    ['no body of the simulation', { ...BODILESS, ...SIM }, NONE],
  ])('that is invalid is ignored where the field ignores it: %s', async (_what, row, fielded) => {
    expect((await readOfCall(row, { read: REFUSED })).got).toBe(REFUSED);
    const dialect = 'fielded';
    expect((await readOfCall(row, { dialect, read: REFUSED })).got).toEqual(fielded);
    expect((await readOfCall(row, { dialect })).got).toBe(READ);
  });
});
