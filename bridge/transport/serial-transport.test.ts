/** The serial transport over a pseudo terminal of socat, whose other end can be stopped. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { pbkdf2 } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { createSerialTransport } from './serial-transport.ts';
import { type ServedPeer, serveTcpPeer } from './tcp-peer.ts';
import { mirrorPeer, transportCases } from './transport.cases.ts';
import type { LineEvent, WirePeer } from './transport.ts';

function hasSocat(): boolean {
  try {
    execFileSync('socat', ['-V'], { stdio: 'ignore' });
    return process.platform === 'linux';
  } catch {
    return false;
  }
}

const folder = mkdtempSync(join(tmpdir(), 'armtwin-serial-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let count = 0;

/** A pseudo terminal with `peer` at its other end. */
class Terminal {
  readonly path = join(folder, `tty${count++}`);
  private socat: ChildProcess | null = null;
  private served: ServedPeer | null = null;

  async plug(peer: WirePeer = mirrorPeer): Promise<void> {
    this.served = await serveTcpPeer(peer, 0);
    const pty = `pty,raw,echo=0,link=${this.path}`;
    this.socat = spawn('socat', [pty, `tcp:127.0.0.1:${this.served.port},nodelay`]);
    await vi.waitFor(() => expect(existsSync(this.path)).toBe(true), 5000);
  }

  signal(name: NodeJS.Signals): void {
    this.socat?.kill(name);
  }

  async unplug(): Promise<void> {
    this.signal('SIGKILL');
    rmSync(this.path, { force: true });
    await this.served?.close();
  }
}

const baud = 1_000_000;

/** Work that occupies all threads of Node's pool; resolves when the first piece is done. */
function occupyPool(): Promise<void> {
  return new Promise((resolve) => {
    for (let i = 0; i < 8; i++) pbkdf2('a', 'b', 100_000, 32, 'sha512', () => resolve());
  });
}

describe.skipIf(!hasSocat())('a serial port (needs socat on Linux)', () => {
  transportCases(async () => {
    const terminal = new Terminal();
    await terminal.plug();
    const line = createSerialTransport({ path: terminal.path, baud });
    return { line, end: () => terminal.unplug() };
  });

  it('does not wait behind passwords and files', async () => {
    const terminal = new Terminal();
    await terminal.plug();
    const line = createSerialTransport({ path: terminal.path, baud });
    const order: string[] = [];
    await line.open(() => order.push('answer'));
    const computed = occupyPool().then(() => order.push('password'));
    line.write(Uint8Array.of(1, 2));
    await computed;
    expect(order[0]).toBe('answer');
    await line.close();
    await terminal.unplug();
  });

  it('drops what does not leave, and discards what waits', async () => {
    const received: number[] = [];
    const terminal = new Terminal();
    await terminal.plug({ attach: () => (bytes) => void received.push(...bytes) });
    const line = createSerialTransport({ path: terminal.path, baud });
    await line.open(() => {});
    terminal.signal('SIGSTOP');
    let accepted = 0;
    for (let i = 0; i < 2000; i++) if (line.write(new Uint8Array(100))) accepted += 100;
    expect(accepted).toBeLessThan(100_000);
    line.discard?.();
    await new Promise((resolve) => setTimeout(resolve, 100));
    terminal.signal('SIGCONT');
    expect(line.write(Uint8Array.of(7))).toBe(true);
    await vi.waitFor(() => expect(received.at(-1)).toBe(7), 5000);
    // The other end of a pseudo terminal has taken a page.
    expect(received.length).toBeLessThanOrEqual(4097);
    expect(received.length).toBeLessThan(accepted);
    await line.close();
    await terminal.unplug();
  });
});

describe.skipIf(!hasSocat())('a serial port that is unplugged (needs socat on Linux)', () => {
  it('says why it is lost and cannot be opened again, and when it is back', async () => {
    const terminal = new Terminal();
    await terminal.plug();
    const line = createSerialTransport({ path: terminal.path, baud });
    const events: LineEvent[] = [];
    line.watch?.((event) => events.push(event));
    const received: number[] = [];
    await line.open((bytes) => received.push(...bytes));
    await terminal.unplug();
    await vi.waitFor(() => expect(line.problem).toMatch(/Cannot open .*No such file/), 5000);
    expect(line.write(Uint8Array.of(1))).toBe(false);
    await terminal.plug();
    await vi.waitFor(() => expect(line.write(Uint8Array.of(1, 2))).toBe(true), 5000);
    await vi.waitFor(() => expect(received).toEqual([2, 1]));
    expect(line.problem ?? null).toBeNull();
    expect(events.map(({ kind }) => kind)).toEqual(['lost', 'unavailable', 'back']);
    await line.close();
    await terminal.unplug();
  });
});

describe('what is no serial port', () => {
  it.each(['a file', '/dev/null'])('%s: is named', async (name) => {
    const path = name === 'a file' ? join(folder, 'plain') : name;
    if (name === 'a file') writeFileSync(path, 'x');
    const line = createSerialTransport({ path, baud });
    await expect(line.open(() => {})).rejects.toThrow(/is not a serial port: give the device|npm/);
    await line.close();
  });
});
