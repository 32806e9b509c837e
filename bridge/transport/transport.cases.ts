/** Conformance suite of transports; memory, TCP and captured transports run it. */
import { expect, it, vi } from 'vitest';
import type { BusTransport, WirePeer } from './transport.ts';

/** A transport to a mirror peer, not yet open, and the function that closes the peer. */
export interface TransportUnderTest {
  readonly line: BusTransport;
  readonly end: () => Promise<void>;
}

/** Replies to every chunk with its bytes reversed. */
export const mirrorPeer: WirePeer = {
  attach: (send) => (bytes) => send(bytes.slice().reverse()),
};

/** The suite. `create` makes a new transport to the mirror peer for each case. */
export function transportCases(create: () => Promise<TransportUnderTest>): void {
  const opened = async (body: (line: BusTransport, received: number[]) => Promise<void>) => {
    const { line, end } = await create();
    const received: number[] = [];
    try {
      await line.open((bytes) => received.push(...bytes));
      await body(line, received);
    } finally {
      await line.close();
      await end();
    }
  };

  it('carries bytes both ways', () =>
    opened(async (line, received) => {
      expect(line.write(Uint8Array.of(1, 2, 3))).toBe(true);
      await vi.waitFor(() => expect(received).toEqual([3, 2, 1]));
    }));

  it('copies the bytes of a write', () =>
    opened(async (line, received) => {
      const bytes = Uint8Array.of(7, 8);
      line.write(bytes);
      bytes.fill(0);
      await vi.waitFor(() => expect(received).toEqual([8, 7]));
    }));

  it('drops writes before it is open', async () => {
    const { line, end } = await create();
    expect(line.write(Uint8Array.of(1))).toBe(false);
    await line.close();
    await end();
  });

  it('drops writes after close, and can be closed twice', () =>
    opened(async (line, received) => {
      await line.close();
      await line.close();
      expect(line.write(Uint8Array.of(1))).toBe(false);
      expect(received).toEqual([]);
    }));
}
