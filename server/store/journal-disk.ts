/**
 * The disk of a journal, which writes into the folder that was opened and into no other: the one
 * at its path may have been moved, deleted, unmounted or replaced since.
 */

import { basename, dirname, join } from 'node:path';
import type { Disk } from './disk.ts';
import { OpenPlace, type PlaceState } from './open-place.ts';
import { StorageError } from './storage-error.ts';

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
