/**
 * The lock of a data folder: numbered files, one for each writer so far. Creating the next number
 * is atomic on every file system, so one of the claimants wins. A writer that sees a higher number
 * has lost the lock: each commit checks. The holder renews the time of its file, so that other
 * containers and machines find it alive.
 */
import { readdir, readFile, rmdir, stat, unlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { type Cancel, systemClock, type WallClock, wait } from '../clock/wall-clock.ts';
import { makeFolder } from './durable-folder.ts';
import type { FolderLoss } from './folder-loss.ts';
import { OpenPlace, type PlaceState } from './open-place.ts';
import { isRunning, namespaceOf, processOf } from './process-identity.ts';
import { saveError } from './storage-error.ts';
import type { WriterLock } from './writer-lock.ts';

/** Folders locked by twins of this process. */
const held = new Set<string>();

/** Time between renewals (ms). */
const RENEWAL_MS = 1000;
/** A lock that is not renewed for this long belongs to a process that has ended (ms). */
const EXPIRY_MS = 4000;
const POLL_MS = 100;
const RELEASED = 'released';

interface Holder {
  readonly pid: number;
  /** Boot id, process id namespace and start time: the process that has the id now. */
  readonly process: string;
  readonly host: string;
}

function lockName(epoch: number): string {
  return `writer-${epoch}.lock`;
}

async function epochsIn(folder: string): Promise<number[]> {
  const names = await readdir(folder);
  const found = names.flatMap((name) => /^writer-(\d+)\.lock$/.exec(name)?.[1] ?? []);
  return found.map(Number).sort((a, b) => b - a);
}

/** The holder that a lock file names; null if the file is damaged. */
function parseHolder(text: string): Holder | null {
  try {
    const found = JSON.parse(text) as Partial<Holder> | null;
    const { pid, process, host } = found ?? {};
    const isComplete = typeof pid === 'number' && typeof process === 'string';
    return isComplete && typeof host === 'string' ? { pid, process, host } : null;
  } catch {
    return null;
  }
}

/** Whether the file is renewed while it is observed. */
async function isRenewed(path: string, wall: WallClock): Promise<boolean> {
  const time = async () => (await stat(path).catch(() => null))?.mtimeMs;
  const first = await time();
  for (let waited_ms = 0; waited_ms < EXPIRY_MS; waited_ms += POLL_MS) {
    await wait(wall, POLL_MS);
    if ((await time()) !== first) return true;
  }
  return false;
}

/** The process that holds the lock of this file, or null. */
async function holderOf(path: string, wall: WallClock): Promise<Holder | null> {
  const text = await readFile(path, 'utf8').catch(() => RELEASED);
  if (text === RELEASED) return null;
  const holder = parseHolder(text);
  const namespace = await namespaceOf();
  const isHere = holder?.host === hostname() && holder.process.startsWith(namespace);
  if (holder && isHere) {
    // The folders of this process are in `held`; this one is a copy of such a folder.
    if (holder.pid === process.pid) return null;
    const isAlive = await isRunning(holder.pid);
    const isSame = isAlive && holder.process === (await processOf(holder.pid));
    return isSame ? holder : null;
  }
  const unknown = { pid: 0, process: '', host: 'another machine' };
  return (await isRenewed(path, wall)) ? (holder ?? unknown) : null;
}

/** Whether a file exists; rejects where that cannot be found out. */
async function isFile(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ESTALE') return false;
    throw error;
  }
}

/** A folder is locked by another twin. */
export class FolderInUse extends Error {
  /** The process that holds the lock, as `process 5 on another machine`. */
  readonly holder: string;

  constructor(folder: string, { pid, host }: Pick<Holder, 'pid' | 'host'>) {
    const holder = `process ${pid}${host === hostname() ? '' : ` on ${host}`}`;
    super(
      `The data folder ${folder} is in use by ${holder}. ` +
        'Stop it, or choose another folder with --data.',
    );
    this.holder = holder;
  }
}

