/**
 * Opens the store of a data folder, or one in memory. The lock of a folder is numbered files, one
 * for each writer so far. Creating the next number is atomic on every file system, so one of the
 * claimants wins. A writer that sees a higher number has lost the lock: each commit checks. The
 * holder renews the time of its file, so that other containers and machines find it alive.
 */
import { readdir, readFile, rmdir, stat, unlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { type Cancel, systemClock, type WallClock, wait } from '../clock/clock.ts';
import { type Disk, makeFolder, StorageError, saveError, systemDisk } from './disk.ts';
import { type FolderLoss, lossError, type WriterLock } from './journal-load.ts';
import { JournalDisk, OpenPlace, type PlaceState } from './open-folder.ts';
import { Store } from './store.ts';

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

async function systemText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}

/** The machine's boot and process id namespace; empty where the system does not provide them. */
async function namespaceOf(): Promise<string> {
  const boot = await systemText('/proc/sys/kernel/random/boot_id');
  const own = await stat('/proc/self/ns/pid').catch(() => null);
  return `${boot.trim()} ${own?.ino ?? ''}`.trim();
}

/** Fields of `/proc/PID/stat` from the state on; empty where the system does not provide them. */
async function statOf(pid: number): Promise<string[]> {
  const text = await systemText(`/proc/${pid}/stat`);
  return text === '' ? [] : text.slice(text.lastIndexOf(')') + 2).split(' ');
}

const STATE_FIELD = 0;
const THREADS_FIELD = 17;
const START_FIELD = 19;

/** Identifies a process of this namespace, also when its id is used again. */
async function processOf(pid: number): Promise<string> {
  const fields = await statOf(pid);
  return `${await namespaceOf()} ${fields[START_FIELD] ?? ''}`.trim();
}

/**
 * Whether a process can still write. One that has ended keeps its id until its parent asks for its
 * result (a zombie); while further threads of it are ending, it counts as running.
 */
async function isRunning(pid: number): Promise<boolean> {
  const fields = await statOf(pid);
  const hasEnded = fields[STATE_FIELD] === 'Z' || fields[STATE_FIELD] === 'X';
  if (hasEnded && Number(fields[THREADS_FIELD]) <= 1) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
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

/** The process of version 0.1 that uses the folder, or null. */
async function formerHolder(folder: string): Promise<number | null> {
  const [first = '', start = ''] = (await systemText(join(folder, 'armtwin.pid'))).split('\n');
  const pid = Number(first);
  if (!(pid > 0) || pid === process.pid || !(await isRunning(pid))) return null;
  const now = (await processOf(pid)).split(' ');
  return start === '' || start === `${now[0]} ${now.at(-1)}` ? pid : null;
}

async function claim(folder: string, wall: WallClock): Promise<number> {
  const former = await formerHolder(folder);
  if (former !== null) throw new FolderInUse(folder, { pid: former, host: hostname() });
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
  await unlink(join(folder, 'armtwin.pid')).catch(() => {});
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

/** Why a folder cannot be written, if it can still be read. */
function readOnlyReason(error: unknown): StorageError | null {
  const cause = error instanceof StorageError ? (error.cause ?? error) : error;
  const { code = '' } = cause as NodeJS.ErrnoException;
  const isReadable = ['EROFS', 'EACCES', 'EPERM', 'ENOSPC', 'EDQUOT', 'EIO'].includes(code);
  return isReadable ? new StorageError((error as Error).message, { cause }) : null;
}

/** Folder of the journal in the data folder. */
export const JOURNAL_FOLDER = 'journal';
/** Size at which a segment is closed. */
export const SEGMENT_BYTES = 16 * 1024 * 1024;

/** Where a restore makes the new journal. */
export const NEW_JOURNAL_FOLDER = `${JOURNAL_FOLDER}.new`;

/** There is nothing in a file: who opens it says that it is no folder. */
function nothingInFile(error: NodeJS.ErrnoException): [] {
  if (error.code === 'ENOTDIR') return [];
  throw error;
}

/** Rejects for a folder whose restore was broken off: a start would find nothing in it. */
export async function requireFinished(folder: string): Promise<void> {
  const isThere = async (name: string) =>
    (await systemDisk.list(join(folder, name)).catch(nothingInFile)).length > 0;
  if ((await isThere(JOURNAL_FOLDER)) || !(await isThere(NEW_JOURNAL_FOLDER))) return;
  throw new StorageError(
    `${folder}: a restore was broken off; repeat it (armtwin data restore ${folder} FILE). ` +
      `What was in the folder before is in ${JOURNAL_FOLDER}.replaced-*, if it held data`,
  );
}

export interface StoreOptions {
  readonly disk?: Disk;
  /** Size at which a segment of the journal is closed. */
  readonly segment_bytes?: number;
  /** Whether lost changes of users, tokens and settings are accepted. */
  readonly acceptsLoss?: boolean;
}

/** Why and how a folder is open for reading only. */
async function acquire(folder: string): Promise<FolderLock | StorageError> {
  try {
    return await FolderLock.acquire(folder);
  } catch (error) {
    const reason = readOnlyReason(error);
    const names = reason === null ? [] : await systemDisk.list(join(folder, JOURNAL_FOLDER));
    if (reason === null || names.length === 0) throw error;
    return reason;
  }
}

/**
 * Opens `:memory:` or a data folder. A folder that cannot be written but was used before is opened
 * for reading only, and `fault` says why.
 */
export async function openStore(place: string, options: StoreOptions = {}): Promise<Store> {
  if (place === ':memory:') return Store.open(null);
  await requireFinished(place);
  const lock = await acquire(place);
  const { disk = systemDisk, segment_bytes = SEGMENT_BYTES, acceptsLoss = false } = options;
  const folder = join(place, JOURNAL_FOLDER);
  if (lock instanceof StorageError) {
    const journal = { disk, folder, lock: null, acceptsLoss, segment_bytes };
    const store = await Store.open(journal);
    store.refuseChanges(lock);
    return store;
  }
  const ownDisk = new JournalDisk(disk, lock.place, folder);
  const release = async () => {
    await lock.release();
    await ownDisk.close();
  };
  try {
    await ownDisk.prepare();
    lock.further = () => ownDisk.state();
    const journal = { disk: ownDisk, folder, lock, acceptsLoss, segment_bytes };
    const store = await Store.open(journal, release);
    lock.onLoss = (loss) => store.noteLoss(loss && lossError(place, loss));
    return store;
  } catch (error) {
    await release();
    throw error;
  }
}
