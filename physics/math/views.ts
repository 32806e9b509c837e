/**
 * Several arrays of numbers out of one allocation. Solves need many short arrays at once, and what
 * an array of its own costs is not its numbers but its buffer, which the collector has to track.
 */

/** Arrays of `lengths` numbers, all zero, one behind the other in one buffer. */
export function viewsOf(lengths: readonly number[]): Float64Array[] {
  return viewsInto(new Float64Array(sumOf(lengths)), lengths);
}

/**
 * `viewsOf` in memory that is kept: each call takes over that of the call before, whose numbers
 * are still there. For work that hands none of its arrays on.
 */
export function createScratch(): typeof viewsOf {
  let held = new Float64Array(0);
  return (lengths) => {
    const total = sumOf(lengths);
    if (held.length < total) held = new Float64Array(total);
    return viewsInto(held, lengths);
  };
}

function sumOf(lengths: readonly number[]): number {
  let total = 0;
  for (let i = 0; i < lengths.length; i++) total += lengths[i]!;
  return total;
}

function viewsInto({ buffer }: Float64Array, lengths: readonly number[]): Float64Array[] {
  let from = 0;
  return lengths.map((length) => {
    const view = new Float64Array(buffer, from, length);
    from += length * Float64Array.BYTES_PER_ELEMENT;
    return view;
  });
}
