/**
 * A folder that is kept open, so that what stands at its path later can be compared with it, and
 * the disk of a journal, which writes into the folder that was opened and into no other: the one at
 * its path may have been moved, deleted, unmounted or replaced since.
 */
import { type FileHandle, open, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Disk, StorageError } from './disk.ts';

/** What stands at a path: what was opened, nothing, or something else. */
export type PlaceState = 'same' | 'gone' | 'replaced';

const MISSING: readonly unknown[] = ['ENOENT', 'ENOTDIR', 'ESTALE'];

/** Device and number of what a path names; null if it names nothing. */
async function identityOf(path: string): Promise<string | null> {
  try {
    const { dev, ino } = await stat(path, { bigint: true });
    return `${dev} ${ino}`;
  } catch (error) {
    if (MISSING.includes((error as NodeJS.ErrnoException).code)) return null;
    throw error;
  }
}

/** Where a file that this process has open can be reached by its own path, as on Linux. */
const OPEN_FILES = '/proc/self/fd';

interface Found {
  readonly identity: string;
  readonly ownPath: string;
}

/** A file or folder that is kept open: its number is not given to another meanwhile. */
export class OpenPlace {
  readonly path: string;
  /** Null where a folder cannot be opened, as on Windows. */
  readonly handle: FileHandle | null;
  private readonly identity: string;
  /** A path to it wherever it is now; its former one where there is none. */
  readonly ownPath: string;

  private constructor(path: string, handle: FileHandle | null, found: Found) {
    this.path = path;
    this.handle = handle;
    this.identity = found.identity;
    this.ownPath = found.ownPath;
  }

  /** Opens what stands at a path; rejects with ENOENT if nothing does. */
  static async open(path: string, flags = 'r'): Promise<OpenPlace> {
    const handle = await open(path, flags).catch((error: unknown) => {
      if (['EISDIR', 'EPERM'].includes(`${(error as NodeJS.ErrnoException).code}`)) return null;
      throw error;
    });
    const big = { bigint: true } as const;
    const { dev, ino } = await (handle ? handle.stat(big) : stat(path, big));
    const identity = `${dev} ${ino}`;
    const ownPath = `${OPEN_FILES}/${handle?.fd}`;
    const own = await identityOf(ownPath).catch(() => null);
    return new OpenPlace(path, handle, { identity, ownPath: own === identity ? ownPath : path });
  }

  async state(): Promise<PlaceState> {
    const now = await identityOf(this.path);
    if (now === null) return 'gone';
    return now === this.identity ? 'same' : 'replaced';
  }

  async close(): Promise<void> {
    await this.handle?.close().catch(() => {});
  }
}

/** The disk of a journal, whose files are reached through its open folder. */
export class JournalDisk implements Disk {
  private readonly inner: Disk;
  private readonly place: OpenPlace;
  private readonly folder: string;
  private opened: OpenPlace | null = null;

  /** `place` is the data folder and `folder` the path of its journal, which may not exist yet. */
  constructor(inner: Disk, place: OpenPlace, folder: string) {
    this.inner = inner;
    this.place = place;
    this.folder = folder;
  }

  /** Opens the folder of the journal if it exists. */
  async prepare(): Promise<void> {
    this.opened = await OpenPlace.open(this.folder).catch(() => null);
  }

  /** What stands in place of the journal's folder; `same` until it is made. */
  async state(): Promise<PlaceState> {
    return (await this.opened?.state()) ?? 'same';
  }

  private async at(path: string): Promise<string> {
    const { opened } = this;
    if (!opened || (path !== this.folder && dirname(path) !== this.folder)) return path;
    if (opened.ownPath === opened.path && (await opened.state()) !== 'same') {
      throw new StorageError(`${this.folder} is not the folder that was opened`);
    }
    return path === this.folder ? opened.ownPath : join(opened.ownPath, basename(path));
  }

  async makeFolder(path: string): Promise<void> {
    if (path !== this.folder || this.opened) return;
    if ((await this.place.state()) !== 'same') {
      throw new StorageError(`${this.place.path} is not the folder that was opened`);
    }
    await this.inner.makeFolder(join(this.place.ownPath, basename(path)));
    this.opened = await OpenPlace.open(join(this.place.ownPath, basename(path)));
  }

  list = async (folder: string) => this.inner.list(await this.at(folder));
  read: Disk['read'] = async (path, range) => this.inner.read(await this.at(path), range);
  open = async (path: string) => this.inner.open(await this.at(path));
  create = async (path: string) => this.inner.create(await this.at(path));
  remove = async (path: string) => this.inner.remove(await this.at(path));
  syncFolder = async (path: string) => this.inner.syncFolder(await this.at(path));
  rename = async (from: string, to: string) =>
    this.inner.rename(await this.at(from), await this.at(to));

  async close(): Promise<void> {
    await this.opened?.close();
  }
}
