/**
 * A disk in memory that loses power: what was not synced may be lost, torn, or written in another
 * order. Folder entries are durable after a sync of the folder. Test code.
 */
import { promises as files } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename, dirname } from 'node:path';
import { systemClock, type WallClock } from '../clock/wall-clock.ts';
import type { Disk, DiskFile } from './disk.ts';

/** A change of a file that is not durable yet. */
type Pending =
  | { readonly kind: 'write'; readonly bytes: Buffer; readonly position: number }
  | { readonly kind: 'truncate'; readonly size_bytes: number };

/** A clock whose waits end at once. */
export const hurriedClock: WallClock = {
  ...systemClock,
  after: (_delay_ms, callback) => systemClock.soon(callback),
};

class SimulatedFile {
  current: Buffer = Buffer.alloc(0);
  durable: Buffer = Buffer.alloc(0);
  pending: Pending[] = [];
}

function applied(content: Buffer, change: Pending): Buffer {
  if (change.kind === 'truncate') {
    const { size_bytes } = change;
    if (size_bytes <= content.length) return Buffer.from(content.subarray(0, size_bytes));
    return Buffer.concat([content, Buffer.alloc(size_bytes - content.length)]);
  }
  const { bytes, position } = change;
  const size = Math.max(content.length, position + bytes.length);
  const next = Buffer.alloc(size);
  content.copy(next);
  bytes.copy(next, position);
  return next;
}

/** Smallest unit that reaches the disk as a whole (bytes). */
const SECTOR_BYTES = 128;

function noSpace(): Error {
  return Object.assign(new Error('ENOSPC: no space'), { code: 'ENOSPC' });
}

function ioError(): Error {
  return Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
}

/** Names and files of the folders; a `draw` returns numbers from 0 to 1. */
export class SimulatedDisk implements Disk {
  /** The next calls of this kind that fail. */
  fails: {
    readonly step: 'write' | 'sync' | 'create';
    count: number;
    /** Whether a file cannot be shortened either. */
    readonly alsoTruncate?: boolean;
  } | null = null;
  /** The next answers to writers that ask whether they hold the lock; later ones are yes. */
  readonly lockAnswers = new Map<number, boolean[]>();
  /** Calls until the power fails; the call that meets it never returns. */
  calls_left = Number.POSITIVE_INFINITY;
  /** How long each call takes; null: no turn of the event loop. */
  latency: (() => Promise<void>) | null = null;
  /** Resolves when the disk goes on. */
  private held: Promise<void> | null = null;
  private names = new Map<string, SimulatedFile>();
  private durableNames = new Map<string, SimulatedFile>();
  private readonly draw: () => number;

  constructor(draw: () => number) {
    this.draw = draw;
  }

  /** The disk stands still until the returned function is called. */
  hold(): () => void {
    let release = () => {};
    this.held = new Promise((resolve) => {
      release = resolve;
    });
    return () => {
      this.held = null;
      release();
    };
  }

  private async step(kind: 'write' | 'sync' | 'create' | 'other'): Promise<void> {
    this.calls_left -= 1;
    if (this.latency) await this.latency();
    if (this.held) await this.held;
    if (this.calls_left <= 0) await new Promise(() => {});
    if (this.fails?.step === kind && this.fails.count > 0) {
      this.fails.count -= 1;
      throw noSpace();
    }
  }

  /** What another process, or the next start, finds after the power failed. */
  afterPowerLoss(): SimulatedDisk {
    const next = new SimulatedDisk(this.draw);
    next.latency = this.latency;
    const paths = new Set([...this.names.keys(), ...this.durableNames.keys()]);
    for (const path of paths) {
      const [now, before] = [this.names.get(path), this.durableNames.get(path)];
      const file = now === before || this.draw() < 0.5 ? before : now;
      if (!file) continue;
      const copy = new SimulatedFile();
      copy.current = this.survivor(file);
      copy.durable = copy.current;
      next.names.set(path, copy);
      next.durableNames.set(path, copy);
    }
    return next;
  }

  /** The content with some of the unsynced sectors, in any order. */
  private survivor({ durable, pending }: SimulatedFile): Buffer {
    let content: Buffer = durable;
    const mode = this.draw();
    for (const change of pending) {
      if (mode < 0.2) break;
      if (change.kind === 'truncate') {
        if (this.draw() < 0.5) content = applied(content, change);
        continue;
      }
      for (let at = 0; at < change.bytes.length; ) {
        const length = SECTOR_BYTES - ((change.position + at) % SECTOR_BYTES);
        const bytes = change.bytes.subarray(at, at + length);
        const isLost = mode < 0.8 && this.draw() < 0.3;
        const position = change.position + at;
        if (!isLost) content = applied(content, { kind: 'write', bytes, position });
        at += length;
      }
    }
    return content;
  }

