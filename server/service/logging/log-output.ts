/**
 * Where the lines of the log go: the standard error output, without ever waiting for it. A log that
 * is not read, a terminal that is stopped with Ctrl-S or a full disk must not hold up or end the
 * arm. Lines that cannot be written are lost, counted and named in the log once it goes on.
 */

import { constants, fstatSync, openSync, writeSync } from 'node:fs';
import { systemClock, type WallClock } from '../../clock/wall-clock.ts';

/** Writes bytes, returns how many. Throws the error of the system, EAGAIN where it would wait. */
export type WriteBytes = (bytes: Uint8Array) => number;

/** Lines that wait for a slow reader; beyond it they are lost (bytes). */
export const LOG_BUFFER_BYTES = 1 << 20;
/** Time between attempts to write to an output that takes nothing now (ms). */
const RETRY_MS = 20;

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? String(error);

/** Lines that are written in their order, now or soon. */
export class LogOutput {
  /** Lines lost since the start. */
  lost = 0;
  private readonly writeBytes: WriteBytes;
  private readonly clock: Pick<WallClock, 'afterUnreferenced' | 'epoch_ms'>;
  private readonly waiting: Buffer[] = [];
  private waiting_bytes = 0;
  private isRetrying = false;
  /** Lost lines that the log does not name yet, and why. */
  private unnamed = 0;
  private reason = '';

  constructor(writeBytes: WriteBytes, clock: Pick<WallClock, 'afterUnreferenced' | 'epoch_ms'>) {
    this.writeBytes = writeBytes;
    this.clock = clock;
  }

  /** Writes text that ends with a line end; never waits and never throws. */
  write(text: string): void {
    const bytes = Buffer.from(text);
    if (this.waiting_bytes + bytes.length > LOG_BUFFER_BYTES) {
      this.lose('the output takes nothing');
      return;
    }
    this.keep(bytes);
    if (!this.isRetrying) this.flush();
  }

  /** Writes what waits, as far as the output takes it now. */
  flush(): void {
    while (this.waiting.length > 0) {
      if (!this.writeFirst()) return;
    }
  }

  private keep(bytes: Buffer): void {
    this.waiting.push(bytes);
    this.waiting_bytes += bytes.length;
  }

  /** Writes the first line, or loses it; false when it has to wait. */
  private writeFirst(): boolean {
    const bytes = this.waiting.shift()!;
    this.waiting_bytes -= bytes.length;
    let written = 0;
    try {
      written = this.writeBytes(bytes);
    } catch (error) {
      const code = codeOf(error);
      if (code !== 'EAGAIN') {
        this.lose(code);
        return true;
      }
    }
    if (written < bytes.length) {
      this.waiting.unshift(bytes.subarray(written));
      this.waiting_bytes += bytes.length - written;
      this.retry();
      return false;
    }
    this.nameLost();
    return true;
  }

  private retry(): void {
    if (this.isRetrying) return;
    this.isRetrying = true;
    this.clock.afterUnreferenced(RETRY_MS, () => {
      this.isRetrying = false;
      this.flush();
    });
  }

  private lose(reason: string): void {
    this.lost += 1;
    this.unnamed += 1;
    this.reason = reason;
  }

  private nameLost(): void {
    if (this.unnamed === 0) return;
    const msg = `${this.unnamed} lines of the log were lost: ${this.reason}`;
    const time = new Date(this.clock.epoch_ms()).toISOString();
    this.unnamed = 0;
    this.keep(Buffer.from(`${JSON.stringify({ level: 'warn', time, msg })}\n`));
  }
}

const STDERR = 2;

/**
 * Writes to the standard error output. A pipe or a terminal is opened a second time for it, so that
 * it takes what it can at once, which would change it for other processes otherwise. Where that is
 * not possible, and for files, a write takes as long as the system needs.
 */
function standardError(): WriteBytes {
  let fd = STDERR;
  try {
    const opened = fstatSync(STDERR);
    if (opened.isFIFO() || opened.isCharacterDevice()) {
      const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants;
      fd = openSync(`/proc/self/fd/${STDERR}`, O_WRONLY | O_NONBLOCK | O_NOCTTY);
    }
  } catch {
    // The output is a socket, or the system does not have it by a path.
  }
  return (bytes) => writeSync(fd, bytes);
}

let output: LogOutput | null = null;

/** The output of this process. */
export function logOutput(): LogOutput {
  if (!output) {
    const created = new LogOutput(standardError(), systemClock);
    process.once('exit', () => created.flush());
    output = created;
  }
  return output;
}
