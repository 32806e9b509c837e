/** What every line promises, as tests: memory, TCP and recorded ones run this suite. */
import { expect, it, vi } from 'vitest';
import type { Transport, WirePeer } from './transport.ts';

/** A line with the peer at its end, not yet open, and how to take the far end away. */
export interface LineUnderTest {
  readonly line: Transport;
  readonly end: () => Promise<void>;
}

/** Answers every chunk with its bytes in reverse. */
export const mirrorPeer: WirePeer = {
  attach: (send) => (bytes) => send(bytes.slice().reverse()),
};

/** The suite. `create` makes a fresh line to the mirror for each case. */
export function transportCases(create: () => Promise<LineUnderTest>): void {
  const opened = async (body: (line: Transport, heard: number[]) => Promise<void>) => {
    const { line, end } = await create();
    const heard: number[] = [];
    try {
      await line.open((bytes) => heard.push(...bytes));
      await body(line, heard);
    } finally {
      await line.close();
      await end();
    }
  };

  it('carries bytes both ways', () =>
    opened(async (line, heard) => {
      expect(line.write(Uint8Array.of(1, 2, 3))).toBe(true);
      await vi.waitFor(() => expect(heard).toEqual([3, 2, 1]));
    }));

  it('takes the bytes of a write at once', () =>
    opened(async (line, heard) => {
      const bytes = Uint8Array.of(7, 8);
      line.write(bytes);
      bytes.fill(0);
      await vi.waitFor(() => expect(heard).toEqual([8, 7]));
    }));

  it('drops what is written before it is open', async () => {
    const { line, end } = await create();
    expect(line.write(Uint8Array.of(1))).toBe(false);
    await line.close();
    await end();
  });

  it('drops what is written after it is closed, and closes twice', () =>
    opened(async (line, heard) => {
      await line.close();
      await line.close();
      expect(line.write(Uint8Array.of(1))).toBe(false);
      expect(heard).toEqual([]);
    }));
}
