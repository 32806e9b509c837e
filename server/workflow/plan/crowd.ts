/** How many pieces of labware are on their way at a time, while a plan is being made. */
import type { LabwareUse } from './problem.ts';

export class Crowd {
  private readonly limit: number;
  private readonly isBegun: boolean[];
  /** Pieces that have begun and are not through all tasks. */
  private size = 0;

  constructor(pieces: number, limit: number) {
    this.limit = limit;
    this.isBegun = new Array<boolean>(pieces).fill(false);
  }

  /** True for a task without labware, with some on its way already, or while there is room. */
  mayBegin(uses: readonly LabwareUse[]): boolean {
    if (this.size < this.limit || uses.length === 0) return true;
    for (const { labware } of uses) if (this.isBegun[labware]) return true;
    return false;
  }

  /** A piece is moved or worked on. */
  begin(piece: number): void {
    if (this.isBegun[piece]) return;
    this.isBegun[piece] = true;
    this.size++;
  }

  /** A piece is through all tasks. */
  leave(): void {
    this.size--;
  }
}
