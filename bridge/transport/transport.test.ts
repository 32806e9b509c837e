/** The lines keep their promises; names of buses are read; captures play back. */
import { describe, expect, it, vi } from 'vitest';
import { parseBusAddress } from './address.ts';
import { createMemoryTransport } from './memory.ts';
import { type CaptureRow, ReplayPeer, recordTransport } from './recorder.ts';
import { createSerialTransport } from './serial.ts';
import { SteppedBusClock } from './stepped-clock.cases.ts';
import { createTcpTransport } from './tcp.ts';
import { serveTcpPeer } from './tcp-peer.ts';
import { mirrorPeer, transportCases } from './transport.cases.ts';

const nothing = async () => {};
const host = '127.0.0.1';

async function tcpLine() {
  const served = await serveTcpPeer(mirrorPeer, 0);
  return { line: createTcpTransport({ host, port: served.port }), end: () => served.close() };
}

describe('a line in memory', () => {
  transportCases(async () => ({ line: createMemoryTransport(mirrorPeer), end: nothing }));
});

describe('a line over TCP', () => {
  transportCases(tcpLine);

  it('says what to do when nobody listens', async () => {
    const { line, end } = await tcpLine();
    await end();
    await expect(line.open(() => {})).rejects.toThrow(/No servo bus at tcp:.*emulator runs/);
  });

  it('comes back after a loss, and drops what is written meanwhile', async () => {
    const first = await serveTcpPeer(mirrorPeer, 0);
    const line = createTcpTransport({ host, port: first.port });
    const heard: number[] = [];
    await line.open((bytes) => heard.push(...bytes));
    await first.close();
    await vi.waitFor(() => expect(line.write(Uint8Array.of(9))).toBe(false));
    const second = await serveTcpPeer(mirrorPeer, first.port);
    await vi.waitFor(() => expect(line.write(Uint8Array.of(1, 2))).toBe(true), 3000);
    await vi.waitFor(() => expect(heard).toEqual([2, 1]));
    await line.close();
    await second.close();
  });
});

describe('a serial line', () => {
  it('says what to do when there is no such port', async () => {
    const line = createSerialTransport({ path: '/dev/no-such-port', baud: 1_000_000 });
    await expect(line.open(() => {})).rejects.toThrow(/check the cable|npm install serialport/);
    expect(line.write(Uint8Array.of(1))).toBe(false);
    await line.close();
  });
});

describe('a recorded line', () => {
  const clock = new SteppedBusClock();
  transportCases(async () => ({
    line: recordTransport(createMemoryTransport(mirrorPeer), clock, () => {}),
    end: nothing,
  }));

  async function capture(): Promise<CaptureRow[]> {
    const rows: CaptureRow[] = [];
    const line = recordTransport(createMemoryTransport(mirrorPeer), clock, (row) => rows.push(row));
    await line.open(() => {});
    line.write(Uint8Array.of(1, 2));
    clock.advance(8);
    line.write(Uint8Array.of(3, 4));
    return rows;
  }

  it('notes both directions with their time', async () => {
    const rows = await capture();
    expect(rows.map(({ direction, hex }) => `${direction} ${hex}`)).toEqual([
      'out 0102',
      'in 0201',
      'out 0304',
      'in 0403',
    ]);
    expect(rows[2]!.at_ms - rows[0]!.at_ms).toBe(8);
  });

  it('plays back as a peer, in whatever pieces it is asked', async () => {
    const peer = new ReplayPeer(await capture());
    const heard: number[] = [];
    const line = createMemoryTransport(peer);
    await line.open((bytes) => heard.push(...bytes));
    for (const byte of [1, 2, 3, 4]) line.write(Uint8Array.of(byte));
    expect(heard).toEqual([2, 1, 4, 3]);
    expect(peer.finished).toBe(true);
    expect(peer.mismatch).toBeNull();
  });

  it('says where a session differs from the capture', async () => {
    const peer = new ReplayPeer(await capture());
    const line = createMemoryTransport(peer);
    await line.open(() => expect.unreachable());
    line.write(Uint8Array.of(1, 5));
    expect(peer.mismatch).toEqual({ asked: '0105', wanted: '0102' });
  });
});

describe('names of buses', () => {
  it('are read', () => {
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

  it.each(['', 'tcp://x', 'tcp://x:99999', 'serial:', '/dev/ttyUSB0', 'udp://x:1'])(
    '%j is refused with the forms there are',
    (text) =>
      expect(parseBusAddress(text)).toMatchObject({
        ok: false,
        error: expect.stringContaining('tcp://host'),
      }),
  );
});
