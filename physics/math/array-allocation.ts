/**
 * Allocates several number arrays in one buffer. A solve needs many short arrays, and the cost of
 * an array is its buffer, which the garbage collector has to track.
 */

/** Zeroed arrays of the given lengths, contiguous in one buffer. */
export function allocateArrays(lengths: readonly number[]): Float64Array[] {
  return arraysIn(new Float64Array(sumOf(lengths)), lengths);
}

/**
 * `allocateArrays` in reused memory: each call reuses the memory of the call before, whose values
 * are still there. Use it only where no array outlives the work.
 */
export function createScratch(): typeof allocateArrays {
  let held = new Float64Array(0);
  return (lengths) => {
    const total = sumOf(lengths);
    if (held.length < total) held = new Float64Array(total);
    return arraysIn(held, lengths);
  };
}

function sumOf(lengths: readonly number[]): number {
  let total = 0;
  for (let i = 0; i < lengths.length; i++) total += lengths[i]!;
  return total;
}

function arraysIn({ buffer }: Float64Array, lengths: readonly number[]): Float64Array[] {
  let from = 0;
  return lengths.map((length) => {
    const view = new Float64Array(buffer, from, length);
    from += length * Float64Array.BYTES_PER_ELEMENT;
    return view;
  });
}
