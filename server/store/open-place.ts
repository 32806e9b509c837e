/**
 * A file or folder that is kept open, so that what stands at its path later can be compared with
 * it: it may have been moved, deleted, unmounted or replaced since.
 */
import { type FileHandle, open, stat } from 'node:fs/promises';

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