  private handle(file: SimulatedFile): DiskFile {
    const change = (pending: Pending) => {
      file.pending.push(pending);
      file.current = applied(file.current, pending);
    };
    return {
      write: async (bytes, position) => {
        // A write that fails may have written a part.
        const isPartial = this.fails?.step === 'write' && bytes.length > SECTOR_BYTES;
        const part = isPartial ? Math.floor(this.draw() * bytes.length) : 0;
        if (part > 0)
          change({ kind: 'write', bytes: Buffer.from(bytes.subarray(0, part)), position });
        await this.step('write');
        change({ kind: 'write', bytes: Buffer.from(bytes), position });
      },
      sync: async () => {
        await this.step('sync');
        file.durable = file.current;
        file.pending = [];
      },
      truncate: async (size_bytes) => {
        await this.step('other');
        if (this.fails?.alsoTruncate) throw ioError();
        change({ kind: 'truncate', size_bytes });
      },
      close: async () => {},
    };
  }

  async makeFolder(): Promise<void> {
    await this.step('other');
  }

  async list(folder: string): Promise<string[]> {
    const inside = [...this.names.keys()].filter((path) => dirname(path) === folder);
    return inside.map((path) => path.slice(folder.length + 1));
  }

  async read(path: string, range?: { offset: number; length_bytes: number }) {
    const file = this.names.get(path);
    if (!file) return null;
    const { offset = 0, length_bytes = file.current.length } = range ?? {};
    return Buffer.from(file.current.subarray(offset, offset + length_bytes));
  }

  async open(path: string): Promise<DiskFile> {
    await this.step('create');
    const file = this.names.get(path) ?? new SimulatedFile();
    this.names.set(path, file);
    return this.handle(file);
  }

  async create(path: string): Promise<DiskFile | null> {
    await this.step('create');
    // Tested and created in one turn: of two writers one gets the file.
    if (this.names.has(path)) return null;
    const file = new SimulatedFile();
    this.names.set(path, file);
    return this.handle(file);
  }

  async rename(from: string, to: string): Promise<void> {
    await this.step('other');
    this.names.set(to, this.names.get(from)!);
    this.names.delete(from);
  }

  async remove(path: string): Promise<void> {
    await this.step('other');
    this.names.delete(path);
  }

  async syncFolder(folder: string): Promise<void> {
    await this.step('sync');
    const inFolder = (path: string) => dirname(path) === folder;
    for (const path of this.durableNames.keys()) {
      if (inFolder(path) && !this.names.has(path)) this.durableNames.delete(path);
    }
    for (const [path, file] of this.names) if (inFolder(path)) this.durableNames.set(path, file);
  }

  /** Replaces the content of a file, as damage does. */
  damage(path: string, edit: (bytes: Buffer) => Buffer): void {
    const file = this.names.get(path)!;
    file.current = edit(Buffer.from(file.current));
    file.durable = file.current;
  }

  /** Paths of all files. */
  get paths(): string[] {
    return [...this.names.keys()].sort();
  }

  /** A copy, as it is now. */
  copy(): SimulatedDisk {
    const next = new SimulatedDisk(this.draw);
    for (const [path, { current }] of this.names) {
      const file = new SimulatedFile();
      file.current = current;
      file.durable = current;
      next.names.set(path, file);
      next.durableNames.set(path, file);
    }
    return next;
  }
}

/** Runs while functions of `node:fs/promises` are replaced. */
export async function withFiles<Value>(
  calls: Readonly<Partial<Record<keyof typeof files, unknown>>>,
  run: () => Promise<Value>,
): Promise<Value> {
  const former = { ...files };
  Object.assign(files, calls);
  syncBuiltinESMExports();
  return run().finally(() => {
    Object.assign(files, former);
    syncBuiltinESMExports();
  });
}

/** A system call of a durable write. */
export type DiskStep = 'open' | 'write' | 'sync' | 'sync folder';

/** The steps of every durable write; a file is created and its folder synced once. */
export const DISK_STEPS: readonly DiskStep[] = ['write', 'sync'];

/** Calls `onStep` before every step; returns the function that stops the observation. */
export function observeDisk(onStep: (step: DiskStep, name: string) => void): () => void {
  const { open } = files;
  files.open = async (path, flags, mode) => {
    const name = basename(String(path));
    const isFolder = flags === 'r';
    if (!isFolder) onStep('open', name);
    const file = await open(path, flags, mode);
    const { sync, datasync } = file;
    const write: typeof file.write = file.write.bind(file);
    Reflect.set(file, 'write', (...given: Parameters<typeof write>) => {
      onStep('write', name);
      return write(...given);
    });
    file.datasync = () => {
      onStep('sync', name);
      return datasync.apply(file);
    };
    file.sync = () => {
      onStep(isFolder ? 'sync folder' : 'sync', name);
      return sync.apply(file);
    };
    return file;
  };
  syncBuiltinESMExports();
  return () => {
    Object.assign(files, { open });
    syncBuiltinESMExports();
  };
}
