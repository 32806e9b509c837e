/** What a journal needs to know of its folder. */
import type { Disk } from './disk.ts';
import type { WriterLock } from './writer-lock.ts';

/** Size at which a segment is closed. */
export const SEGMENT_BYTES = 16 * 1024 * 1024;

export interface JournalOptions {
  readonly disk: Disk;
  /** The folder of the segments. */
  readonly folder: string;
  /** Null if the journal is only read. */
  readonly lock: WriterLock | null;
  /** Whether lost changes of users, tokens and settings are accepted. */
  readonly acceptsLoss: boolean;
  /** A segment of this size is closed. */
  readonly segment_bytes: number;
  /** Leaves out what may not have been acknowledged, for readers beside a writer. */
  readonly durableOnly?: boolean;
  /** Growth beyond twice the size of the rows that starts a compaction. */
  readonly compaction_bytes?: number;
}
