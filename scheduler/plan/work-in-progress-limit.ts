import type { LabwareUse } from './problem.ts';

/** Limits how many pieces of labware are in progress at a time. */
export class WorkInProgressLimit {
  private readonly limit: number;
  private readonly isInProgress: boolean[];
  /** Pieces between their first operation and their last task. */
  private count = 0;

  constructor(pieces: number, limit: number) {
    this.limit = limit;
    this.isInProgress = new Array<boolean>(pieces).fill(false);
  }

  /** True below the limit, or for a task that starts no new piece. */
  allows(uses: readonly LabwareUse[]): boolean {
    if (this.count < this.limit || uses.length === 0) return true;
    for (const { labware } of uses) if (this.isInProgress[labware]) return true;
    return false;
  }

  /** Counts a piece that is moved or processed. */
  admit(piece: number): void {
    if (this.isInProgress[piece]) return;
    this.isInProgress[piece] = true;
    this.count++;
  }

  /** Counts down after the last task of a piece. */
  release(): void {
    this.count--;
  }
}
