/** Transports conform to their suite; bus addresses are parsed; captures are replayed. */
import { describe, expect, it, vi } from 'vitest';
import { parseBusAddress } from './bus-address.ts';
import { type CaptureRow, captureTransport } from './capture.ts';
import { createMemoryTransport } from './memory-transport.ts';
import { ReplayPeer } from './replay-peer.ts';
import { createSerialTransport, openingProblem } from './serial-transport.ts';
import { SteppedBusClock } from './stepped-clock.cases.ts';
import { serveTcpPeer } from './tcp-peer.ts';
import { createTcpTransport } from './tcp-transport.ts';
import { mirrorPeer, transportCases } from './transport.cases.ts';

const nothing = async () => {};
const host = '127.0.0.1';

async function tcpLine() {
  const served = await serveTcpPeer(mirrorPeer, 0);
  return { line: createTcpTransport({ host, port: served.port }), end: () => served.close() };
}

describe('the memory transport', () => {
  transportCases(async () => ({ line: createMemoryTransport(mirrorPeer), end: nothing }));
});

describe('the TCP transport', () => {
  transportCases(tcpLine);

  it('rejects with advice when nothing listens', async () => {
    const { line, end } = await tcpLine();
    await end();
    await expect(line.open(() => {})).rejects.toThrow(/No servo bus at tcp:.*emulator runs/);
  });

  it('reconnects after a loss, and drops writes in between', async () => {
    const first = await serveTcpPeer(mirrorPeer, 0);
    const line = createTcpTransport({ host, port: first.port });
    const received: number[] = [];
    await line.open((bytes) => received.push(...bytes));
    await first.close();
    await vi.waitFor(() => expect(line.write(Uint8Array.of(9))).toBe(false));
    const second = await serveTcpPeer(mirrorPeer, first.port);
    await vi.waitFor(() => expect(line.write(Uint8Array.of(1, 2))).toBe(true), 3000);
    await vi.waitFor(() => expect(received).toEqual([2, 1]));
    await line.close();
    await second.close();
  });
});

describe('the serial transport', () => {
  it('says busy for a port that another program uses, and what to check otherwise', () => {
    const locked = 'Error Resource temporarily unavailable Cannot lock port';
    expect(openingProblem('/dev/ttyUSB0', locked)).toMatch(/is busy \(.*stop the other program/);
    expect(openingProblem('COM3', 'Opening COM3: Access denied')).toMatch(/^serial:COM3 is busy/);
    expect(openingProblem('/dev/x', 'No such file or directory')).toMatch(/^Cannot open .*cable/);
  });

  it('rejects with advice when the port does not exist', async () => {
    const line = createSerialTransport({ path: '/dev/no-such-port', baud: 1_000_000 });
    await expect(line.open(() => {})).rejects.toThrow(/check the cable|package serialport/);
    expect(line.write(Uint8Array.of(1))).toBe(false);
    await line.close();
  });
});

describe('a captured transport', () => {
  const clock = new SteppedBusClock();
  transportCases(async () => ({
    line: captureTransport(createMemoryTransport(mirrorPeer), clock, () => {}),
    end: nothing,
  }));

  async function capture(): Promise<CaptureRow[]> {
    const rows: CaptureRow[] = [];
    const line = captureTransport(createMemoryTransport(mirrorPeer), clock, (row) =>
      rows.push(row),
    );
    await line.open(() => {});
    line.write(Uint8Array.of(1, 2));
    clock.advance(8);
    line.write(Uint8Array.of(3, 4));
    return rows;
  }

  it('records both directions with their time', async () => {
    const rows = await capture();
    expect(rows.map(({ direction, hex }) => `${direction} ${hex}`)).toEqual([
      'out 0102',
      'in 0201',
      'out 0304',
      'in 0403',
    ]);
    expect(rows[2]!.at_ms - rows[0]!.at_ms).toBe(8);
  });

  it('replays as a peer, however the requests are split', async () => {
    const peer = new ReplayPeer(await capture());
    const received: number[] = [];
    const line = createMemoryTransport(peer);
    await line.open((bytes) => received.push(...bytes));
    for (const byte of [1, 2, 3, 4]) line.write(Uint8Array.of(byte));
    expect(received).toEqual([2, 1, 4, 3]);
    expect(peer.finished).toBe(true);
    expect(peer.mismatch).toBeNull();
  });

  it('reports where a session differs from the capture', async () => {
    const peer = new ReplayPeer(await capture());
    const line = createMemoryTransport(peer);
    await line.open(() => expect.unreachable());
    line.write(Uint8Array.of(1, 5));
    expect(peer.mismatch).toEqual({ received: '0105', expected: '0102' });
  });
});

describe('a gateway', () => {
  it('serves one program; a second is refused by name, and served after the first', async () => {
    const served = await serveTcpPeer(mirrorPeer, 0);
    const address = { host: '127.0.0.1', port: served.port };
    const [one, other] = [createTcpTransport(address), createTcpTransport(address)];
    const received: number[] = [];
    await one.open((bytes) => received.push(...bytes));
    one.write(Uint8Array.of(1, 2));
    await vi.waitFor(() => expect(received).toEqual([2, 1]));
    expect(one.problem).toBeNull();
    await other.open(() => {});
    await vi.waitFor(() =>
      expect(other.problem).toMatch(
        /^The gateway tcp:\/\/127\.0\.0\.1:\d+ closes .* says "in use by 127\.0\.0\.1:\d+": stop/,
      ),
    );
    await other.close();
    await one.close();
    const next = createTcpTransport(address);
    const later: number[] = [];
    await next.open((bytes) => later.push(...bytes));
    next.write(Uint8Array.of(3, 4));
    await vi.waitFor(() => expect(later).toEqual([4, 3]));
    await next.close();
    await served.close();
  });
});

describe('bus addresses', () => {
  it('are parsed', () => {
    expect(parseBusAddress('memory')).toEqual({ ok: true, value: { kind: 'memory' } });
    expect(parseBusAddress('tcp://arm.local:4000')).toEqual({
      ok: true,
      value: { kind: 'tcp', host: 'arm.local', port: 4000 },
    });
    expect(parseBusAddress('tcp://[::1]:4000')).toMatchObject({ value: { host: '::1' } });
    expect(parseBusAddress('serial:/dev/ttyUSB0@57600')).toEqual({
      ok: true,
      value: { kind: 'serial', path: '/dev/ttyUSB0', baud: 57600 },
    });
    expect(parseBusAddress('serial:COM3')).toMatchObject({ value: { baud: 1_000_000 } });
  });

  it('of a port without its kind: the address is named', () =>
    expect(parseBusAddress('/dev/ttyUSB0@57600')).toMatchObject({
      error: expect.stringMatching(/is a serial port: use serial:\/dev\/ttyUSB0@57600, or/),
    }));

  it.each(['', 'tcp://x', 'tcp://x:99999', 'serial:', '/dev/ttyUSB0', 'udp://x:1'])(
    '%j is rejected with the valid forms',
    (text) =>
      expect(parseBusAddress(text)).toMatchObject({
        ok: false,
        error: expect.stringContaining('tcp://host'),
      }),
  );
});