async function claim(folder: string, wall: WallClock): Promise<number> {
  const [last = 0] = await epochsIn(folder);
  const holder = last === 0 ? null : await holderOf(join(folder, lockName(last)), wall);
  if (holder) throw new FolderInUse(folder, holder);
  const epoch = last + 1;
  const path = join(folder, lockName(epoch));
  const self = { pid: process.pid, process: await processOf(process.pid), host: hostname() };
  try {
    await writeFile(path, JSON.stringify(self), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      // A full disk leaves the file without its content.
      await unlink(path).catch(() => {});
      throw saveError(path, error);
    }
    const winner = await holderOf(path, wall);
    throw new FolderInUse(folder, winner ?? { pid: 0, host: 'another machine' });
  }
  const [highest = epoch, ...lower] = await epochsIn(folder);
  if (highest > epoch) {
    await unlink(path);
    throw new FolderInUse(folder, { pid: 0, host: 'another machine' });
  }
  for (const old of lower) await unlink(join(folder, lockName(old))).catch(() => {});
  return epoch;
}

/** The lock of a folder that this process holds. */
export class FolderLock implements WriterLock {
  readonly epoch: number;
  /** The folder that was locked. */
  readonly place: OpenPlace;
  /** Why the lock was not held when it was last asked; only 'gone' and 'replaced' may end. */
  loss: FolderLoss | null = null;
  /** Called when the lock was lost or is held again, within a second. */
  onLoss: (loss: FolderLoss | null) => void = () => {};
  /** What stands in place of a further folder that the lock protects. */
  further: () => Promise<PlaceState> = async () => 'same';
  private readonly file: OpenPlace;
  private readonly wall: WallClock;
  private cancelRenewal: Cancel = () => {};
  private noted: FolderLoss | null = null;

  private constructor(
    { epoch, place }: { readonly epoch: number; readonly place: OpenPlace },
    file: OpenPlace,
    wall: WallClock,
  ) {
    this.epoch = epoch;
    this.place = place;
    this.file = file;
    this.wall = wall;
    this.renew();
  }

  private renew(): void {
    const now = new Date(this.wall.epoch_ms());
    this.file.handle?.utimes(now, now).catch(() => {});
    this.look().catch(() => {});
    this.cancelRenewal = this.wall.afterUnreferenced(RENEWAL_MS, () => this.renew());
  }

  private async look(): Promise<void> {
    await this.isHeld();
    if (this.noted === this.loss) return;
    this.noted = this.loss;
    this.onLoss(this.loss);
  }

  /** Acquires the lock; rejects when another twin uses the folder. */
  static async acquire(folder: string, wall: WallClock = systemClock): Promise<FolderLock> {
    const path = resolve(folder);
    if (held.has(path)) throw new FolderInUse(folder, { pid: process.pid, host: hostname() });
    held.add(path);
    let place: OpenPlace | null = null;
    try {
      await makeFolder(folder);
      place = await OpenPlace.open(path);
      const epoch = await claim(folder, wall);
      const file = await OpenPlace.open(join(path, lockName(epoch)), 'r+');
      return new FolderLock({ epoch, place }, file, wall);
    } catch (error) {
      await place?.close();
      held.delete(path);
      throw error;
    }
  }

  /** Whether this is the folder that was locked, and no other writer has taken it over. */
  async isHeld(): Promise<boolean> {
    const found = this.isLost ? this.loss : await this.findLoss();
    // Another question may have been answered meanwhile.
    if (!this.isLost) this.loss = found;
    return this.loss === null;
  }

  /** Whether it is lost for good: what was moved away may come back, and no writer was there. */
  private get isLost(): boolean {
    return this.loss === 'taken over' || this.loss === 'emptied';
  }

  private async findLoss(): Promise<FolderLoss | null> {
    const { epoch, place } = this;
    const [own, further, isNext] = await Promise.all([
      this.file.state(),
      this.further(),
      isFile(join(place.path, lockName(epoch + 1))),
    ]);
    if (own === 'same' && further === 'same' && !isNext) return null;
    const state = await place.state();
    if (state !== 'same') return state;
    const [highest = epoch] = await epochsIn(place.path);
    return highest > epoch ? 'taken over' : 'emptied';
  }

  async release(): Promise<void> {
    this.cancelRenewal();
    held.delete(this.place.path);
    const { handle } = this.file;
    // A folder that was moved is released where it is now.
    if (this.loss !== 'taken over') {
      await handle?.write(RELEASED, 0).catch(() => {});
      await handle?.truncate(RELEASED.length).catch(() => {});
    }
    await this.file.close();
    await this.place.close();
  }
}

/** Releases the lock of a folder that was made for it, and removes what it left. */
export async function removeLock(folder: string, lock: FolderLock): Promise<void> {
  await lock.release();
  await unlink(join(folder, lockName(lock.epoch))).catch(() => {});
  // A folder in which another twin has its lock by now is not empty and stays.
  await rmdir(folder).catch(() => {});
}
