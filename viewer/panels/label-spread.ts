/** Moves labels at the ends of lines apart so that none covers another. Pure. */

/** Where labels may stand, and how far apart. */
export interface Room {
  readonly gap: number;
  readonly low: number;
  readonly high: number;
}

/** Labels that touch, placed as one block around the middle of where they want to be. */
interface Block {
  sum: number;
  count: number;
  start: number;
}

/** Where a block of labels starts, kept within the bounds. */
function settle(block: Block, { gap, low, high }: Room): void {
  const length = (block.count - 1) * gap;
  const wanted = block.sum / block.count - length / 2;
  block.start = Math.max(Math.min(wanted, high - length), low);
}

/**
 * New positions for labels wanted at `wanted`, in the order of the values (ties in the order
 * given). There must be room for all.
 */
export function spread(wanted: readonly number[], room: Room): number[] {
  const { gap } = room;
  const order = wanted.map((_, i) => i).sort((a, b) => wanted[a]! - wanted[b]! || a - b);
  const blocks: Block[] = [];
  for (const i of order) {
    let block: Block = { sum: wanted[i]!, count: 1, start: 0 };
    settle(block, room);
    let before = blocks.at(-1);
    while (before && before.start + before.count * gap > block.start) {
      blocks.pop();
      block = { sum: before.sum + block.sum, count: before.count + block.count, start: 0 };
      settle(block, room);
      before = blocks.at(-1);
    }
    blocks.push(block);
  }
  const places = blocks.flatMap(({ start, count }) =>
    Array.from({ length: count }, (_, k) => start + k * gap),
  );
  const placed = [...wanted];
  for (const [k, i] of order.entries()) placed[i] = places[k]!;
  return placed;
}
