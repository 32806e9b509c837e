/**
 * The port of the journal to the disk, so that tests can simulate late, torn and reordered writes.
 */

/** A file that is open for writing. */
export interface DiskFile {
  /** Writes all bytes at a position; they are durable after `sync`. */
  write(bytes: Uint8Array, position: number): Promise<void>;
  /** Resolves when all earlier writes to the file are durable. */
  sync(): Promise<void>;
  truncate(size_bytes: number): Promise<void>;
  close(): Promise<void>;
}

/** A part of a file. */
export interface ByteRange {
  readonly offset: number;
  readonly length_bytes: number;
}

export interface Disk {
  /** Creates a folder and its parents durably. */
  makeFolder(path: string): Promise<void>;
  /** Names in a folder; none if it does not exist. */
  list(folder: string): Promise<string[]>;
  /** A file's bytes, or those of a range that exist; null if there is no file. */
  read(path: string, range?: ByteRange): Promise<Buffer | null>;
  /** Opens a file for writing; creates it if it does not exist. */
  open(path: string): Promise<DiskFile>;
  /** Creates a file and opens it for writing; null if it exists. */
  create(path: string): Promise<DiskFile | null>;
  rename(from: string, to: string): Promise<void>;
  /** Removes a file; a missing one is no error. */
  remove(path: string): Promise<void>;
  /** Makes new, renamed and removed entries of a folder durable. */
  syncFolder(path: string): Promise<void>;
}
