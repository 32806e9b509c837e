import type { Cell } from '../../../contract/types.generated.ts';

/** The stream sends a cell within this time after the reply to its edit (ms). */
const ECHO_MS = 1000;

/** Separates the cells that this page has made from those of other clients. */
export function createOwnCells(now_ms: () => number) {
  let known: Cell | null = null;
  let running = 0;
  let until_ms = Number.NEGATIVE_INFINITY;
  return {
    /** Makes a change of the cell. */
    async change<Value>(work: () => Promise<Value>): Promise<Value> {
      running += 1;
      try {
        return await work();
      } finally {
        running -= 1;
        until_ms = now_ms() + ECHO_MS;
      }
    },
    /** Whether another client has made the cell that is there now. */
    isReplaced(cell: Cell | null): boolean {
      if (cell === known) return false;
      const isEqual = JSON.stringify(cell) === JSON.stringify(known);
      known = cell;
      return !isEqual && running === 0 && now_ms() > until_ms;
    },
  };
}
