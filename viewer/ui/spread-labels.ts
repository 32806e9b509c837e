/** Moves the labels of a plot apart, so that none covers another. Pure. */

/** The range of label positions and their smallest distance. */
export interface LabelBounds {
  readonly gap: number;
  readonly low: number;
  readonly high: number;
}

/** Adjacent labels, centred as one block on the mean of their wanted positions. */
interface LabelBlock {
  sum: number;
  count: number;
  start: number;
}

/** Sets the start of a block, clamped to the bounds. */
function placeBlock(block: LabelBlock, { gap, low, high }: LabelBounds): void {
  const length = (block.count - 1) * gap;
  const wanted = block.sum / block.count - length / 2;
  block.start = Math.max(Math.min(wanted, high - length), low);
}

/**
 * Positions for labels wanted at `wanted`, moved apart so that they do not overlap. Keeps the order
 * of the values (ties in the order given). All labels must fit into the bounds. Pure.
 */
export function spreadLabels(wanted: readonly number[], bounds: LabelBounds): number[] {
  const { gap } = bounds;
  const order = wanted.map((_, i) => i).sort((a, b) => wanted[a]! - wanted[b]! || a - b);
  const blocks: LabelBlock[] = [];
  for (const i of order) {
    let block: LabelBlock = { sum: wanted[i]!, count: 1, start: 0 };
    placeBlock(block, bounds);
    let before = blocks.at(-1);
    while (before && before.start + before.count * gap > block.start) {
      blocks.pop();
      block = { sum: before.sum + block.sum, count: before.count + block.count, start: 0 };
      placeBlock(block, bounds);
      before = blocks.at(-1);
    }
    blocks.push(block);
  }
  const positions = blocks.flatMap(({ start, count }) =>
    Array.from({ length: count }, (_, k) => start + k * gap),
  );
  const placed = [...wanted];
  for (const [k, i] of order.entries()) placed[i] = positions[k]!;
  return placed;
}
