import type { FolderLoss } from './folder-loss.ts';

/** The lock of the data folder, as commits check it. */
export interface WriterLock {
  /** Number of the writer; each new one has a higher number. */
  readonly epoch: number;
  isHeld(): Promise<boolean>;
  /** Why it is not held, where that is known. */
  readonly loss?: FolderLoss | null;
}
